"""What can be wrong with claims; `corpus check` and `corpus claims` both report it."""

from corpus.model.finding import WARNING, Rule

CLAIM_FAILS = Rule(
    "C601",
    "{id}: expected {expected}, observed {observed}{difference}",
    "undo the change that broke it, correct the claim and its text, or record the failure: corpus "
    "claims --acknowledge REASON",
    title="Claim does not hold",
    reason="A claim is a sentence that the survey prints.",
)
CLAIM_MISTAKE = Rule(
    "C602",
    "{place}: {problem}",
    "correct the claims file; docs/claims-format.md has every key",
    title="Mistake in the claims file",
    reason="A claim that cannot be understood is not checked.",
)
WRONG_SENTENCE = Rule(
    "C470",
    "{id}: the sentence has {stated}, the claim expects {expected}",
    "correct the sentence, or what the claim expects",
    title="Sentence of a claim states another number",
    reason="A tracked sentence may have the number of its release or of today.",
)
STALE_ACKNOWLEDGEMENT = Rule(
    "C603",
    "{id}: {sign} {key} is accepted, but the claim does not differ by it",
    "remove the row: corpus claims --acknowledge REASON does so for every such row",
    WARNING,
    title="Acknowledgement no longer needed",
    reason="It would hide the same failure later.",
)
UNKNOWN_CLAIM = Rule(
    "C604",
    "{problem}",
    "correct the name; `corpus claims` lists every claim",
    title="A row names a claim that does not exist",
    reason="A row that rests on a claim needs one that is checked.",
)
RELEASE_MISTAKE = Rule(
    "C605",
    "{place}: {problem}",
    "correct data/releases.toml; docs/claims-format.md has every key",
    title="Mistake in the releases file",
    reason="Without a readable release there is nothing to compare the numbers of today with.",
)
RELEASE_CHANGED = Rule(
    "C606",
    "{release}: {what} now {observed}, the release has {expected}",
    "restore data/releases/ and its entry in releases.toml from version control",
    title="Release is not as it was made",
    reason="Changed later, a release no longer shows what has moved.",
)
NAMED_ROWS = Rule(
    "C607",
    "{id}: it selects rows by their keys, and expects that there are such rows",
    "select them by the column that the sentence is about, or expect a value of it",
    title="Claim that its own filter makes true",
    reason="Rows that are named are found with any cells in them, so nothing is tested.",
)
