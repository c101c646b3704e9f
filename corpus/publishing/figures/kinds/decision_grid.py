"""Anchors by row term and grade, with the names that a figure prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.analysis.sparsity.anchors import anchor_table
from corpus.analysis.sparsity.plan import AnchorsPlan
from corpus.model.study import Study
from corpus.publishing.figures.frame import Frame, TermLabel, Value, term_labels


class DecisionGrid(NamedTuple):
    """Every row term by every grade.

    `cells` hold (key, name in print) of each anchor, empty cells included.
    """

    rows: tuple[TermLabel, ...]
    grades: tuple[TermLabel, ...]
    cells: Mapping[tuple[str, str], tuple[tuple[str, str], ...]]

    def frame(self) -> Frame:
        """Return one row per anchor, and one for every cell without any."""
        rows: list[tuple[Value, ...]] = []
        for (row, grade), anchors in self.cells.items():
            rows += [(row, grade, key, name) for key, name in anchors]
            if not anchors:
                rows.append((row, grade, "", ""))
        return Frame(("row", "grade", "key", "name"), tuple(rows))


def decision_grid(study: Study, plan: AnchorsPlan, labels: Mapping[str, str]) -> DecisionGrid:
    """Cross an evidence table by two of its term columns.

    `labels` are the short names of entries, by key; a marked anchor has an asterisk.
    """
    table = anchor_table(study, plan)
    cells = {}
    for cell, anchors in table.cells.items():
        named = []
        for anchor in anchors:
            mark = "*" if anchor.is_marked else ""
            named.append((anchor.key, labels.get(anchor.key, anchor.key) + mark))
        cells[cell] = tuple(named)
    rows = term_labels(table.rows)
    absent = table.rows.not_applicable
    if not any(anchors for (row, _), anchors in cells.items() if row == absent):
        rows = tuple(row for row in rows if row.id != absent)
        cells = {cell: anchors for cell, anchors in cells.items() if cell[0] != absent}
    return DecisionGrid(rows, term_labels(table.grades), cells)
