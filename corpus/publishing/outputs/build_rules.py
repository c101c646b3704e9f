"""What can be wrong with generated files."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

MISSING = Rule(
    "B101",
    ERROR,
    "Generated file is missing",
    "the file does not exist",
    "run `corpus build` and commit what it writes",
    "figures/ and reports/ are committed, so that readers see them without running anything.",
)
STALE = Rule(
    "B102",
    ERROR,
    "Generated file is stale",
    "stale: {why}",
    "run `corpus build` and commit what it writes",
    "A number in print that no longer follows from the data is wrong.",
)
ORPHAN = Rule(
    "B103",
    ERROR,
    "File that nothing generates",
    "nothing in this corpus makes the file",
    "remove it, or move it out of the folder",
    "Readers take every file in figures/ and reports/ for current.",
)
