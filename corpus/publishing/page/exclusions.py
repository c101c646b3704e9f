"""The exclusion log by stage, the corrections by column."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from corpus.model.codebook import Codebook, TableSpec, Term
from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.publishing.figures.plan import NOT_GIVEN
from corpus.publishing.page.sections import ShownCell, shown_cell, shown_table

#: Roles of the columns that are not details of a record: heading, text and section show them.
_SHOWN_BY_LAYOUT = ("title", "reason", "stage")

#: In the address of the records without a stage.
_NO_STAGE = "not-given"

#: A row of another table about a record: the title of that table, and the filled cells.
Note = tuple[str, tuple[ShownCell, ...]]


class ExcludedRecord(NamedTuple):
    """One excluded record.

    Its title, the reason, its other cells, and rows of other tables: their title and cells.
    """

    title: str
    reason: str
    details: tuple[ShownCell, ...]
    notes: tuple[Note, ...]


def excluded_by_stage(study: Study, table: Table) -> list[tuple[Term, list[ExcludedRecord]]]:
    """Divide an exclusion log by stage, in the order of the vocabulary.

    It has one part where the log has no stages.
    """
    spec = table.spec
    notes = _notes_on(study, table)
    records: list[ExcludedRecord] = []
    for key, row in zip(table.column(spec.key[0]), table.rows, strict=True):
        records.append(_record(row, spec, study.codebook, tuple(notes.get(key, ()))))
    column = spec.by_role("stage")
    if column is None or column.type != "term":
        return [(Term("all", spec.title, "", ""), records)]
    by_stage: dict[str, list[ExcludedRecord]] = {}
    for stage, record in zip(table.column(column.name), records, strict=True):
        by_stage.setdefault(stage, []).append(record)
    terms = study.codebook.vocabulary_of(column).terms
    stages = [(term, by_stage.get(term.id, [])) for term in terms]
    # A record without a stage was excluded all the same.
    if "" in by_stage:
        stages.append((Term(_NO_STAGE, NOT_GIVEN, "", ""), by_stage[""]))
    return stages


def _record(row: Row, spec: TableSpec, book: Codebook, notes: tuple[Note, ...]) -> ExcludedRecord:
    by_role: dict[str, str] = {}
    details: list[ShownCell] = []
    for column, cell in zip(spec.columns, row, strict=True):
        if column.role in _SHOWN_BY_LAYOUT:
            by_role[column.role] = cell
        elif cell:
            details.append(shown_cell(cell, column, book))
    title, reason = by_role.get("title", row[0]), by_role.get("reason", "")
    return ExcludedRecord(title, reason, tuple(details), notes)


def _notes_on(study: Study, target: Table) -> dict[str, list[Note]]:
    """Return the rows of other tables about those of `target`, by key, without the key itself."""
    found: dict[str, list[Note]] = {}
    for table in study.tables.values():
        reference = table.spec.reference_to(target.spec)
        if reference is None:
            continue
        shown = shown_table(table, study.codebook, (reference.name,))
        for key, cells in zip(table.column(reference.name), shown.rows, strict=True):
            filled = tuple(cell for cell in cells if cell.text)
            found.setdefault(key, []).append((shown.title, filled))
    return found


def changed_columns(table: Table, pool: TableSpec) -> list[tuple[str, int]]:
    """Count a table of corrections by the label of the corrected column, most frequent first."""
    column = table.spec.by_role("column")
    if column is None:
        return []
    labels = {column.name: column.label for column in pool.columns}
    names = table.column(column.name)
    return Counter(labels.get(name, name) for name in names).most_common()
