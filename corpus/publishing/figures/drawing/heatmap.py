"""Two axes crossed: counts in the cells, zeros as zeros, impossible cells hatched.

The terms that mean "not applicable" are drawn last, apart from the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import matplotlib
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from corpus.analysis.sparsity.cells import IMPOSSIBLE, NOT_APPLICABLE
from corpus.canvas.paper import (
    MARGIN,
    Box,
    Paper,
    Swatch,
    fitting,
    line_height,
    text_width,
    widest,
    wrap,
)
from corpus.canvas.style import GREY, INK, LIGHT, SMALL, TEXT
from corpus.publishing.figures.drawing.contrast import readable_ink
from corpus.publishing.figures.frame import TermLabel
from corpus.publishing.figures.kinds.heatmap import HeatmapData, Tile

#: Space between the applicable terms and "not applicable", in inches.
_GAP = 0.07

#: The narrowest cell, in inches.
_NARROWEST = 0.14

#: The widest cell, in inches.
_WIDEST = 0.62

_HATCH = "//////"


class _HeatColumns(NamedTuple):
    """The columns of cells: their terms, left ends and width in inches."""

    terms: Sequence[TermLabel]
    left: dict[str, float]
    width: float
    totals: float

    def middle(self, term: str) -> float:
        return self.left[term] + self.width / 2


def draw_heatmap(data: HeatmapData, width: float, title: str) -> Figure:
    """Draw every cell of the two vocabularies, with totals."""
    rows = _absent_last(data.rows, data.row_absent)
    terms = _absent_last(data.columns, data.column_absent)
    longest_name = 1.55 if width > 5 else 1.0
    # A vocabulary with very many terms makes a wider figure than was asked for.
    needed = longest_name + 0.5 + _NARROWEST * (len(terms) + 1)
    paper = Paper(max(width, needed), title)
    names = {row.id: wrap(row.label, TEXT, longest_name) for row in rows}
    left = MARGIN + widest(chain(*names.values()), TEXT) + 0.07
    left = max(left, MARGIN + text_width(data.row_name, SMALL, "bold") + 0.1)
    columns = _columns(data, terms, left, paper.right)
    _heads(paper, data, columns)
    top = _most_entries(data)
    for row in rows:
        name = names[row.id]
        height = max(0.235, len(name) * line_height(TEXT) + 0.05)
        if row.id == data.row_absent:
            paper.y += _GAP
        middle = paper.y + height / 2
        paper.lines(left - 0.07, middle, name, TEXT, align="right")
        for term in terms:
            box = (columns.left[term.id], paper.y, columns.width, height)
            _tile(paper, data.tiles[row.id, term.id], box, top)
        _number(paper, columns.totals, middle, data.row_totals[row.id], columns.width)
        paper.y += height

    middle = paper.y + 0.12
    paper.text(left - 0.07, middle, "all", SMALL, color=GREY, align="right")
    for term in terms:
        total = data.column_totals[term.id]
        _number(paper, columns.middle(term.id), middle, total, columns.width)
    _number(paper, columns.totals, middle, data.total, columns.width, weight="bold")
    paper.y += 0.27
    _key(paper, data)
    return paper.figure()


def _absent_last(terms: Sequence[TermLabel], absent: str) -> list[TermLabel]:
    """Return the terms with "not applicable" at the end."""
    return sorted(terms, key=lambda term: term.id == absent)


def _columns(
    data: HeatmapData, terms: Sequence[TermLabel], left: float, right: float
) -> _HeatColumns:
    """Divide the width among the columns and the one of the totals."""
    share = (right - left - _GAP) / (len(terms) + 1)
    width = min(share, _WIDEST)
    starts = {}
    for position, term in enumerate(terms):
        starts[term.id] = left + width * position
        if term.id == data.column_absent:
            starts[term.id] += _GAP
    end = left + width * len(terms) + _GAP
    return _HeatColumns(terms, starts, width, end + width / 2)


def _most_entries(data: HeatmapData) -> int:
    """Return the entries of the fullest cell that is shaded; at least 1."""
    unshaded = (NOT_APPLICABLE, IMPOSSIBLE)
    numbers = [tile.entries for tile in data.tiles.values() if tile.status not in unshaded]
    return max([*numbers, 1])


def _heads(paper: Paper, data: HeatmapData, columns: _HeatColumns) -> None:
    """Name the columns: level where all names fit in two lines, else upright."""
    usable = columns.width - 0.04
    line = line_height(SMALL)
    labels = [term.label for term in columns.terms]
    names = {term.id: wrap(term.label, SMALL, usable) for term in columns.terms}
    most_lines = max(map(len, names.values()))
    words = chain(*(label.split() for label in labels))
    level = most_lines <= 2 and widest(words, SMALL) <= usable
    if level:
        height = line * most_lines + 0.05
    else:
        height = widest(labels, SMALL) + 0.05

    first = columns.left[columns.terms[0].id]
    paper.text(first, paper.y + line / 2, data.column_name, SMALL, weight="bold")
    paper.y += line + 0.03 + height
    for term in columns.terms:
        x = columns.middle(term.id)
        if level:
            lines = names[term.id]
            middle = paper.y - 0.03 - line * len(lines) / 2
            paper.lines(x, middle, lines, SMALL, align="center")
        else:
            paper.upright(x, paper.y - 0.03, term.label, SMALL)

    last = columns.left[columns.terms[-1].id]
    middle = paper.y - 0.03 - line / 2
    of_totals = last + columns.width * 1.5
    paper.text(of_totals, middle, "all", SMALL, color=GREY, align="center")
    paper.text(first - 0.07, middle, data.row_name, SMALL, weight="bold", align="right")


def _number(
    paper: Paper,
    x: float,
    y: float,
    number: int,
    width: float,
    *,
    color: str = GREY,
    weight: str = "normal",
) -> None:
    """Set a number in the middle of a cell, smaller where the cell is too narrow for it."""
    # Bold digits are wider than those that are measured.
    largest = TEXT if weight == "normal" else TEXT * 0.92
    size = fitting(f"{number}", largest, width - 0.04)
    paper.text(x, y, f"{number}", size, color=color, align="center", weight=weight)


def shade(entries: int, top: int) -> tuple[str, str]:
    """Return fill and ink of a cell: white for 0, then darker with the square root of the entries.

    Parameters
    ----------
    entries, top : int
        Entries of the cell, and of the fullest one.
    """
    if not entries:
        return "white", GREY
    # The ends of the colour map are left out: too pale to see, too dark to read on.
    depth = 0.14 + 0.72 * (min(entries, top) / top) ** 0.5
    fill = to_hex(matplotlib.colormaps["Blues"](depth))
    return fill, readable_ink(fill)


def _tile(paper: Paper, tile: Tile, box: Box, top: int) -> None:
    x, y, width, height = box
    if tile.status == IMPOSSIBLE:
        paper.rect(box, "white", edge=LIGHT, hatch=_HATCH)
        if not tile.entries:
            return
        # An entry where none can be is a mistake in the data: its number must be readable.
        behind_number = (x + width * 0.25, y + height * 0.15, width * 0.5, height * 0.7)
        paper.rect(behind_number, "white")
        fill, ink = "none", INK
    elif tile.status == NOT_APPLICABLE and tile.entries:
        fill, ink = "#dcdcdc", INK
    elif tile.status == NOT_APPLICABLE:
        fill, ink = "#f4f4f4", GREY
    else:
        fill, ink = shade(tile.entries, top)
    paper.rect(box, fill, edge=LIGHT)
    _number(paper, x + width / 2, y + height / 2, tile.entries, width, color=ink)


def _key(paper: Paper, data: HeatmapData) -> None:
    """Explain the fills that occur."""
    statuses = {tile.status for tile in data.tiles.values()}
    items = [Swatch("0 in white: empty, a gap", "white", edge=GREY)]
    if IMPOSSIBLE in statuses:
        items.append(Swatch("cannot occur", "white", _HATCH, LIGHT))
    if NOT_APPLICABLE in statuses:
        items.append(Swatch("axis not applicable", "#dcdcdc", edge=LIGHT))
    paper.legend(items)
