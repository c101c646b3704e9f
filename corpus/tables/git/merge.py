"""Three-way merge of a table by rows and cells, as version control asks for it."""

from __future__ import annotations

from typing import NamedTuple

from corpus.model.codebook import TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.table import Row, Table
from corpus.tables.reader import unique_key_findings
from corpus.tables.writing.writer import csv_text


class CellConflict(NamedTuple):
    """A cell that both sides changed differently; `column` is empty where a whole row is meant."""

    key: str
    column: str
    base: str
    ours: str
    theirs: str


class MergedTable(NamedTuple):
    """The merged file, with conflict markers around the rows that have `conflicts`, and these."""

    text: str
    conflicts: list[CellConflict]


class _MergedRow(NamedTuple):
    """The merged row as each side gets it, equal without conflicts; None for a removed row."""

    ours: Row | None
    theirs: Row | None
    conflicts: list[CellConflict]


def merge_tables(base: Table, ours: Table, theirs: Table) -> MergedTable:
    """Merge two changes of one table.

    Rows are matched by key, cells by column: additions of both sides are kept, edits of different
    cells are joined, a removal wins over no change. What both sides changed differently is a
    conflict, and its row is written twice between markers, with all cells merged that can be.

    Raises
    ------
    CorpusError
        C301 where a key appears twice in one of the tables: of its rows only one would be kept.
    """
    duplicates: list[Finding] = []
    for table in (base, ours, theirs):
        duplicates += unique_key_findings(table)
    if duplicates:
        raise CorpusError(duplicates)
    spec = base.spec
    before = base.by_key()
    left = ours.by_key()
    right = theirs.by_key()
    parts = [csv_text([spec.header])]
    conflicts: list[CellConflict] = []
    for key in sorted({*before, *left, *right}):
        versions = (before.get(key), left.get(key), right.get(key))
        merged = _merge_row(spec, key, *versions)
        if not merged.conflicts:
            parts.append(_line(merged.ours))
            continue
        conflicts += merged.conflicts
        parts.append("<<<<<<< ours\n")
        parts.append(_line(merged.ours))
        parts.append("=======\n")
        parts.append(_line(merged.theirs))
        parts.append(">>>>>>> theirs\n")
    return MergedTable("".join(parts), conflicts)


def _line(row: Row | None) -> str:
    return csv_text([row]) if row is not None else ""


def _merge_row(
    spec: TableSpec, key: Row, base: Row | None, ours: Row | None, theirs: Row | None
) -> _MergedRow:
    if ours == theirs or theirs == base:
        return _MergedRow(ours, ours, [])
    if ours == base:
        return _MergedRow(theirs, theirs, [])
    name = ", ".join(key)
    # One side removed what the other changed.
    if ours is None:
        return _MergedRow(ours, theirs, [CellConflict(name, "", "", "removed", "changed")])
    if theirs is None:
        return _MergedRow(ours, theirs, [CellConflict(name, "", "", "changed", "removed")])
    left = []
    right = []
    conflicts = []
    before = base or ("",) * len(spec.columns)
    for column, was, mine, other in zip(spec.header, before, ours, theirs, strict=True):
        if mine == other or other == was:
            left.append(mine)
            right.append(mine)
        elif mine == was:
            left.append(other)
            right.append(other)
        else:
            left.append(mine)
            right.append(other)
            conflicts.append(CellConflict(name, column, was, mine, other))
    # Two new rows of one key may be two records: their cells are not mixed.
    if base is None:
        both_added = CellConflict(name, "", "", "added", "added")
        return _MergedRow(ours, theirs, conflicts or [both_added])
    return _MergedRow(tuple(left), tuple(right), conflicts)
