"""What can be wrong with claims; `corpus check` and `corpus claims` both report it."""

from __future__ import annotations

from corpus.model.finding import ERROR, WARNING, Rule

CLAIM_FAILS = Rule(
    "C601",
    ERROR,
    "Claim does not hold",
    "{id}: expected {expected}, observed {observed}{difference}",
    "undo the change that broke it, correct the claim and its text, or record the failure: corpus "
    "claims --acknowledge REASON",
    "A claim is a sentence that the survey prints.",
)
CLAIM_MISTAKE = Rule(
    "C602",
    ERROR,
    "Mistake in the claims file",
    "{place}: {problem}",
    "correct the claims file; docs/claims-format.md has every key",
    "A claim that cannot be understood is not checked.",
)
WRONG_SENTENCE = Rule(
    "C470",
    ERROR,
    "Sentence of a claim states another number",
    "{id}: the sentence has {stated}, the claim expects {expected}",
    "correct the sentence, or what the claim expects",
    "A tracked sentence may have the number of its release or of today.",
)
STALE_ACKNOWLEDGEMENT = Rule(
    "C603",
    WARNING,
    "Acknowledgement no longer needed",
    "{id}: {sign} {key} is accepted, but the claim does not differ by it",
    "remove the row: corpus claims --acknowledge REASON does so for every such row",
    "It would hide the same failure later.",
)
UNKNOWN_CLAIM = Rule(
    "C604",
    ERROR,
    "A row names a claim that does not exist",
    "the claims file has no claim {named!r}{advice}",
    "correct the name; `corpus claims` lists every claim",
    "A row that rests on a claim needs one that is checked.",
)
RELEASE_MISTAKE = Rule(
    "C605",
    ERROR,
    "Mistake in the releases file",
    "{place}: {problem}",
    "correct data/releases.toml; docs/claims-format.md has every key",
    "Without a readable release there is nothing to compare the numbers of today with.",
)
RELEASE_CHANGED = Rule(
    "C606",
    ERROR,
    "Release is not as it was made",
    "{release}: {what} now {observed}, the release has {expected}",
    "restore data/releases/ and its entry in releases.toml from version control",
    "Changed later, a release no longer shows what has moved.",
)
