"""What has to be done by hand before a release can be made."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

NO_VALUE = Rule(
    "V101",
    ERROR,
    "Tracked claim cannot be brought up to date",
    "{id} is tracked and no longer true: expected {expected}, observed {observed}",
    "complete the tables, or reword or remove the claim: it states no number to replace",
    "A release starts with claims that are true. An ordering or an emptiness that no longer holds "
    "has no new value, so a person has to decide what the text states instead.",
)
REWORD = Rule(
    "V102",
    ERROR,
    "Sentence of a claim needs its new number",
    "{id} is {after} now and was {before}; which number of its sentence that is, is not certain",
    "correct the sentence and commit it; where all such sentences are right as they are: "
    "corpus release ID --keep-sentences",
    "A release replaces numbers in a sentence where there is no doubt which one is meant. A wrong "
    "sentence beside a right number would be quoted for years.",
)
