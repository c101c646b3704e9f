"""Two axes crossed: counts in the cells, zeros as zeros, impossible cells hatched.

The terms that mean "not applicable" are drawn last, apart from the others.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from corpus.analysis.sparsity.cells import (
    EMPTY,
    FILLED,
    IMPOSSIBLE,
    NOT_APPLICABLE,
    SparseCell,
    SparseTable,
    sparse_table,
)
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
from corpus.canvas.style import GREY, INK, LIGHT, TEXT, readable_ink
from corpus.model.codebook import Term
from corpus.model.documents.section import Section
from corpus.model.study import Study
from corpus.publishing.figures.plan import (
    HATCH,
    Counting,
    Frame,
    Value,
    cell_swatches,
    row_names,
    two_axes,
)
from corpus.tables.fast.tally import contingency_of

#: In inches: the space before "not applicable", the narrowest and the widest cell.
_GAP, _NARROWEST, _WIDEST = 0.07, 0.14, 0.62


def read_heatmap(section: Section) -> Counting:
    """Read both axes. With a threshold of 0 no cell is thin: a heatmap shows the number."""
    axes = two_axes(section)

    def count(study: Study) -> Heatmap:
        return Heatmap(sparse_table(contingency_of(study), axes, 0))

    return count


class Heatmap(NamedTuple):
    """All cells of two axes."""

    table: SparseTable

    def frame(self) -> Frame:
        """Return one row per cell."""
        rows: list[tuple[Value, ...]] = []
        for cell in self.table.cells.values():
            rows.append((*cell.terms, cell.entries, cell.status))
        return Frame(("row", "column", "entries", "status"), rows)

    def draw(self, width: float, title: str) -> Paper:
        """Draw every cell of the two vocabularies, with totals."""
        down, across = self.table.margins
        rows, terms = down.vocabulary.absent_last, across.vocabulary.absent_last
        longest_name = 1.55 if width > 5 else 1.0
        # A vocabulary with very many terms makes a wider figure than was asked for.
        needed = longest_name + 0.5 + _NARROWEST * (len(terms) + 1)
        paper = Paper(max(width, needed), title)
        names, left = row_names(rows, longest_name)
        left = max(left + 0.07, MARGIN + text_width(down.column.label, weight="bold") + 0.1)
        cell_width = min((paper.right - left - _GAP) / (len(terms) + 1), _WIDEST)
        x: dict[str, float] = {}
        for position, term in enumerate(terms):
            is_apart = term.id == across.vocabulary.not_applicable
            x[term.id] = left + cell_width * position + _GAP * is_apart
        totals = left + cell_width * len(terms) + _GAP + cell_width / 2
        _heads(paper, terms, x, cell_width, (down.column.label, across.column.label))

        shaded = self.table.having(FILLED, EMPTY)
        top = max([cell.entries for cell in shaded], default=1)
        for row in rows:
            height = max(0.235, len(names[row.id]) * line_height(TEXT) + 0.05)
            if row.id == down.vocabulary.not_applicable:
                paper.y += _GAP
            middle = paper.y + height / 2
            paper.lines(left - 0.07, middle, names[row.id], TEXT, align="right")
            for term in terms:
                box = (x[term.id], paper.y, cell_width, height)
                _tile(paper, self.table.cells[row.id, term.id], box, max(top, 1))
            _number(paper, totals, middle, down.of(row.id), cell_width)
            paper.y += height

        middle = paper.y + 0.12
        paper.text(left - 0.07, middle, "all", color=GREY, align="right")
        for term in terms:
            _number(paper, x[term.id] + cell_width / 2, middle, across.of(term.id), cell_width)
        # Bold digits are wider than those that are measured.
        _number(paper, totals, middle, down.entries, cell_width, largest=TEXT * 0.92, weight="bold")
        paper.y += 0.27

        items = cell_swatches(self.table.number(IMPOSSIBLE) > 0)
        if self.table.number(NOT_APPLICABLE):
            items.append(Swatch("axis not applicable", "#dcdcdc", edge=LIGHT))
        paper.legend(items)
        return paper


def _heads(
    paper: Paper, terms: Sequence[Term], left: dict[str, float], width: float, axes: tuple[str, str]
) -> None:
    """Name the columns: level where all names fit in two lines, else upright."""
    usable = width - 0.04
    line = line_height()
    labels = [term.label for term in terms]
    names = [wrap(label, usable) for label in labels]
    most_lines = max(map(len, names))
    level = most_lines <= 2 and widest(" ".join(labels).split()) <= usable
    height = line * most_lines if level else widest(labels)

    first = left[terms[0].id]
    paper.text(first, paper.y + line / 2, axes[1], weight="bold")
    paper.y += line + 0.03 + (height + 0.05)
    for term, lines in zip(terms, names, strict=True):
        x = left[term.id] + width / 2
        if level:
            middle = paper.y - 0.03 - line * len(lines) / 2
            paper.lines(x, middle, lines, align="center")
        else:
            paper.text(x, paper.y - 0.03, term.label, is_upright=True)

    middle = paper.y - 0.03 - line / 2
    of_totals = left[terms[-1].id] + width * 1.5
    paper.text(of_totals, middle, "all", color=GREY, align="center")
    paper.text(first - 0.07, middle, axes[0], weight="bold", align="right")


def _number(
    paper: Paper,
    x: float,
    y: float,
    number: int,
    width: float,
    ink: str = GREY,
    largest: float = TEXT,
    **style: Any,
) -> None:
    """Set a number in the middle of a cell, smaller where the cell is too narrow for it."""
    size = fitting(f"{number}", largest, width - 0.04)
    paper.text(x, y, f"{number}", size, ink, align="center", **style)


def shade(entries: int, top: int) -> tuple[str, str]:
    """Return fill and ink of a cell: white for 0, then darker with the square root of the entries.

    Parameters
    ----------
    entries, top : int
        Entries of the cell, and of the fullest one.
    """
    # Slow to import; the data of a heatmap do not need it.
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    if not entries:
        return "white", GREY
    # The ends of the colour map are left out: too pale to see, too dark to read on.
    depth = 0.14 + 0.72 * (min(entries, top) / top) ** 0.5
    fill = to_hex(colormaps["Blues"](depth))
    return fill, readable_ink(fill)


def _tile(paper: Paper, cell: SparseCell, box: Box, top: int) -> None:
    x, y, width, height = box
    fill, ink = shade(cell.entries, top)
    if cell.status == IMPOSSIBLE:
        paper.rect(box, "white", edge=LIGHT, hatch=HATCH)
        if not cell.entries:
            return
        # An entry where none can be is a mistake in the data: its number must be readable.
        behind_number = (x + width * 0.25, y + height * 0.15, width * 0.5, height * 0.7)
        paper.rect(behind_number, "white")
        fill, ink = "none", INK
    elif cell.status == NOT_APPLICABLE:
        fill, ink = ("#dcdcdc", INK) if cell.entries else ("#f4f4f4", GREY)
    paper.rect(box, fill, edge=LIGHT)
    _number(paper, x + width / 2, y + height / 2, cell.entries, width, ink)
