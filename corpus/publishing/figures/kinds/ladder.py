"""Units from coarse to fine, each a bar: the broad reading, with the strict one as its part."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from corpus.analysis.sparsity.plan import StrictnessPlan, sparsity_plan
from corpus.analysis.sparsity.strictness import Strictness, TermStrictness, strictness_of
from corpus.canvas.paper import MARGIN, Paper, Swatch, line_height, widest, wrap
from corpus.canvas.style import GREY, INK, LIGHT, SHADES, SMALL, TEXT
from corpus.model.codebook import Vocabulary
from corpus.model.documents.section import Section, name_of
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.figures.plan import Frame, Value

#: Width of one column of numbers, in inches.
_COLUMN = 0.36

#: The fills of the four parts of a bar.
_FILLS = (*SHADES[:3], "white")


class LadderPlan(NamedTuple):
    """The units of an axis from coarse to fine, with the broad and the strict reading of each."""

    readings: StrictnessPlan

    @classmethod
    def read(cls, section: Section) -> LadderPlan:
        """Read the axis, and find its readings in ``[sparsity]``."""
        axis = name_of(section.axis("axis"))
        try:
            declared = sparsity_plan(section.book).strictness
        except CorpusError:  # reported where [sparsity] itself is read
            declared = ()
        for plan in declared:
            if plan.axis == axis:
                return cls(plan)
        section.mistake("axis", f"[[sparsity.readings]] declares no readings of {axis!r}")
        return cls(StrictnessPlan("", axis, "", "", (), ()))

    def data(self, study: Study, _labels: Mapping[str, str]) -> Ladder:
        """Count the readings of every unit."""
        plan = self.readings
        book = study.codebook
        column, vocabulary = book.axis(plan.axis)
        terms = book.vocabulary_of(study.tables[plan.table].spec.column(plan.reading)).terms
        words: list[str] = []
        weaker = [term.id for term in terms if term.id not in (*plan.strict, *plan.near)]
        for reading in (plan.strict, plan.near, weaker):
            words.append(" or ".join(term.label for term in terms if term.id in reading))
        absent = 0
        if vocabulary.not_applicable:
            for cell in study.pool.column(plan.axis):
                absent += vocabulary.not_applicable in column.values(cell)
        return Ladder(vocabulary, strictness_of(study, plan), tuple(words), absent)


class Ladder(NamedTuple):
    """The units in declared order; the term for "not applicable" is left out.

    Attributes
    ----------
    vocabulary : Vocabulary
        Of the units.
    readings : Strictness
        The entries of each.
    words : tuple of str
        The words for the strict, near strict and weaker readings.
    absent : int
        Entries that carry the term for "not applicable".
    """

    vocabulary: Vocabulary
    readings: Strictness
    words: tuple[str, ...]
    absent: int

    def frame(self) -> Frame:
        """Return one row per unit."""
        rows: list[tuple[Value, ...]] = []
        for unit in self.readings.units:
            rows.append((unit.term, len(unit.broad), *_parts(unit)))
        return Frame(("unit", "broad", "strict", "near", "weaker", "unjudged"), tuple(rows))

    def draw(self, width: float, title: str) -> Paper:
        """Draw one rung per unit, empty ones included, with the numbers of each reading."""
        paper = Paper(width, title)
        units = self.readings.units
        swatches: list[Swatch] = []
        labels = (*self.words[:2], f"{self.words[2]} only", "not judged")
        for position, label in enumerate(labels):
            if any(_parts(unit)[position] for unit in units):
                swatches.append(Swatch(label, _FILLS[position], edge=GREY))
        paper.legend(swatches)
        longest_name = 1.4 if width > 5 else 0.85
        names = [wrap(self.vocabulary.term(unit.term).label, TEXT, longest_name) for unit in units]
        left = MARGIN + 0.27 + widest(chain(*names), TEXT) + 0.08
        heads = ["broad", "strict"]
        if any(unit.near for unit in units):
            heads.append("or near")
        bars_end = paper.right - _COLUMN * len(heads)
        longest = max([len(unit.broad) for unit in units] + [1])
        inches = (bars_end - left - 0.08) / longest
        column_ends = [bars_end + _COLUMN * place - 0.02 for place in range(1, len(heads) + 1)]

        middle = paper.y + line_height(SMALL) / 2
        for x, head in zip(column_ends, heads, strict=True):
            paper.text(x, middle, head, SMALL, color=GREY, align="right")
        paper.y += line_height(SMALL) + 0.03

        start = paper.y
        for unit, name in zip(units, names, strict=True):
            height = max(0.23, len(name) * line_height(TEXT) + 0.05)
            middle = paper.y + height / 2
            paper.lines(left - 0.08, middle, name, TEXT, align="right")
            _rung(paper, unit, (left, middle, inches))
            strict = len(unit.strict)
            values = (len(unit.broad), strict, strict + len(unit.near))
            # Without a near reading the third column is left out.
            for x, value in zip(column_ends, values, strict=False):
                ink, weight = (INK, "bold") if value else (GREY, "normal")
                paper.text(x, middle, f"{value}", TEXT, align="right", color=ink, weight=weight)
            paper.y += height
            paper.horizontal(left, paper.right, paper.y, LIGHT, 0.4)
        paper.vertical(left, start, paper.y)

        # Along the left edge, the units run from coarse to fine.
        x = MARGIN + 0.06
        paper.arrow((x, start + 0.05), (x, paper.y - 0.05), GREY)
        paper.upright(x + 0.1, paper.y - 0.09, "coarse to fine", SMALL, color=GREY)
        note = f"{self.readings.judged} of {self.readings.tagged} tags have been judged"
        if self.vocabulary.not_applicable:
            entries = "entry" if self.absent == 1 else "entries"
            note += f"; the axis does not apply to {self.absent} {entries}"
        paper.note(f"{note}.")
        return paper


def _parts(unit: TermStrictness) -> tuple[int, ...]:
    """Return the four numbers that add up to the broad reading."""
    return len(unit.strict), len(unit.near), len(unit.weaker), len(unit.unjudged)


def _rung(paper: Paper, unit: TermStrictness, place: tuple[float, float, float]) -> None:
    """Draw one bar; `place` is its left end, its middle, and the inches per entry."""
    x, middle, inches = place
    for number, fill in zip(_parts(unit), _FILLS, strict=True):
        if number:
            length = inches * number
            paper.rect((x, middle - 0.07, length, 0.14), fill, edge=GREY, line=0.5)
            x += length
    if not unit.broad:
        paper.text(x + 0.06, middle, "0", TEXT, color=GREY)
