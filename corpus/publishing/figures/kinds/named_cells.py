"""Names of entries in the cells of two axes (a map), or of an evidence table by grade (a grid)."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from corpus.analysis.sparsity.cells import EMPTY, FILLED, IMPOSSIBLE, sparse_table
from corpus.analysis.sparsity.plan import read_grid
from corpus.analysis.sparsity.strictness import anchor_table
from corpus.canvas.paper import MARGIN, Box, Paper, line_height, widest, wrap
from corpus.canvas.style import ALERT, GREY, INK, LIGHT, SHADES, TEXT
from corpus.model.codebook import Term
from corpus.model.documents.section import Section
from corpus.model.study import Study
from corpus.printing.grid import first_of
from corpus.publishing.figures.plan import (
    HATCH,
    Counting,
    Frame,
    cell_swatches,
    row_names,
    short_names,
    two_axes,
)
from corpus.tables.fast.tally import contingency_of

#: So many names are in one cell; of more, a map counts the others and a grid counts all.
_MOST = 14

#: Narrower figures list the cells below each other: columns of names would be unreadable.
_NARROW = 5.0

#: Below this width a column of names breaks its words; see the list for narrow figures.
_LEAST_COLUMN = 0.62

#: Fills of the grades, the highest first; all grades after the second share the last.
_GRADES = (SHADES[2], SHADES[3], "#eeeeee")

#: What a cell is, and the (key, name in print) of its entries.
Cell = tuple[str, list[tuple[str, str]]]

#: A column of cells, its left end and its width in inches.
Span = tuple[Term, float, float]

#: In inches: half the space between two cells, and where names start in a cell.
_GAP, _AFTER_EDGE, _AFTER_NUMBER = 0.025, 0.06, 0.22


def read_map(section: Section) -> Counting:
    """Read both axes. With a threshold of 0 no cell is thin: a map shows who is there."""
    axes, labels = two_axes(section), short_names(section)

    def count(study: Study) -> NamedCells:
        table = sparse_table(contingency_of(study), axes, 0)
        down, across = table.margins
        rows, columns = down.vocabulary.applicable, across.vocabulary.applicable
        cells: dict[tuple[str, str], Cell] = {}
        for row, column in product(rows, columns):
            status = table.cells[row.id, column.id].status
            cells[row.id, column.id] = (status, [])
        elsewhere = 0
        for entry in study.entries.values():
            places = list(product(*map(entry.terms, axes)))
            for place in cells.keys() & places:
                cells[place][1].append((entry.key, labels.get(entry.key, entry.key)))
            elsewhere += cells.keys().isdisjoint(places)
        axes_in_print = (down.column.label, across.column.label)
        return NamedCells(axes_in_print, rows, columns, cells, elsewhere)

    return count


def read_anchors(section: Section) -> Counting:
    """Read an evidence table, the two term columns that cross it, and what marks an anchor."""
    plan, labels = read_grid(section), short_names(section)

    def count(study: Study) -> NamedCells:
        table = anchor_table(study, plan)
        filled = {row for (row, _), anchors in table.cells.items() if anchors}
        rows = table.rows.terms
        if table.rows.not_applicable not in filled:
            rows = table.rows.applicable
        shown = []
        cells: dict[tuple[str, str], Cell] = {}
        for row in rows:
            # Before the label is the identifier of the row, unless the label has it.
            if row.id.lower() not in row.label.lower():
                row = row._replace(label=f"{row.id}: {row.label}")
            shown.append(row)
            for grade in table.grades.ids:
                names = []
                for anchor in table.cells[row.id, grade]:
                    # A marked anchor has an asterisk.
                    name = labels.get(anchor.key, anchor.key) + "*" * anchor.is_marked
                    names.append((anchor.key, name))
                cells[row.id, grade] = (FILLED if names else EMPTY, names)
        spec = study.tables[plan.table].spec
        axes = (spec.column(plan.rows).label, spec.column(plan.columns).label)
        return NamedCells(axes, shown, table.grades.terms, cells, is_graded=True)

    return count


class NamedCells(NamedTuple):
    """All cells but those of "not applicable", which `elsewhere` counts.

    `axes` are the names of rows and columns. Where `is_graded`, the columns are grades, the
    highest first.
    """

    axes: tuple[str, str]
    rows: Sequence[Term]
    columns: Sequence[Term]
    cells: Mapping[tuple[str, str], Cell]
    elsewhere: int = 0
    is_graded: bool = False

    def frame(self) -> Frame:
        """Return one row per entry in a cell, and one for every cell without any."""
        rows = []
        for place, (status, names) in self.cells.items():
            rows += [(*place, status, *name) for name in names or [("", "")]]
        return Frame(("row", "column", "status", "key", "name"), rows)

    def draw(self, width: float, title: str) -> Paper:
        """Draw every cell with the names of its entries, or a list of them on a narrow page."""
        paper = Paper(width, title)
        labels, left = row_names(self.rows, 1.35)
        left += 0.1
        columns = self._columns(left, paper.right)
        if width < _NARROW or not columns:
            self._list(paper)
        else:
            self._heads(paper, columns, left)
            for row in self.rows:
                lines = []
                for column, _, across in columns:
                    lines.append(self._lines(self.cells[row.id, column.id][1], across))
                label = labels[row.id]
                names_height = line_height() * max(map(len, lines))
                height = max(names_height, line_height(TEXT) * len(label)) + 0.1
                paper.lines(left - 0.07, paper.y + height / 2, label, TEXT, align="right")
                for position, (column, start, across) in enumerate(columns):
                    box = (start, paper.y, across, height)
                    cell = self.cells[row.id, column.id]
                    self._cell(paper, cell, position, lines[position], box)
                paper.y += height
            paper.y += 0.06
            statuses = {status for status, _ in self.cells.values()}
            paper.legend(cell_swatches(IMPOSSIBLE in statuses))
        if self.elsewhere:
            which = "entries to which an axis does not apply are"
            if self.elsewhere == 1:
                which = "entry to which an axis does not apply is"
            paper.note(f"{self.elsewhere} {which} not drawn.")
        return paper

    def _columns(self, left: float, right: float) -> list[Span]:
        """Divide the width: columns without entries are as wide as their heads, others share.

        Nothing where there is no place for columns of names.
        """
        filled = {column for (_, column), (_, names) in self.cells.items() if names}
        narrow: dict[str, float] = {}
        for term in self.columns:
            if term.id not in filled:
                narrow[term.id] = widest(term.label.split(), weight="bold") + 0.1
        share = (right - left - sum(narrow.values())) / max(len(filled), 1)
        columns: list[Span] = []
        if share >= _LEAST_COLUMN:
            for term in self.columns:
                columns.append((term, left, narrow.get(term.id, share)))
                left += narrow.get(term.id, share)
        return columns

    def _heads(self, paper: Paper, columns: list[Span], left: float) -> None:
        down, across = self.axes
        heads = [wrap(term.label, width - 0.06, weight="bold") for term, _, width in columns]
        line = line_height()
        paper.text(left, paper.y + line / 2, across, color=GREY)
        height = line * max(map(len, heads)) + 0.05
        middle = paper.y + line + 0.02 + height / 2
        for (_, start, width), head in zip(columns, heads, strict=True):
            paper.lines(start + width / 2, middle, head, weight="bold", align="center")
        paper.text(left - 0.07, middle, down, color=GREY, align="right")
        paper.y = middle + height / 2

    def _lines(self, names: list[tuple[str, str]], width: float) -> list[str]:
        """Return the lines of a cell, each name on lines of its own; none for a number alone."""
        shown = [name for _, name in names[:_MOST]]
        more = len(names) - _MOST
        if more > 0:
            shown.append(f"and {more} more")
            if self.is_graded:
                return []
        lines: list[str] = []
        for name in shown:
            lines += wrap(name, width - self._indent - _AFTER_EDGE)
        return lines

    @property
    def _indent(self) -> float:
        """Where names start in a cell; a grid has their number before them."""
        return _AFTER_NUMBER if self.is_graded else _AFTER_EDGE

    def _cell(self, paper: Paper, cell: Cell, position: int, lines: list[str], box: Box) -> None:
        """Draw one cell; an empty one of the highest grade has a dashed border.

        So has one with entries where none can be, which is a mistake in the data.
        """
        status, names = cell
        x, y, width, height = box
        middle = y + height / 2
        inner = (x + _GAP, y + _GAP, width - 2 * _GAP, height - 2 * _GAP)
        fill, ink = "white", GREY
        if names and self.is_graded:
            fill, ink = _GRADES[min(position, len(_GRADES) - 1)], INK
        elif names:
            fill, ink = SHADES[3], INK
        elif self.is_graded and position == 0:
            ink = ALERT
        if status == IMPOSSIBLE and not names:
            paper.rect(inner, fill, edge=LIGHT, hatch=HATCH)
            return
        if status == IMPOSSIBLE or ink == ALERT:
            paper.rect(inner, fill, edge=ALERT, dashed=True, line=1.0)
        else:
            paper.rect(inner, fill, edge=LIGHT)
        number = f"{len(names)}"
        paper.lines(x + self._indent, middle, lines)
        if not lines:
            paper.text(x + width / 2, middle, number, TEXT, color=ink, align="center")
        elif self.is_graded:
            paper.text(x + 0.12, middle, number, TEXT, weight="bold", align="center")

    def _list(self, paper: Paper) -> None:
        """List the filled cells row by row, and after them the terms without entries."""
        indent = MARGIN + 0.1
        for row in self.rows:
            heading = f"{self.axes[0]}: {row.label}"
            paper.paragraph(heading, size=TEXT, weight="bold")
            empty = []
            for column in self.columns:
                status, cell = self.cells[row.id, column.id]
                if cell:
                    names = [name for _, name in cell]
                    text = f"{column.label} {len(names)}: {first_of(names, _MOST)}"
                    paper.paragraph(text, indent)
                elif status != IMPOSSIBLE:
                    empty.append(column.label)
            if empty:
                text = f"none with {', '.join(empty)}"
                paper.paragraph(text, indent, color=GREY)
            paper.y += 0.03
