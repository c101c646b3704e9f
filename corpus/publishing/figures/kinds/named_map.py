"""Names of entries in the cells of two axes; empty cells are white, impossible ones hatched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, product
from typing import NamedTuple

from corpus.analysis.sparsity.cells import IMPOSSIBLE, SparseTable, sparse_table
from corpus.canvas.paper import MARGIN, Box, Paper, Swatch, line_height, widest, wrap
from corpus.canvas.style import GREY, LIGHT, SHADES, SMALL, TEXT
from corpus.model.codebook import Term
from corpus.model.contingency import Margin
from corpus.model.documents.section import Section
from corpus.model.study import Study
from corpus.printing.grid import first_of
from corpus.publishing.figures.plan import HATCH, Frame, Value, two_axes
from corpus.tables.fast.tally import contingency_of

#: So many names are in one cell; the others are counted.
_MOST = 14

#: Narrower figures list the cells below each other: columns of names would be unreadable.
_NARROW = 5.0

#: Below this width a column of names breaks its words; see the list for narrow figures.
_LEAST_COLUMN = 0.62


class MapPlan(NamedTuple):
    """Two axes with the entries named in the cells."""

    rows: str
    columns: str

    @classmethod
    def read(cls, section: Section) -> MapPlan:
        """Read both axes."""
        return cls(*two_axes(section))

    def data(self, study: Study, labels: Mapping[str, str]) -> NamedMap:
        """Cross the axes; with a threshold of 0 no cell is thin: a map shows who is there."""
        table = sparse_table(contingency_of(study), (self.rows, self.columns), 0)
        down, across = table.margins
        places = product(_applicable(down), _applicable(across))
        names: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for row, column in places:
            names[row.id, column.id] = []
        elsewhere = 0
        for entry in study.entries.values():
            cells = list(product(entry.terms(self.rows), entry.terms(self.columns)))
            for cell in cells:
                if cell in names:
                    names[cell].append((entry.key, labels.get(entry.key, entry.key)))
            elsewhere += names.keys().isdisjoint(cells)
        return NamedMap(table, names, elsewhere)


class NamedMap(NamedTuple):
    """All cells of two axes but those of "not applicable", which `elsewhere` counts.

    `names` has (key, name in print) of the entries of each cell, also of those without any.
    """

    table: SparseTable
    names: Mapping[tuple[str, str], Sequence[tuple[str, str]]]
    elsewhere: int

    def frame(self) -> Frame:
        """Return one row per entry in a cell, and one for every cell without any."""
        rows: list[tuple[Value, ...]] = []
        for cell, names in self.names.items():
            status = self.table.cells[cell].status
            rows += [(*cell, status, *name) for name in names or [("", "")]]
        return Frame(("row", "column", "status", "key", "name"), tuple(rows))

    def draw(self, width: float, title: str) -> Paper:
        """Draw every cell with the names of its entries, or a list of them on a narrow page."""
        paper = Paper(width, title)
        down, _ = self.table.margins
        rows = _applicable(down)
        labels = {row.id: wrap(row.label, TEXT, 1.1) for row in rows}
        left = MARGIN + widest(chain(*labels.values()), TEXT) + 0.1
        columns = self._columns(left, paper.right)
        if width < _NARROW or not columns:
            self._list(paper)
        else:
            self._heads(paper, columns, left)
            for row in rows:
                self._row(paper, row, labels[row.id], columns, left)
            paper.y += 0.06
            items = [Swatch("0 in white: empty, a gap", "white", edge=GREY)]
            if any(self.table.cells[cell].status == IMPOSSIBLE for cell in self.names):
                items.append(Swatch("cannot occur", "white", HATCH, LIGHT))
            paper.legend(items)
        if self.elsewhere:
            paper.note(f"{self.elsewhere} entries to which an axis does not apply are not drawn.")
        return paper

    def _columns(self, left: float, right: float) -> list[_Column]:
        """Divide the width: columns without entries are as wide as their heads, others share."""
        down, across = self.table.margins
        terms = _applicable(across)
        narrow: dict[str, float] = {}
        for term in terms:
            if not any(self.names[row.id, term.id] for row in _applicable(down)):
                narrow[term.id] = widest(term.label.split(), SMALL, "bold") + 0.1
        share = (right - left - sum(narrow.values())) / max(len(terms) - len(narrow), 1)
        columns: list[_Column] = []
        if share < _LEAST_COLUMN:
            return columns
        x = left
        for term in terms:
            columns.append(_Column(term, x, narrow.get(term.id, share)))
            x += columns[-1].width
        return columns

    def _heads(self, paper: Paper, columns: list[_Column], left: float) -> None:
        down, across = self.table.margins
        heads = [wrap(column.term.label, SMALL, column.width - 0.06, "bold") for column in columns]
        line = line_height(SMALL)
        height = line * max(map(len, heads)) + 0.05
        paper.text(left, paper.y + line / 2, across.column.label, SMALL, color=GREY)
        paper.y += line + 0.02
        bottom = paper.y + height
        for column, head in zip(columns, heads, strict=True):
            center = column.left + column.width / 2
            paper.lines(center, paper.y + height / 2, head, SMALL, weight="bold", align="center")
        name = down.column.label
        paper.text(left - 0.07, bottom - height / 2, name, SMALL, color=GREY, align="right")
        paper.y = bottom

    def _row(
        self, paper: Paper, row: Term, label: list[str], columns: list[_Column], left: float
    ) -> None:
        names: list[list[str]] = []
        for column in columns:
            names.append(_lines(self.names[row.id, column.term.id], column.width - 0.08))
        names_height = line_height(SMALL) * max(map(len, names))
        label_height = line_height(TEXT) * len(label)
        height = max(names_height, label_height) + 0.08
        paper.lines(left - 0.07, paper.y + height / 2, label, TEXT, align="right")
        for lines, column in zip(names, columns, strict=True):
            status = self.table.cells[row.id, column.term.id].status
            _cell(paper, status, lines, (column.left, paper.y, column.width, height))
        paper.y += height

    def _list(self, paper: Paper) -> None:
        """List the filled cells row by row, and after them the terms without entries."""
        down, across = self.table.margins
        indent = MARGIN + 0.1
        for row in _applicable(down):
            heading = f"{down.column.label}: {row.label}"
            paper.paragraph(heading, MARGIN, paper.right - MARGIN, TEXT, weight="bold")
            empty: list[str] = []
            for column in _applicable(across):
                cell = (row.id, column.id)
                names = [name for _, name in self.names[cell]]
                if names:
                    text = f"{column.label} {len(names)}: {first_of(names, _MOST)}"
                    paper.paragraph(text, indent, paper.right - indent, SMALL)
                elif self.table.cells[cell].status != IMPOSSIBLE:
                    empty.append(column.label)
            if empty:
                text = f"none with {', '.join(empty)}"
                paper.paragraph(text, indent, paper.right - indent, SMALL, GREY)
            paper.y += 0.03


class _Column(NamedTuple):
    """One column of cells: its term, left end and width in inches."""

    term: Term
    left: float
    width: float


def _applicable(margin: Margin) -> list[Term]:
    """Return the terms of an axis but the one for "not applicable"."""
    vocabulary = margin.vocabulary
    return [term for term in vocabulary.terms if term.id != vocabulary.not_applicable]


def _lines(names: Sequence[tuple[str, str]], width: float) -> list[str]:
    """Return the lines of a cell, each name on lines of its own; none without entries."""
    lines: list[str] = []
    for _, name in names[:_MOST]:
        lines += wrap(name, SMALL, width)
    more = len(names) - _MOST
    if more > 0:
        lines += wrap(f"and {more} more", SMALL, width)
    return lines


def _cell(paper: Paper, status: str, lines: list[str], box: Box) -> None:
    x, y, width, height = box
    middle = y + height / 2
    if status == IMPOSSIBLE:
        paper.rect(box, "white", edge=LIGHT, hatch=HATCH)
        if lines:
            # An entry where none can be is a mistake in the data: its name must be readable.
            inner = (x + 0.02, y + 0.02, width - 0.04, height - 0.04)
            paper.rect(inner, "white")
    else:
        paper.rect(box, SHADES[3] if lines else "white", edge=LIGHT)
    if lines:
        paper.lines(x + 0.04, middle, lines, SMALL)
    elif status != IMPOSSIBLE:
        paper.text(x + width / 2, middle, "0", SMALL, color=GREY, align="center")
