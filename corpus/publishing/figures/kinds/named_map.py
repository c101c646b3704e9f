"""Two axes crossed, with the entries named in the cells."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

from corpus.analysis.sparsity.cells import sparse_table
from corpus.model.codebook import Vocabulary
from corpus.model.study import Study
from corpus.publishing.figures.frame import Frame, TermLabel, Value
from corpus.publishing.figures.plan import MapPlan
from corpus.tables.fast.tally import contingency_of


class MapCell(NamedTuple):
    """One cell: its entries as (key, name in print), and its status.

    The status is one of :mod:`corpus.analysis.sparsity.cells`; no cell of a map is thin.
    """

    entries: tuple[tuple[str, str], ...]
    status: str


class NamedMap(NamedTuple):
    """All cells of two axes but those of "not applicable", which `elsewhere` counts."""

    row_name: str
    column_name: str
    rows: tuple[TermLabel, ...]
    columns: tuple[TermLabel, ...]
    cells: Mapping[tuple[str, str], MapCell]
    elsewhere: int

    def frame(self) -> Frame:
        """Return one row per entry in a cell, and one for every cell without any."""
        rows: list[tuple[Value, ...]] = []
        for (row, column), cell in self.cells.items():
            for key, name in cell.entries:
                rows.append((row, column, cell.status, key, name))
            if not cell.entries:
                rows.append((row, column, cell.status, "", ""))
        return Frame(("row", "column", "status", "key", "name"), tuple(rows))


def named_map(study: Study, plan: MapPlan, labels: Mapping[str, str]) -> NamedMap:
    """Cross two axes over their declared vocabularies; `labels` are short names by key."""
    # With a threshold of 0, no cell is thin: a map shows who is there.
    table = sparse_table(contingency_of(study), (plan.rows, plan.columns), 0)
    down, across = table.margins
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    elsewhere = 0
    for entry in study.entries.values():
        named = (entry.key, labels.get(entry.key, entry.key))
        is_drawn = False
        for row_term, column_term in product(entry.terms(plan.rows), entry.terms(plan.columns)):
            has_row = row_term != down.vocabulary.not_applicable
            has_column = column_term != across.vocabulary.not_applicable
            if has_row and has_column:
                found.setdefault((row_term, column_term), []).append(named)
                is_drawn = True
        elsewhere += not is_drawn
    rows = _applicable(down.vocabulary)
    columns = _applicable(across.vocabulary)
    cells: dict[tuple[str, str], MapCell] = {}
    for row, column in product(rows, columns):
        place = (row.id, column.id)
        names = tuple(found.get(place, ()))
        cells[place] = MapCell(names, table.cells[place].status)
    return NamedMap(down.column.label, across.column.label, rows, columns, cells, elsewhere)


def _applicable(vocabulary: Vocabulary) -> tuple[TermLabel, ...]:
    labels: list[TermLabel] = []
    for term in vocabulary.terms:
        if term.id != vocabulary.not_applicable:
            labels.append(TermLabel(term.id, term.label))
    return tuple(labels)
