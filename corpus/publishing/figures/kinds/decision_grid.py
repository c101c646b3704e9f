"""Anchors by row term and grade, named in a grid; an empty cell of the highest grade is marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from corpus.analysis.sparsity.plan import AnchorsPlan, read_grid
from corpus.analysis.sparsity.strictness import anchor_table
from corpus.canvas.paper import MARGIN, Box, Paper, line_height, widest, wrap
from corpus.canvas.style import ALERT, GREY, LIGHT, SHADES, SMALL, TEXT
from corpus.model.codebook import Term
from corpus.model.documents.section import Section
from corpus.model.study import Study
from corpus.publishing.figures.plan import Frame, Value

#: Fills of the grades, the highest first; all grades after the second share the last.
_FILLS = (SHADES[2], SHADES[3], "#eeeeee")

#: A cell names so many entries at most; of more it prints the number alone.
_NAMED = 12

#: Half the space between two cells, in inches.
_GAP = 0.025


class GridPlan(NamedTuple):
    """An evidence table crossed by two of its term columns."""

    anchors: AnchorsPlan

    @classmethod
    def read(cls, section: Section) -> GridPlan:
        """Read the table, its two columns, and what marks an anchor."""
        return cls(read_grid(section))

    def data(self, study: Study, labels: Mapping[str, str]) -> DecisionGrid:
        """Name the anchors; a marked one has an asterisk."""
        table = anchor_table(study, self.anchors)
        absent = table.rows.not_applicable
        has_absent = any(table.cells[cell] for cell in table.cells if cell[0] == absent)
        rows = tuple(row for row in table.rows.terms if row.id != absent or has_absent)
        shown = {row.id for row in rows}
        cells: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {}
        for cell, anchors in table.cells.items():
            named: list[tuple[str, str]] = []
            for anchor in anchors:
                mark = "*" if anchor.is_marked else ""
                named.append((anchor.key, labels.get(anchor.key, anchor.key) + mark))
            if cell[0] in shown:
                cells[cell] = tuple(named)
        return DecisionGrid(rows, table.grades.terms, cells)


class DecisionGrid(NamedTuple):
    """Every row term by every grade.

    `cells` hold (key, name in print) of each anchor, empty cells included.
    """

    rows: tuple[Term, ...]
    grades: tuple[Term, ...]
    cells: Mapping[tuple[str, str], tuple[tuple[str, str], ...]]

    def frame(self) -> Frame:
        """Return one row per anchor, and one for every cell without any."""
        rows: list[tuple[Value, ...]] = []
        for cell, anchors in self.cells.items():
            rows += [(*cell, *anchor) for anchor in anchors or [("", "")]]
        return Frame(("row", "grade", "key", "name"), tuple(rows))

    def draw(self, width: float, title: str) -> Paper:
        """Draw every cell with the number of its entries and their names."""
        paper = Paper(width, title)
        longest_label = 1.35 if width > 5 else 0.62
        labels = {row.id: wrap(row.label, SMALL, longest_label) for row in self.rows}
        label_width = widest(chain(*labels.values()), SMALL)
        id_width = widest([row.id for row in self.rows], TEXT, "bold")
        left = MARGIN + max(label_width, id_width) + 0.1
        across = (paper.right - left) / len(self.grades)

        heads = [wrap(grade.label, SMALL, across - 0.03, "bold") for grade in self.grades]
        height = max(map(len, heads)) * line_height(SMALL) + 0.06
        for position, head in enumerate(heads):
            x = left + across * (position + 0.5)
            paper.lines(x, paper.y + height / 2, head, SMALL, weight="bold", align="center")
        paper.y += height

        for row in self.rows:
            anchors = [self.cells[row.id, grade.id] for grade in self.grades]
            names = [_names(cell, across - 0.28) for cell in anchors]
            label = labels[row.id]
            # Above the label is the identifier of the row, unless the label has it.
            is_named = row.id.lower() not in row.label.lower()
            label_height = (is_named + len(label)) * line_height(TEXT) + 0.06
            names_height = max(map(len, names)) * line_height(SMALL) + 0.1
            height = max(names_height, label_height, 0.32)
            middle = paper.y + height / 2
            top = middle - line_height(SMALL) * len(label) / 2
            if is_named:
                paper.text(MARGIN, top, row.id, TEXT, weight="bold")
            paper.lines(MARGIN, middle + is_named * line_height(TEXT) / 2, label, SMALL)
            for position, lines in enumerate(names):
                box = (left + across * position, paper.y, across, height)
                _cell(paper, lines, len(anchors[position]), box, position)
            paper.y += height
        return paper


def _names(anchors: Sequence[tuple[str, str]], width: float) -> list[str]:
    """Return the lines of a cell, each name on lines of its own.

    There are none where they are many, or where a word would break: a column of syllables is read
    by nobody.
    """
    lines: list[str] = []
    words = chain(*(name.replace("-", "- ").replace("/", "/ ").split() for _, name in anchors))
    if len(anchors) > _NAMED or widest(words, SMALL) > width:
        return lines
    for _, name in anchors:
        lines += wrap(name, SMALL, width)
    return lines


def _cell(paper: Paper, names: Sequence[str], entries: int, box: Box, grade: int) -> None:
    """Draw one cell; an empty one of the highest grade has a dashed border."""
    x, y, width, height = box
    inner = (x + _GAP, y + _GAP, width - 2 * _GAP, height - 2 * _GAP)
    number_x = x + 0.12
    names_x = x + 0.22
    middle = y + height / 2
    if entries:
        fill = _FILLS[min(grade, len(_FILLS) - 1)]
        paper.rect(inner, fill, edge=LIGHT, line=0.5)
        paper.text(number_x, middle, f"{entries}", TEXT, weight="bold", align="center")
        paper.lines(names_x, middle, names, SMALL)
    elif grade == 0:
        paper.rect(inner, "white", edge=ALERT, dashed=True, line=1.0)
        paper.text(number_x, middle, "0", TEXT, weight="bold", color=ALERT, align="center")
        paper.text(names_x, middle, "none", SMALL, color=ALERT)
    else:
        paper.rect(inner, "white", edge=LIGHT, line=0.5)
        paper.text(number_x, middle, "0", TEXT, weight="bold", color=GREY, align="center")
