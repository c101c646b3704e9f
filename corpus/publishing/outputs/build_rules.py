"""What can be wrong with generated files."""

from corpus.model.finding import Rule

MISSING = Rule("B101", "the file does not exist", "run `corpus build` and commit what it writes")
STALE = Rule("B102", "stale: {why}", "run `corpus build` and commit what it writes")
ORPHAN = Rule(
    "B103", "nothing in this corpus makes the file", "remove it, or move it out of the folder"
)
