"""What can be wrong with claims; `corpus check` and `corpus claims` both say it."""

from __future__ import annotations

from corpus.model.finding import ERROR, WARNING, Rule

CLAIM_FAILS = Rule(
    "C601",
    ERROR,
    "Claim does not hold",
    "{id}: expected {expected}, observed {observed}",
    "undo the change that moved it, mend the claim and the text that makes it, or write down that it is known: "
    "corpus claims --acknowledge REASON",
    "A claim is a sentence that the survey prints. A change that makes one untrue has to say so.",
)
CLAIM_MISTAKE = Rule(
    "C602",
    ERROR,
    "Mistake in the claims file",
    "{place}: {problem}",
    "mend the claims file; docs/claims-format.md describes every key",
    "A claim that cannot be understood is not checked.",
)
STALE_ACKNOWLEDGEMENT = Rule(
    "C603",
    WARNING,
    "Acknowledgement without need",
    "{id}: the claim holds again, yet its failure is acknowledged",
    "remove the line `acknowledged = ...` of this claim",
    "An acknowledgement that stays behind would let the same failure pass unseen later.",
)
