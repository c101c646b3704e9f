"""Two axes crossed, every cell with its status, as a heatmap draws them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.analysis.sparsity.cells import sparse_table
from corpus.model.study import Study
from corpus.publishing.figures.frame import Frame, TermLabel, Value, term_labels
from corpus.publishing.figures.plan import HeatmapPlan
from corpus.tables.fast.tally import contingency_of


class Tile(NamedTuple):
    """One cell: its entries and its status.

    The status is one of :mod:`corpus.analysis.sparsity.cells`; no cell of a heatmap is thin.
    """

    entries: int
    status: str


class HeatmapData(NamedTuple):
    """All cells of two axes.

    `row_absent` and `column_absent` are the terms that mean "not applicable", empty where there is
    none.
    """

    row_name: str
    column_name: str
    rows: tuple[TermLabel, ...]
    columns: tuple[TermLabel, ...]
    row_absent: str
    column_absent: str
    tiles: Mapping[tuple[str, str], Tile]
    row_totals: Mapping[str, int]
    column_totals: Mapping[str, int]
    total: int

    def frame(self) -> Frame:
        """Return one row per cell."""
        rows: list[tuple[Value, ...]] = []
        for (row, column), tile in self.tiles.items():
            rows.append((row, column, tile.entries, tile.status))
        return Frame(("row", "column", "entries", "status"), tuple(rows))


def heatmap(study: Study, plan: HeatmapPlan, _labels: Mapping[str, str]) -> HeatmapData:
    """Cross two axes over their declared vocabularies."""
    counted = contingency_of(study)
    # With a threshold of 0, no cell is thin: a heatmap shows the number itself.
    table = sparse_table(counted, (plan.rows, plan.columns), 0)
    down, across = table.margins
    tiles = {}
    for cell in table.cells.values():
        row, column = cell.terms
        tiles[row, column] = Tile(cell.entries, cell.status)
    return HeatmapData(
        row_name=down.column.label,
        column_name=across.column.label,
        rows=term_labels(down.vocabulary),
        columns=term_labels(across.vocabulary),
        row_absent=down.vocabulary.not_applicable,
        column_absent=across.vocabulary.not_applicable,
        tiles=tiles,
        row_totals={row.term: row.entries for row in down.rows},
        column_totals={row.term: row.entries for row in across.rows},
        total=down.entries,
    )
