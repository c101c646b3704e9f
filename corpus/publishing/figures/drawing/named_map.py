"""Names of entries in the cells of two axes; empty cells are white, impossible ones hatched."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from matplotlib.figure import Figure

from corpus.analysis.sparsity.cells import IMPOSSIBLE
from corpus.canvas.paper import MARGIN, Box, Paper, Swatch, line_height, widest, wrap
from corpus.canvas.style import GREY, LIGHT, SHADES, SMALL, TEXT
from corpus.printing.grid import first_of
from corpus.publishing.figures.frame import TermLabel
from corpus.publishing.figures.kinds.named_map import MapCell, NamedMap

#: So many names are in one cell; the others are counted.
_MOST = 14

#: Narrower figures list the cells below each other: columns of names would be unreadable.
_NARROW = 5.0

#: Below this width a column of names breaks its words; see the list for narrow figures.
_LEAST_COLUMN = 0.62

_HATCH = "//////"
_FILL = SHADES[3]


class _Column(NamedTuple):
    """One column of cells: its term, left end and width in inches."""

    term: TermLabel
    left: float
    width: float


def draw_map(data: NamedMap, width: float, title: str) -> Figure:
    """Draw every cell with the names of its entries, or a list of them on a narrow page."""
    paper = Paper(width, title)
    names = {row.id: wrap(row.label, TEXT, 1.1) for row in data.rows}
    left = MARGIN + widest(chain(*names.values()), TEXT) + 0.1
    columns = _columns(data, left, paper.right)
    if width < _NARROW or not columns:
        _list(paper, data)
    else:
        _heads(paper, data, columns, left)
        for row in data.rows:
            _row(paper, data, row, names[row.id], columns, left)
        paper.y += 0.06
        _key(paper, data)
    if data.elsewhere:
        paper.note(f"{data.elsewhere} entries to which an axis does not apply are not drawn.")
    return paper.figure()


def _columns(data: NamedMap, left: float, right: float) -> list[_Column]:
    """Divide the width: columns without entries are as wide as their heads, the others share."""
    narrow: dict[str, float] = {}
    for column in data.columns:
        if not any(data.cells[row.id, column.id].entries for row in data.rows):
            narrow[column.id] = widest(column.label.split(), SMALL, "bold") + 0.1
    filled = len(data.columns) - len(narrow)
    share = (right - left - sum(narrow.values())) / max(filled, 1)
    if share < _LEAST_COLUMN:
        return []
    columns: list[_Column] = []
    x = left
    for column in data.columns:
        across = narrow.get(column.id, share)
        columns.append(_Column(column, x, across))
        x += across
    return columns


def _heads(paper: Paper, data: NamedMap, columns: list[_Column], left: float) -> None:
    heads = [wrap(column.term.label, SMALL, column.width - 0.06, "bold") for column in columns]
    line = line_height(SMALL)
    height = line * max(map(len, heads)) + 0.05
    paper.text(left, paper.y + line / 2, data.column_name, SMALL, color=GREY)
    paper.y += line + 0.02
    bottom = paper.y + height
    for column, head in zip(columns, heads, strict=True):
        center = column.left + column.width / 2
        paper.lines(center, paper.y + height / 2, head, SMALL, weight="bold", align="center")
    paper.text(left - 0.07, bottom - height / 2, data.row_name, SMALL, color=GREY, align="right")
    paper.y = bottom


def _row(
    paper: Paper,
    data: NamedMap,
    row: TermLabel,
    label: list[str],
    columns: list[_Column],
    left: float,
) -> None:
    cells = [data.cells[row.id, column.term.id] for column in columns]
    names = []
    for cell, column in zip(cells, columns, strict=True):
        names.append(_lines(cell, column.width - 0.08))
    names_height = line_height(SMALL) * max(map(len, names))
    label_height = line_height(TEXT) * len(label)
    height = max(names_height, label_height) + 0.08
    paper.lines(left - 0.07, paper.y + height / 2, label, TEXT, align="right")
    for cell, lines, column in zip(cells, names, columns, strict=True):
        box = (column.left, paper.y, column.width, height)
        _cell(paper, cell, lines, box)
    paper.y += height


def _lines(cell: MapCell, width: float) -> list[str]:
    """Return the lines of a cell, each name on lines of its own."""
    lines: list[str] = []
    for _, name in cell.entries[:_MOST]:
        lines += wrap(name, SMALL, width)
    more = len(cell.entries) - _MOST
    if more > 0:
        lines += wrap(f"and {more} more", SMALL, width)
    return lines


def _cell(paper: Paper, cell: MapCell, lines: list[str], box: Box) -> None:
    x, y, width, height = box
    middle = y + height / 2
    if cell.status == IMPOSSIBLE:
        paper.rect(box, "white", edge=LIGHT, hatch=_HATCH)
        if cell.entries:
            # An entry where none can be is a mistake in the data: its name must be readable.
            inner = (x + 0.02, y + 0.02, width - 0.04, height - 0.04)
            paper.rect(inner, "white")
    else:
        fill = _FILL if cell.entries else "white"
        paper.rect(box, fill, edge=LIGHT)
    if cell.entries:
        paper.lines(x + 0.04, middle, lines, SMALL)
    elif cell.status != IMPOSSIBLE:
        paper.text(x + width / 2, middle, "0", SMALL, color=GREY, align="center")


def _list(paper: Paper, data: NamedMap) -> None:
    """List the filled cells row by row, and after them the terms without entries."""
    indent = MARGIN + 0.1
    for row in data.rows:
        heading = f"{data.row_name}: {row.label}"
        paper.paragraph(heading, MARGIN, paper.right - MARGIN, TEXT, weight="bold")
        empty: list[str] = []
        for column in data.columns:
            cell = data.cells[row.id, column.id]
            if cell.entries:
                number = len(cell.entries)
                names = first_of([name for _, name in cell.entries], _MOST)
                text = f"{column.label} {number}: {names}"
                paper.paragraph(text, indent, paper.right - indent, SMALL)
            elif cell.status != IMPOSSIBLE:
                empty.append(column.label)
        if empty:
            text = f"none with {', '.join(empty)}"
            paper.paragraph(text, indent, paper.right - indent, SMALL, GREY)
        paper.y += 0.03


def _key(paper: Paper, data: NamedMap) -> None:
    """Explain the fills that occur."""
    items = [Swatch("0 in white: empty, a gap", "white", edge=GREY)]
    if any(cell.status == IMPOSSIBLE for cell in data.cells.values()):
        items.append(Swatch("cannot occur", "white", _HATCH, LIGHT))
    paper.legend(items)
