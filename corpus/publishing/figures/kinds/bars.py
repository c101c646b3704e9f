"""Horizontal bars over the terms of one axis, in parts where another axis splits them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from corpus.analysis.counting.report import share_of
from corpus.canvas.paper import MARGIN, Paper, Swatch, line_height, text_width, widest, wrap
from corpus.canvas.style import GREY, INK, PALETTE, SHADES, SMALL, TEXT, color, readable_ink
from corpus.model.contingency import CrossTabulation, Margin
from corpus.model.documents.section import Section, name_of
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
        crossed = counted.crosstab(self.axis, self.split) if self.split else None
        return Bars(counted.margin(self.axis), crossed)


class Bars(NamedTuple):
    """Bars over the declared vocabulary; `crossed` is None where they are not split."""

    margin: Margin
    crossed: CrossTabulation | None

    def frame(self) -> Frame:
        """Return one row per bar, or one per part of a bar."""
        rows: list[tuple[Value, ...]] = []
        if self.crossed is None:
            for row in self.margin.rows:
                rows.append((row.term, row.entries))
            return Frame(("term", "entries"), tuple(rows))
        for terms, entries in self.crossed.cells.items():
            rows.append((*terms, entries))
        return Frame(("term", "part", "entries"), tuple(rows))

    def parts(self, term: str) -> dict[str, int]:
        """Return the entries in each part of a bar; one part without a name where it has none."""
        if self.crossed is None:
            return {"": self.margin.of(term)}
        split = self.crossed.columns.vocabulary
        return {part: self.crossed.cells[term, part] for part in split.ids}

    def draw(self, width: float, title: str) -> Paper:
        """Draw one bar per term, empty ones included, with its number and share."""
        margin = self.margin
        terms = margin.vocabulary.terms
        paper = Paper(width, title)
        fills = self._legend(paper)
        longest_name = 1.6 if width > 5 else 1.05
        names: dict[str, list[str]] = {}
        values: dict[str, str] = {}
        lengths: dict[str, int] = {}
        for term in terms:
            names[term.id] = wrap(term.label, TEXT, longest_name)
            share = share_of(margin, term.id)
            number = margin.of(term.id)
            values[term.id] = f"{number} ({share})" if share else f"{number}"
            # An entry with several terms of the split counts several times.
            lengths[term.id] = max(margin.of(term.id), sum(self.parts(term.id).values()))
        left = MARGIN + widest(chain(*names.values()), TEXT) + 0.08
        # Behind the longest bar there must be space for the longest number.
        longest_bar = paper.right - left - widest(values.values(), TEXT) - 0.06
        unit = longest_bar / max([*lengths.values(), 1])
        start = paper.y
        for term in terms:
            name = names[term.id]
            height = max(0.22, len(name) * line_height(TEXT) + 0.05)
            middle = paper.y + height / 2
            paper.lines(left - 0.08, middle, name, TEXT, align="right")
            _bar(paper, self.parts(term.id), (left, middle, unit), fills)
            end = left + unit * lengths[term.id] + 0.05
            ink = INK if margin.of(term.id) else GREY
            paper.text(end, middle, values[term.id], TEXT, color=ink)
            paper.y += height
        paper.vertical(left, start, paper.y)
        if margin.vocabulary.not_applicable:
            number = margin.applicable
            paper.note(f"Shares are of the {number} entries to which the axis applies.")
        return paper

    def _legend(self, paper: Paper) -> dict[str, str]:
        """Name the parts that occur; return the fill of every part."""
        if self.crossed is None:
            return {"": PALETTE[0]}
        split = self.crossed.columns
        fills = dict(zip(split.vocabulary.ids, _fills(len(split.rows)), strict=True))
        swatches: list[Swatch] = []
        for part in split.vocabulary.terms:
            if any(self.parts(row.term)[part.id] for row in self.margin.rows):
                swatches.append(Swatch(part.label, fills[part.id], edge=GREY))
        paper.legend(swatches, name=split.column.label)
        return fills


def _fills(parts: int) -> list[str]:
    """Return the fills of some parts: shades of one hue where they suffice."""
    if parts > len(SHADES):
        return [color(position) for position in range(parts)]
    if parts == 3:
        # Three neighbouring shades are hard to tell apart in print.
        return [SHADES[0], SHADES[2], "#f0f0f0"]
    return list(SHADES[:parts])


def _bar(
    paper: Paper, parts: dict[str, int], place: tuple[float, float, float], fills: dict[str, str]
) -> None:
    """Draw one bar; `place` is its left end, its middle, and the inches per entry."""
    x, middle, unit = place
    if "" in parts:
        paper.rect((x, middle - 0.075, unit * parts[""], 0.15), fills[""])
        return
    for part, number in parts.items():
        if not number:
            continue
        length = unit * number
        paper.rect((x, middle - 0.075, length, 0.15), fills[part], edge=GREY, line=0.4)
        text = f"{number}"
        if text_width(text, SMALL) + 0.04 < length:
            ink = readable_ink(fills[part])
            paper.text(x + length / 2, middle, text, SMALL, color=ink, align="center")
        x += length
