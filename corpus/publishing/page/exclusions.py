"""The exclusion log by stage, the corrections by column."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.publishing.page.sections import ShownCell, shown_cell, shown_table

#: Roles of the columns that a record shows apart from the others.
_APART = ("title", "reason", "stage")


class Note(NamedTuple):
    """A row of another table about a record: the title of that table, and the row's cells that hold anything."""

    title: str
    cells: tuple[ShownCell, ...]


class ExcludedRecord(NamedTuple):
    """One excluded record: its title, the reason, its other cells, and what other tables say about it."""

    title: str
    reason: str
    details: tuple[ShownCell, ...]
    notes: tuple[Note, ...]


class ExclusionStage(NamedTuple):
    """The records that one stage of screening excluded."""

    id: str
    label: str
    definition: str
    records: tuple[ExcludedRecord, ...]


class ExclusionLog(NamedTuple):
    """An exclusion log as the page shows it."""

    spec: TableSpec
    stages: tuple[ExclusionStage, ...]

    @property
    def records(self) -> int:
        """How many records were excluded."""
        return sum(len(stage.records) for stage in self.stages)


def exclusion_log(corpus: Study, table: Table) -> ExclusionLog:
    """Divide an exclusion log by stage, in the order of the vocabulary; one part where it has no stages."""
    spec, notes = table.spec, _notes_on(corpus, table)
    records = [_record(row, spec, corpus.codebook, notes.get(table.key_of(row)[0], ())) for row in table.rows]
    column = spec.by_role("stage")
    if column is None or column.type != "term":
        return ExclusionLog(spec, (ExclusionStage("all", spec.title, "", tuple(records)),))
    at = table.column(column.name)
    return ExclusionLog(
        spec,
        tuple(
            ExclusionStage(
                term.id, term.label, term.definition, tuple(r for r, s in zip(records, at, strict=True) if s == term.id)
            )
            for term in corpus.codebook.vocabulary_of(column).terms
        ),
    )


def _record(row: Row, spec: TableSpec, book: Codebook, notes: tuple[Note, ...]) -> ExcludedRecord:
    apart = {column.role: cell for column, cell in zip(spec.columns, row, strict=True) if column.role in _APART}
    details = tuple(
        shown_cell(cell, column, book)
        for column, cell in zip(spec.columns, row, strict=True)
        if cell and column.role not in _APART
    )
    return ExcludedRecord(apart.get("title", row[0]), apart.get("reason", ""), details, notes)


def _notes_on(corpus: Study, target: Table) -> dict[str, tuple[Note, ...]]:
    """Return what other tables say about the rows of `target`, by key: their cells without the key itself."""
    found: dict[str, tuple[Note, ...]] = {}
    for table in corpus.tables.values():
        at = next(table.spec.references_to(target.spec), None)
        if at is None:
            continue
        shown = shown_table(table, corpus.codebook, (table.spec.columns[at].name,))
        for row, cells in zip(table.rows, shown.rows, strict=True):
            note = Note(shown.title, tuple(cell for cell in cells if cell.text))
            found[row[at]] = (*found.get(row[at], ()), note)
    return found


def changed_columns(table: Table, pool: TableSpec) -> list[tuple[str, int]]:
    """Count a table of corrections by the label of the column that was corrected, most frequent first."""
    column = table.spec.by_role("column")
    if column is None:
        return []
    labels = {c.name: c.label for c in pool.columns}
    return Counter(labels.get(name, name) for name in table.column(column.name)).most_common()
