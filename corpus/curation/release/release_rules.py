"""What has to be done by hand before a release can be made."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

NO_VALUE = Rule(
    "V101",
    ERROR,
    "Tracked claim cannot be brought up to date",
    "{id} is tracked and no longer true: expected {expected}, observed {observed}",
    "complete the tables, or reword or remove the claim: it states no number to replace",
    "An ordering or an emptiness that no longer holds has no new value, so a person has to decide "
    "what the text states instead.",
)
REWORD = Rule(
    "V102",
    ERROR,
    "Sentence of a claim needs its new number",
    "{id} is {after} now and was {before}; its sentence is to be read again",
    "write the sentence and commit it; where it is right as it is: corpus release ID --confirm",
    "A release writes new values, and never a sentence: people know which of its words depend on a"
    " value.",
)
LATER = Rule(
    "V103",
    ERROR,
    "Row dated after the release",
    "{rows} dated after {day}",
    "release up to the last of them: corpus release {id} --date {last}",
    "The day of a release is its cutoff: nothing was first public or screened later.",
)
ACKNOWLEDGED = Rule(
    "V110",
    ERROR,
    "Guard does not hold, and is only acknowledged",
    "{id} does not hold: {differs}; somebody has accepted that",
    "correct the claim and the text that makes it, or: corpus release ID --confirm",
    "Somebody has to decide that a release has a sentence which the data contradicts.",
)
