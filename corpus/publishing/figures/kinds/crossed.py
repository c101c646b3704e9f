"""Two axes crossed: counts in the cells (a heatmap), or names of entries (a map, a grid).

Zeros are zeros, and impossible cells are hatched. A heatmap draws the terms that mean "not
applicable" last, apart from the others; the rows of a grid are those of an evidence table, its
columns grades.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from corpus.analysis.evidence.tables import in_words
from corpus.analysis.sparsity.cells import (
    EMPTY,
    FILLED,
    IMPOSSIBLE,
    NOT_APPLICABLE,
    SparseCell,
    SparseTable,
    sparse_table,
)
from corpus.analysis.sparsity.declared import read_grid
from corpus.analysis.sparsity.strictness import anchor_table
from corpus.canvas.paper import (
    LINE,
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
from corpus.canvas.style import ALERT, GREY, INK, LIGHT, SHADES, TEXT, readable_ink
from corpus.model.codebook import Term
from corpus.model.documents.section import Section, name_of
from corpus.model.study import Study
from corpus.publishing.figures.figure_plan import Counting, Frame, Value, row_names, short_names
from corpus.tables.fast.tally import contingency_of

#: Of the cells that cannot occur.
_HATCH = "//////"

#: In inches: the space before "not applicable", the narrowest and the widest cell.
_APART, _NARROWEST, _WIDEST = 0.07, 0.14, 0.62


def read_heatmap(section: Section) -> Counting:
    """Read both axes. With a threshold of 0 no cell is thin: a heatmap shows the number."""
    axes = _two_axes(section)

    def count(study: Study) -> Heatmap:
        return Heatmap(sparse_table(contingency_of(study), axes, 0))

    return count


@dataclass(frozen=True)
class Heatmap:
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
        cell_width = min((paper.right - left - _APART) / (len(terms) + 1), _WIDEST)
        x: dict[str, float] = {}
        for position, term in enumerate(terms):
            is_apart = term.id == across.vocabulary.not_applicable
            x[term.id] = left + cell_width * position + _APART * is_apart
        totals = left + cell_width * len(terms) + _APART + cell_width / 2
        _heads(paper, terms, x, cell_width, (down.column.label, across.column.label))

        top = max([cell.entries for cell in self.table.having(FILLED)], default=1)
        for row in rows:
            height = max(0.235, len(names[row.id]) * line_height(TEXT) + 0.05)
            if row.id == down.vocabulary.not_applicable:
                paper.y += _APART
            middle = paper.y + height / 2
            paper.lines(left - 0.07, middle, names[row.id], TEXT, align="right")
            for term in terms:
                box = (x[term.id], paper.y, cell_width, height)
                _tile(paper, self.table.cells[row.id, term.id], box, top)
            _number(paper, totals, middle, down.of(row.id), cell_width)
            paper.y += height

        middle = paper.y + 0.12
        paper.text(left - 0.07, middle, "all", color=GREY, align="right")
        for term in terms:
            _number(paper, x[term.id] + cell_width / 2, middle, across.of(term.id), cell_width)
        # Bold digits are wider than those that are measured.
        _number(paper, totals, middle, down.entries, cell_width, largest=TEXT * 0.92, weight="bold")
        paper.y += 0.27

        items = _swatches(self.table.number(IMPOSSIBLE) > 0)
        if self.table.number(NOT_APPLICABLE):
            items.append(Swatch("axis not applicable", "#dcdcdc", edge=LIGHT))
        paper.legend(items)
        return paper


def _heads(
    paper: Paper,
    terms: Sequence[Term],
    left: dict[str, float],
    width: float,
    axes: tuple[str, str],
    totals: str = "all",
) -> None:
    """Name the columns: level where all names fit in two lines, else upright."""
    usable = width - 0.04
    labels = [term.label for term in terms]
    names = [wrap(label, usable) for label in labels]
    most_lines = max(map(len, names))
    level = most_lines <= 2 and widest(" ".join(labels).split()) <= usable
    height = LINE * most_lines if level else widest(labels)

    first = left[terms[0].id]
    paper.text(first, paper.y + LINE / 2, axes[1], weight="bold")
    paper.y += LINE + 0.03 + (height + 0.05)
    for term, lines in zip(terms, names, strict=True):
        x = left[term.id] + width / 2
        if level:
            middle = paper.y - 0.03 - LINE * len(lines) / 2
            paper.lines(x, middle, lines, align="center")
        else:
            paper.text(x, paper.y - 0.03, term.label, is_upright=True)

    middle = paper.y - 0.03 - LINE / 2
    of_totals = left[terms[-1].id] + width * 1.5
    if totals:
        paper.text(of_totals, middle, totals, color=GREY, align="center")
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
    if cell.status == IMPOSSIBLE and not cell.entries:
        paper.rect(box, "white", edge=LIGHT, hatch=_HATCH)
        return
    if cell.status == NOT_APPLICABLE:
        fill, ink = ("#dcdcdc", INK) if cell.entries else ("#f4f4f4", GREY)
    paper.rect(box, fill, edge=LIGHT)
    _number(paper, x + width / 2, y + height / 2, cell.entries, width, ink)


#: So many names are in one cell; of more, a map counts the others and a grid counts all.
_MOST = 14

#: Narrower figures show numbers: columns of names would be unreadable.
_NARROW = 5.0

#: Below this width a column of names breaks its words.
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
    axes, name_in_print = _two_axes(section), short_names(section)

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
                cells[place][1].append((entry.key, name_in_print(entry)))
            elsewhere += cells.keys().isdisjoint(places)
        axes_in_print = (down.column.label, across.column.label)
        return NamedCells(axes_in_print, rows, columns, cells, elsewhere)

    return count


def read_anchors(section: Section) -> Counting:
    """Read an evidence table, the two term columns that cross it, and what marks an anchor."""
    plan, name_in_print = read_grid(section), short_names(section)

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
                    name = name_in_print(study.entries[anchor.key]) + "*" * anchor.is_marked
                    names.append((anchor.key, name))
                cells[row.id, grade] = (FILLED if names else EMPTY, names)
        spec = study.tables[plan.table].spec
        axes = (spec.column(plan.rows).label, spec.column(plan.columns).label)
        marks = []
        for name, values in plan.marked.items():
            column = spec.column(name)
            words = [in_words(column, value, study.codebook) for value in values]
            marks.append(f"{column.label.lower()}: {' or '.join(words)}")
        mark = "; ".join(marks)
        return NamedCells(axes, shown, table.grades.terms, cells, is_graded=True, mark=mark)

    return count


@dataclass(frozen=True)
class NamedCells:
    """All cells but those of "not applicable", which `elsewhere` counts.

    `axes` are the names of rows and columns. Where `is_graded`, the columns are grades, the
    highest first. `mark` tells what an asterisk at a name means.
    """

    axes: tuple[str, str]
    rows: Sequence[Term]
    columns: Sequence[Term]
    cells: Mapping[tuple[str, str], Cell]
    elsewhere: int = 0
    is_graded: bool = False
    mark: str = ""

    def frame(self) -> Frame:
        """Return one row per entry in a cell, and one for every cell without any."""
        rows = []
        for place, (status, names) in self.cells.items():
            rows += [(*place, status, *name) for name in names or [("", "")]]
        return Frame(("row", "column", "status", "key", "name"), rows)

    def draw(self, width: float, title: str) -> Paper:
        """Draw every cell with the names of its entries; on a narrow page, with their number."""
        paper = Paper(width, title)
        labels, left = row_names(self.rows, 1.35)
        left += 0.1
        columns = [] if width < _NARROW else self._columns(left, paper.right)
        has_names = bool(columns)
        if has_names:
            self._heads(paper, columns, left)
        else:
            across = min((paper.right - left) / (len(self.columns) + 1), _WIDEST)
            starts = {term.id: left + across * at for at, term in enumerate(self.columns)}
            columns = [(term, starts[term.id], across) for term in self.columns]
            _heads(paper, self.columns, starts, across, self.axes, "")
        for row in self.rows:
            lines = []
            for column, _, across in columns:
                names = self.cells[row.id, column.id][1]
                lines.append(self._lines(names, across) if has_names else [])
            label = labels[row.id]
            names_height = LINE * max(map(len, lines))
            height = max(names_height, line_height(TEXT) * len(label)) + 0.1
            paper.lines(left - 0.07, paper.y + height / 2, label, TEXT, align="right")
            for position, (column, start, across) in enumerate(columns):
                box = (start, paper.y, across, height)
                cell = self.cells[row.id, column.id]
                self._cell(paper, cell, position, lines[position], box)
            paper.y += height
        paper.y += 0.06
        statuses = {status for status, _ in self.cells.values()}
        paper.legend(_swatches(IMPOSSIBLE in statuses, self.is_graded))
        shown = [name for _, names in self.cells.values() for _, name in names]
        if has_names and self.mark and any(name.endswith("*") for name in shown):
            paper.note(f"* {self.mark}.")
        if not has_names:
            paper.note("The names of the entries are in the wide form of this figure and its CSV.")
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
        paper.text(left, paper.y + LINE / 2, across, color=GREY)
        height = LINE * max(map(len, heads)) + 0.05
        middle = paper.y + LINE + 0.02 + height / 2
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
            paper.rect(inner, fill, edge=LIGHT, hatch=_HATCH)
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


def _two_axes(section: Section) -> tuple[str, str]:
    """Read `rows` and `columns`, which must differ."""
    rows, columns = section.axis("rows"), section.axis("columns")
    if rows and rows == columns:
        section.mistake("columns", "must be another axis than rows")
    return name_of(rows), name_of(columns)


def _swatches(has_impossible: bool, is_graded: bool = False) -> list[Swatch]:
    """Return what cells without entries are, for the legend of two axes, as they are drawn."""
    swatches = [Swatch("0 in white: empty, a gap", "white", edge=LIGHT)]
    if is_graded:
        gap = "0 with a broken border: nothing at the highest grade, a gap"
        swatches = [Swatch(gap, "white", edge=ALERT, is_dashed=True)]
    if has_impossible:
        swatches.append(Swatch("cannot occur", "white", _HATCH, LIGHT))
    return swatches
