"""Two axes crossed: counts in the cells, zeros as zeros, absent terms apart, impossible cells hatched."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from corpus.analysis.sparsity.cells import APART, IMPOSSIBLE
from corpus.canvas.paper import MARGIN, Paper, Swatch, fitting, line_height, text_width, wrap
from corpus.canvas.style import GREY, INK, LIGHT, SMALL, TEXT
from corpus.publishing.figures.frame import TermLabel
from corpus.publishing.figures.kinds.heatmap import HeatmapData, Tile

#: Space between the applicable terms and those set apart, in inches.
_GAP = 0.07

#: The narrowest cell, in inches.
_LEAST = 0.14


def draw_heatmap(data: HeatmapData, width: float, title: str) -> Figure:
    """Draw every cell of the two vocabularies, with totals."""
    rows, columns = _last(data.rows, data.row_absent), _last(data.columns, data.column_absent)
    room = 1.55 if width > 5 else 1.0
    # A cell needs this much; a vocabulary with very many terms makes a wider figure than was asked for.
    sheet = Paper(max(width, room + 0.5 + _LEAST * (len(columns) + 1)), title)
    names = {row.id: wrap(row.label, TEXT, room) for row in rows}
    left = MARGIN + max(text_width(line, TEXT) for lines in names.values() for line in lines) + 0.07
    left = max(left, MARGIN + text_width(data.row_name, SMALL, "bold") + 0.1)
    across = min((sheet.right - left - _GAP) / (len(columns) + 1), 0.62)
    places = {c.id: left + across * i + (_GAP if c.id == data.column_absent else 0) for i, c in enumerate(columns)}
    _heads(sheet, data, columns, places, across)
    top = max([tile.entries for tile in data.tiles.values() if tile.status not in (APART, IMPOSSIBLE)] + [1])
    end = left + across * len(columns) + _GAP
    for row in rows:
        height = max(0.235, len(names[row.id]) * line_height(TEXT) + 0.05)
        sheet.y += _GAP if row.id == data.row_absent else 0
        middle = sheet.y + height / 2
        sheet.lines(left - 0.07, middle, names[row.id], TEXT, align="right")
        for column in columns:
            _tile(sheet, data.tiles[row.id, column.id], (places[column.id], sheet.y, across, height), top)
        _number(sheet, end + across / 2, middle, data.row_totals[row.id], across)
        sheet.y += height
    middle = sheet.y + 0.12
    sheet.text(left - 0.07, middle, "all", SMALL, color=GREY, align="right")
    for column in columns:
        _number(sheet, places[column.id] + across / 2, middle, data.column_totals[column.id], across)
    _number(sheet, end + across / 2, middle, data.total, across, weight="bold")
    sheet.y += 0.27
    _key(sheet, data)
    return sheet.figure()


def _last(terms: Sequence[TermLabel], absent: str) -> list[TermLabel]:
    """Return the terms with the absent one at the end."""
    return sorted(terms, key=lambda term: term.id == absent)


def _heads(
    sheet: Paper, data: HeatmapData, columns: Sequence[TermLabel], places: dict[str, float], across: float
) -> None:
    """Name the columns: level where all names fit in two lines, else upright."""
    names = {column.id: wrap(column.label, SMALL, across - 0.04) for column in columns}
    words = max(text_width(word, SMALL) for column in columns for word in column.label.split())
    level = words <= across - 0.04 and max(map(len, names.values())) <= 2
    if level:
        height = line_height(SMALL) * max(map(len, names.values())) + 0.05
    else:
        height = max(text_width(column.label, SMALL) for column in columns) + 0.05
    first = places[columns[0].id]
    sheet.text(first, sheet.y + line_height(SMALL) / 2, data.column_name, SMALL, weight="bold")
    sheet.y += line_height(SMALL) + 0.03 + height
    for column in columns:
        x = places[column.id] + across / 2
        if level:
            middle = sheet.y - 0.03 - line_height(SMALL) * len(names[column.id]) / 2
            sheet.lines(x, middle, names[column.id], SMALL, align="center")
        else:
            sheet.turned(x, sheet.y - 0.03, column.label, SMALL)
    end = places[columns[-1].id] + across * 1.5
    sheet.text(end, sheet.y - 0.03 - line_height(SMALL) / 2, "all", SMALL, color=GREY, align="center")
    sheet.text(
        first - 0.07, sheet.y - 0.03 - line_height(SMALL) / 2, data.row_name, SMALL, weight="bold", align="right"
    )


def _number(
    sheet: Paper, x: float, y: float, number: int, across: float, *, color: str = GREY, weight: str = "normal"
) -> None:
    """Set a number in the middle of a cell, smaller where the cell is too narrow for it."""
    size = fitting(f"{number}", TEXT if weight == "normal" else TEXT * 0.92, across - 0.04)
    sheet.text(x, y, f"{number}", size, color=color, align="center", weight=weight)


def shade(entries: int, top: int, scheme: str = "Blues") -> tuple[str, str]:
    """Return fill and ink of a cell: white for 0, then darker with the square root of the entries."""
    if not entries:
        return "white", GREY
    depth = 0.14 + 0.72 * (min(entries, top) / top) ** 0.5
    return to_hex(matplotlib.colormaps[scheme](depth)), "white" if depth > 0.58 else INK


def _tile(sheet: Paper, tile: Tile, box: tuple[float, float, float, float], top: int) -> None:
    x, y, width, height = box
    if tile.status == IMPOSSIBLE:
        sheet.rect((x, y, width, height), "white", edge=LIGHT, hatch="//////")
        if not tile.entries:
            return
        sheet.rect((x + width * 0.25, y + height * 0.15, width * 0.5, height * 0.7), "white")
        fill, ink = "none", INK
    else:
        fill, ink = shade(tile.entries, top, "Greys" if tile.status == APART else "Blues")
        if tile.status == APART:
            fill, ink = ("#f4f4f4" if not tile.entries else "#dcdcdc"), GREY if not tile.entries else INK
    sheet.rect((x, y, width, height), fill, edge=LIGHT)
    _number(sheet, x + width / 2, y + height / 2, tile.entries, width, color=ink)


def _key(sheet: Paper, data: HeatmapData) -> None:
    statuses = {tile.status for tile in data.tiles.values()}
    items = [Swatch("0 in white: empty, a gap", "white", edge=GREY)]
    if IMPOSSIBLE in statuses:
        items.append(Swatch("cannot occur", "white", "//////", LIGHT))
    if APART in statuses:
        items.append(Swatch("axis not applicable", "#dcdcdc", edge=LIGHT))
    sheet.legend(items)
