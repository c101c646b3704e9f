"""Two axes crossed, every cell with its status, as a heatmap draws them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.analysis.sparsity.cells import sparse_table
from corpus.model.contingency import Contingency
from corpus.publishing.figures.frame import Frame, TermLabel, Value
from corpus.publishing.figures.plan import HeatmapPlan


class Tile(NamedTuple):
    """One cell: its entries and its status (see :class:`corpus.analysis.sparsity.cells.Cell`; nothing is thin here)."""

    entries: int
    status: str


class HeatmapData(NamedTuple):
    """All cells of two axes; `row_absent` and `column_absent` are the terms set apart, empty where there is none."""

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
        """Return one row a cell."""
        rows: list[tuple[Value, ...]] = [(*cell, *tile) for cell, tile in self.tiles.items()]
        return Frame(("row", "column", "entries", "status"), tuple(rows))


def heatmap(counted: Contingency, plan: HeatmapPlan) -> HeatmapData:
    """Cross two axes over their declared vocabularies."""
    table = sparse_table(counted, (plan.rows, plan.columns), 0)
    down, across = table.margins
    tiles = {(cell.terms[0], cell.terms[1]): Tile(cell.entries, cell.status) for cell in table.cells.values()}
    return HeatmapData(
        down.column.label,
        across.column.label,
        tuple(TermLabel(term.id, term.label) for term in down.vocabulary.terms),
        tuple(TermLabel(term.id, term.label) for term in across.vocabulary.terms),
        down.vocabulary.not_applicable,
        across.vocabulary.not_applicable,
        tiles,
        {row.term: row.entries for row in down.rows},
        {row.term: row.entries for row in across.rows},
        down.entries,
    )
