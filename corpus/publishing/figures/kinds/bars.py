"""Horizontal bars in parts: over the terms of an axis, or over units from coarse to fine."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from corpus.analysis.counting.statistics import share_of
from corpus.analysis.sparsity.declared import sparsity_plan
from corpus.analysis.sparsity.strictness import strictness_of
from corpus.canvas.paper import LINE, MARGIN, Paper, Swatch, line_height, text_width, widest, wrap
from corpus.canvas.style import GREY, INK, LIGHT, PALETTE, SHADES, TEXT, color, readable_ink
from corpus.model.codebook import Term
from corpus.model.contingency import Contingency
from corpus.model.documents.section import Section, name_of
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.figures.figure_plan import Counting, Frame, Value, of_type
from corpus.tables.fast.tally import contingency_of

#: Over a longer time, years without rows are left out.
_MOST_YEARS = 60


def read_bars(section: Section) -> Counting:
    """Read the axis of the bars or a column of years, and the axis that splits each bar, if any."""
    pool = section.book.pool
    axis = section.column("axis", pool, [*pool.axes, *of_type(pool, "year")])
    split = section.axis("split", "")
    if split and split == axis:
        section.mistake("split", "must be another axis than the one of the bars")

    def count(study: Study) -> Bars:
        name = name_of(axis)
        columns = dict.fromkeys((*study.codebook.pool.axis_names, name))
        counted = contingency_of(study, tuple(columns))
        if axis and not axis.axis:
            counted = counted.with_values([name])
            counted = with_years_between(counted, name)
        margin = counted.margin(name)
        rows: list[tuple[Value, ...]] = [row[:2] for row in margin.rows]
        parts = {row.term: [row.entries] for row in margin.rows}
        kinds, legend = [("", PALETTE[0])], ""
        header: tuple[str, ...] = ("term", "entries")
        if split:
            crossed = counted.crosstab(margin.column.name, split.name)
            labels = crossed.columns.vocabulary.labels.values()
            kinds, legend = list(zip(labels, _fills(len(labels)), strict=True)), split.label
            header = ("term", "part", "entries")
            rows, parts = [], {}
            for (term, part), entries in crossed.cells.items():
                parts.setdefault(term, []).append(entries)
                rows.append((term, part, entries))
        bars = []
        for term, label in margin.vocabulary.labels.items():
            value = f"{margin.of(term)}"
            if share := share_of(margin, term):
                value += f" ({share})"
            bars.append(Bar(label, parts[term], (value,)))
        note = ""
        if margin.vocabulary.not_applicable:
            works = "entries" if margin.applicable != 1 else "entry"
            note = f"Shares are of the {margin.applicable} {works} to which the axis applies."
        return Bars(bars, kinds, Frame(header, rows), note, legend=legend)

    return count


def with_years_between(counted: Contingency, column: str) -> Contingency:
    """Return counts by year in which a year between the first and the last is one without rows."""
    vocabulary = counted.book.vocabularies[column]
    years = [int(term.id) for term in vocabulary.terms]
    if not years or max(years) - min(years) > _MOST_YEARS:
        return counted
    every = map(str, range(min(years), max(years) + 1))
    terms = tuple(Term(year, year, year, "") for year in every)
    vocabularies = {**counted.book.vocabularies, column: vocabulary._replace(terms=terms)}
    return counted._replace(book=counted.book._replace(vocabularies=vocabularies))


def read_ladder(section: Section) -> Counting:
    """Read the axis of the units, and find its broad and strict readings in ``[sparsity]``."""
    axis = section.axis("axis")
    name = name_of(axis)
    try:
        declared = sparsity_plan(section.book).strictness
    except CorpusError:  # reported where [sparsity] itself is read
        declared = ()
    plans = [plan for plan in declared if plan.axis == name]
    if not plans:
        section.mistake("axis", f"[[sparsity.readings]] declares no readings of {name!r}")

    def count(study: Study) -> Bars:
        plan, book = plans[0], study.codebook
        _, vocabulary = book.axis(name)
        terms = book.vocabulary_of(study.tables[plan.table].spec.column(plan.reading)).labels
        places = dict.fromkeys(plan.near, 1) | dict.fromkeys(plan.strict, 0)
        words: list[list[str]] = [[], [], []]
        for term, label in terms.items():
            words[places.get(term, 2)].append(label)
        strictly, nearly, hardly = map(" or ".join, words)
        readings = strictness_of(study, plan)
        # Without a near reading the third column is left out.
        heads = ["broad", "strict"]
        if any(unit.near for unit in readings.units):
            heads.append("or similar")
        bars = []
        rows: list[tuple[Value, ...]] = []
        for unit in readings.units:
            broad, strict, near, *others = map(len, unit[1:])
            rows.append((unit.term, broad, strict, near, *others))
            values = (f"{broad}", f"{strict}", f"{strict + near}")[: len(heads)]
            bars.append(Bar(vocabulary.term(unit.term).label, (strict, near, *others), values))
        note = f"{readings.judged} of {readings.tagged} tags have been judged"
        if vocabulary.not_applicable:
            absent = len(study.keys_by_term(name)[vocabulary.not_applicable])
            entries = "entry" if absent == 1 else "entries"
            note += f"; the axis does not apply to {absent} {entries}"
        labels = (strictly, nearly, f"{hardly} only", "not judged")
        return Bars(
            bars,
            list(zip(labels, (*SHADES[:3], "white"), strict=True)),
            Frame(("unit", "broad", "strict", "near", "weaker", "unjudged"), rows),
            f"{note}.",
            heads=heads,
            order="coarse to fine",
        )

    return count


class Bar(NamedTuple):
    """One bar: its name, the entries of its parts, and what is printed of it in columns."""

    name: str
    parts: Sequence[int]
    values: Sequence[str]


@dataclass(frozen=True)
class Bars:
    """Bars in declared order, empty ones included.

    Attributes
    ----------
    bars : sequence of Bar
        The bars.
    parts : sequence of (str, str)
        What each part of a bar is, and its fill; one without a label where they are not split.
    table : Frame
        The same numbers as a table.
    note : str
        The sentence below the bars.
    heads : sequence of str
        Heads of the columns of numbers; empty for one that needs none.
    legend : str
        What the parts are.
    order : str
        What the order of the bars means; empty where it means nothing.
    """

    bars: Sequence[Bar]
    parts: Sequence[tuple[str, str]]
    table: Frame
    note: str
    heads: Sequence[str] = ("",)
    legend: str = ""
    order: str = ""

    def frame(self) -> Frame:
        """Return one row per bar, or one per part of a bar."""
        return self.table

    def draw(self, width: float, title: str) -> Paper:
        """Draw each bar with its name and its numbers."""
        paper = Paper(width, title)
        swatches = []
        for place, (label, fill) in enumerate(self.parts):
            if label and any(bar.parts[place] for bar in self.bars):
                swatches.append(Swatch(label, fill, edge=GREY))
        if swatches:
            paper.legend(swatches, name=self.legend)
        longest_name = 1.6 if width > 5 else 1.05
        names = [wrap(bar.name, longest_name, TEXT) for bar in self.bars]
        left = MARGIN + widest(chain(*names), TEXT) + 0.08
        if self.order:
            left += 0.27
        ends: list[float] = []
        bars_end = paper.right
        columns = list(zip(self.heads, *[bar.values for bar in self.bars], strict=True))
        for head, *values in reversed(columns):
            ends.insert(0, bars_end)
            bars_end -= max(widest(values, TEXT), text_width(head)) + 0.1
        if any(self.heads):
            middle = paper.y + LINE / 2
            for x, head in zip(ends, self.heads, strict=True):
                paper.text(x, middle, head, color=GREY, align="right")
            paper.y += LINE + 0.03

        inches = (bars_end - left) / max([sum(bar.parts) for bar in self.bars] + [1])
        start = paper.y
        for bar, name in zip(self.bars, names, strict=True):
            height = max(0.22, len(name) * line_height(TEXT) + 0.05)
            middle = paper.y + height / 2
            paper.lines(left - 0.08, middle, name, TEXT, align="right")
            x = left
            for (label, fill), number in zip(self.parts, bar.parts, strict=True):
                length = inches * number
                if number:
                    paper.rect((x, middle - 0.075, length, 0.15), fill, edge=GREY, line=0.4)
                if label and number and text_width(f"{number}") + 0.04 < length:
                    ink, centre = readable_ink(fill), x + length / 2
                    paper.text(centre, middle, f"{number}", color=ink, align="center")
                x += length
            ink = INK if any(bar.parts) else GREY
            for x, value in zip(ends, bar.values, strict=True):
                paper.text(x, middle, value, TEXT, align="right", color=ink)
            paper.y += height
            paper.horizontal(left, paper.right, paper.y, LIGHT, 0.4)
        paper.vertical(left, start, paper.y)
        if self.order:
            x = MARGIN + 0.06
            paper.arrow((x, start + 0.05), (x, paper.y - 0.05), GREY)
            paper.text(x + 0.1, paper.y - 0.09, self.order, color=GREY, is_upright=True)
        paper.note(self.note)
        return paper


def _fills(parts: int) -> list[str]:
    """Return the fills of some parts: shades of one hue where they suffice."""
    if parts > len(SHADES):
        return list(map(color, range(parts)))
    if parts == 3:
        # Three neighbouring shades are hard to tell apart in print.
        return [SHADES[0], SHADES[2], "#f0f0f0"]
    return list(SHADES[:parts])
