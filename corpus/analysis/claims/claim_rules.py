"""What can be wrong with claims; `corpus check` and `corpus claims` both report it."""

from corpus.model.finding import WARNING, Rule

CLAIM_FAILS = Rule(
    "C601",
    "{id}: expected {expected}, observed {observed}{difference}",
    "undo the change that broke it, correct the claim and its text, or record the failure: corpus "
    "claims --acknowledge REASON",
)
CLAIM_MISTAKE = Rule(
    "C602", "{place}: {problem}", "correct the claims file; docs/claims-format.md has every key"
)
WRONG_SENTENCE = Rule(
    "C470",
    "{id}: the sentence has {stated}, the claim expects {expected}",
    "correct the sentence, or what the claim expects",
)
STALE_ACKNOWLEDGEMENT = Rule(
    "C603",
    "{id}: {sign} {key} is accepted, but the claim does not differ by it",
    "remove the row: corpus claims --acknowledge REASON does so for every such row",
    WARNING,
)
UNKNOWN_CLAIM = Rule("C604", "{problem}", "correct the name; `corpus claims` lists every claim")
RELEASE_MISTAKE = Rule(
    "C605", "{place}: {problem}", "correct data/releases.toml; docs/claims-format.md has every key"
)
RELEASE_CHANGED = Rule(
    "C606",
    "{release}: {what} now {observed}, the release has {expected}",
    "restore data/releases/ and its entry in releases.toml from version control",
)
