"""The rules that a store of many traces is checked against: OT301 and up."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

DAMAGED_STORE = Rule(
    "OT301",
    ERROR,
    "Damaged store",
    "{problem}",
    "restore the file from a copy, or ingest the traces again into a new store",
    "Measures are computed from the files of a store; one that is missing, cut short or not "
    "what the manifest states would give wrong numbers without a word.",
)
FOREIGN_STORE = Rule(
    "OT302",
    ERROR,
    "Not a store that this version reads",
    "{problem}",
    "name a folder that `corpus trace ingest` made, or ingest the traces again with this version",
    "Columns change their meaning between versions of the store; guessing would mix them.",
)
WORKERS = Rule(
    "OT303",
    ERROR,
    "Workers do not fit or fail",
    "{problem}",
    "{remedy}",
    "Results are the same on any number of machines only if all of them run the same program "
    "and see the same files.",
)
