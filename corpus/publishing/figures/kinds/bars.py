"""Horizontal bars in parts: over the terms of an axis, or over units from coarse to fine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from corpus.analysis.counting.report import share_of
from corpus.analysis.sparsity.plan import StrictnessPlan, sparsity_plan
from corpus.analysis.sparsity.strictness import strictness_of
from corpus.canvas.paper import MARGIN, Paper, Swatch, line_height, text_width, widest, wrap
from corpus.canvas.style import GREY, INK, LIGHT, PALETTE, SHADES, SMALL, TEXT, color, readable_ink
from corpus.model.documents.section import Section, name_of
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.figures.plan import Frame, Value
from corpus.tables.fast.tally import contingency_of


class BarsPlan(NamedTuple):
    """Entries by the terms of one axis, each bar split by another axis where `split` names one."""

    axis: str
    split: str = ""

    @classmethod
    def read(cls, section: Section) -> BarsPlan:
        """Read both axes."""
        axis, split = section.axis("axis"), section.axis("split", "")
        if split and split == axis:
            section.mistake("split", "must be another axis than the one of the bars")
        return cls(name_of(axis), name_of(split))

    def data(self, study: Study, _labels: Mapping[str, str]) -> Bars:
        """Count the axis, crossed with the other one."""
        counted = contingency_of(study)
        margin = counted.margin(self.axis)
        bars: list[Bar] = []
        for term in margin.vocabulary.terms:
            number = margin.of(term.id)
            share = share_of(margin, term.id)
            value = f"{number} ({share})" if share else f"{number}"
            bars.append(Bar(term.label, (number,), (value,)))
        rows: list[tuple[Value, ...]] = [(row.term, row.entries) for row in margin.rows]
        frame = Frame(("term", "entries"), tuple(rows))
        note = ""
        if margin.vocabulary.not_applicable:
            note = f"Shares are of the {margin.applicable} entries to which the axis applies."
        found = Bars(tuple(bars), (Part("", PALETTE[0]),), frame, note)
        if not self.split:
            return found
        crossed = counted.crosstab(self.axis, self.split)
        split = crossed.columns
        rows = [(*terms, entries) for terms, entries in crossed.cells.items()]
        for place, name in enumerate(margin.vocabulary.ids):
            numbers = [crossed.cells[name, part] for part in split.vocabulary.ids]
            bars[place] = bars[place]._replace(parts=tuple(numbers))
        labels = [term.label for term in split.vocabulary.terms]
        return found._replace(
            bars=tuple(bars),
            parts=tuple(map(Part, labels, _fills(len(labels)))),
            table=Frame(("term", "part", "entries"), tuple(rows)),
            legend=split.column.label,
        )


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

    def data(self, study: Study, _labels: Mapping[str, str]) -> Bars:
        """Count the readings of every unit; the term for "not applicable" is left out."""
        plan = self.readings
        book = study.codebook
        column, vocabulary = book.axis(plan.axis)
        terms = book.vocabulary_of(study.tables[plan.table].spec.column(plan.reading)).terms
        words: list[str] = []
        weaker = [term.id for term in terms if term.id not in (*plan.strict, *plan.near)]
        for reading in (plan.strict, plan.near, weaker):
            words.append(" or ".join(term.label for term in terms if term.id in reading))
        labels = (*words[:2], f"{words[2]} only", "not judged")
        readings = strictness_of(study, plan)
        heads = ["broad", "strict"]
        if any(unit.near for unit in readings.units):
            heads.append("or near")
        bars: list[Bar] = []
        rows: list[tuple[Value, ...]] = []
        for unit in readings.units:
            strict, near = len(unit.strict), len(unit.near)
            parts = (strict, near, len(unit.weaker), len(unit.unjudged))
            rows.append((unit.term, len(unit.broad), *parts))
            # Without a near reading the third column is left out.
            values = [f"{value}" for value in (len(unit.broad), strict, strict + near)]
            label = vocabulary.term(unit.term).label
            bars.append(Bar(label, parts, tuple(values[: len(heads)])))
        note = f"{readings.judged} of {readings.tagged} tags have been judged"
        if vocabulary.not_applicable:
            absent = 0
            for cell in study.pool.column(plan.axis):
                absent += vocabulary.not_applicable in column.values(cell)
            entries = "entry" if absent == 1 else "entries"
            note += f"; the axis does not apply to {absent} {entries}"
        return Bars(
            tuple(bars),
            tuple(map(Part, labels, (*SHADES[:3], "white"))),
            Frame(("unit", "broad", "strict", "near", "weaker", "unjudged"), tuple(rows)),
            f"{note}.",
            heads=tuple(heads),
            order="coarse to fine",
        )


class Bar(NamedTuple):
    """One bar: its name, the entries of its parts, and what is printed of it in columns."""

    name: str
    parts: tuple[int, ...]
    values: tuple[str, ...]


class Part(NamedTuple):
    """What a part of every bar is, and its fill."""

    label: str
    fill: str


class Bars(NamedTuple):
    """Bars in declared order, empty ones included.

    Attributes
    ----------
    bars, parts : tuple
        The bars; their parts, one without a label where they are not split.
    table : Frame
        The same numbers as a table.
    note : str
        The sentence below the bars.
    heads : tuple of str
        Heads of the columns of numbers; empty for one that needs none.
    legend : str
        What the parts are.
    order : str
        What the order of the bars means; empty where it means nothing.
    """

    bars: tuple[Bar, ...]
    parts: tuple[Part, ...]
    table: Frame
    note: str
    heads: tuple[str, ...] = ("",)
    legend: str = ""
    order: str = ""

    def frame(self) -> Frame:
        """Return one row per bar, or one per part of a bar."""
        return self.table

    def draw(self, width: float, title: str) -> Paper:
        """Draw each bar with its name and its numbers."""
        paper = Paper(width, title)
        swatches: list[Swatch] = []
        for place, part in enumerate(self.parts):
            if part.label and any(bar.parts[place] for bar in self.bars):
                swatches.append(Swatch(part.label, part.fill, edge=GREY))
        if swatches:
            paper.legend(swatches, name=self.legend)
        longest_name = 1.6 if width > 5 else 1.05
        names = [wrap(bar.name, TEXT, longest_name) for bar in self.bars]
        left = MARGIN + widest(chain(*names), TEXT) + 0.08
        if self.order:
            left += 0.27
        ends: list[float] = []
        bars_end = paper.right
        for place, head in reversed(list(enumerate(self.heads))):
            ends.insert(0, bars_end)
            values = [bar.values[place] for bar in self.bars]
            bars_end -= max(widest(values, TEXT), text_width(head, SMALL)) + 0.1
        if any(self.heads):
            middle = paper.y + line_height(SMALL) / 2
            for x, head in zip(ends, self.heads, strict=True):
                paper.text(x, middle, head, SMALL, color=GREY, align="right")
            paper.y += line_height(SMALL) + 0.03

        inches = (bars_end - left) / max([sum(bar.parts) for bar in self.bars] + [1])
        start = paper.y
        for bar, name in zip(self.bars, names, strict=True):
            height = max(0.22, len(name) * line_height(TEXT) + 0.05)
            middle = paper.y + height / 2
            paper.lines(left - 0.08, middle, name, TEXT, align="right")
            self._parts(paper, bar.parts, (left, middle, inches))
            ink = INK if any(bar.parts) else GREY
            for x, value in zip(ends, bar.values, strict=True):
                paper.text(x, middle, value, TEXT, align="right", color=ink)
            paper.y += height
            paper.horizontal(left, paper.right, paper.y, LIGHT, 0.4)
        paper.vertical(left, start, paper.y)
        if self.order:
            x = MARGIN + 0.06
            paper.arrow((x, start + 0.05), (x, paper.y - 0.05), GREY)
            paper.upright(x + 0.1, paper.y - 0.09, self.order, SMALL, color=GREY)
        paper.note(self.note)
        return paper

    def _parts(
        self, paper: Paper, numbers: Sequence[int], place: tuple[float, float, float]
    ) -> None:
        """Draw one bar; `place` is its left end, its middle, and the inches per entry."""
        x, middle, inches = place
        for part, number in zip(self.parts, numbers, strict=True):
            if not number:
                continue
            length = inches * number
            paper.rect((x, middle - 0.075, length, 0.15), part.fill, edge=GREY, line=0.4)
            text = f"{number}"
            if part.label and text_width(text, SMALL) + 0.04 < length:
                ink = readable_ink(part.fill)
                paper.text(x + length / 2, middle, text, SMALL, color=ink, align="center")
            x += length


def _fills(parts: int) -> list[str]:
    """Return the fills of some parts: shades of one hue where they suffice."""
    if parts > len(SHADES):
        return [color(position) for position in range(parts)]
    if parts == 3:
        # Three neighbouring shades are hard to tell apart in print.
        return [SHADES[0], SHADES[2], "#f0f0f0"]
    return list(SHADES[:parts])
