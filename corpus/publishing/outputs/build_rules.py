"""What can be wrong with generated files."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

MISSING = Rule(
    "B101",
    ERROR,
    "Generated file is missing",
    "the file is not there",
    "run `corpus build` and commit what it writes",
    "figures/ and reports/ are committed, so that a reader sees numbers and figures without running anything.",
)
STALE = Rule(
    "B102",
    ERROR,
    "Generated file is stale",
    "the file is not what `corpus build` writes now: {why}",
    "run `corpus build` and commit what it writes; never edit the file by hand",
    "A number in print that no longer follows from the data is wrong, and nobody sees it.",
)
ORPHAN = Rule(
    "B103",
    ERROR,
    "File that nothing generates",
    "nothing in this corpus makes the file",
    "remove it, or move it out of the folder of generated files",
    "What lies in figures/ and reports/ is taken for current; a file that no command makes any more never is.",
)
