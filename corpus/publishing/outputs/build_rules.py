"""What can be wrong with generated files."""

from corpus.model.finding import Rule

MISSING = Rule(
    "B101",
    "the file does not exist",
    "run `corpus build` and commit what it writes",
    title="Generated file is missing",
    reason="figures/ and reports/ are committed, so that readers see them without "
    "running anything.",
)
STALE = Rule(
    "B102",
    "stale: {why}",
    "run `corpus build` and commit what it writes",
    title="Generated file is stale",
    reason="A number in print that no longer follows from the data is wrong.",
)
ORPHAN = Rule(
    "B103",
    "nothing in this corpus makes the file",
    "remove it, or move it out of the folder",
    title="File that nothing generates",
    reason="Readers take every file in figures/ and reports/ for current.",
)
