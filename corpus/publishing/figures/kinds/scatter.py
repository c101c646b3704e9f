"""Two numbers of each entry on two logarithmic axes, from evidence tables with a number per row."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import NamedTuple

from corpus.canvas.paper import LINE, MARGIN, Paper, Swatch, text_width, widest, wrap
from corpus.canvas.style import GREY, LIGHT, color
from corpus.model.documents.section import Section, name_of
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.model.study import Study
from corpus.printing.numerals import number
from corpus.publishing.figures.figure_plan import Counting, Frame, of_type, short_names

NOT_POSITIVE = Rule(
    "C802",
    "{value} cannot be placed on a logarithmic axis",
    "give a number above zero, or remove the row from the table",
    title="Number cannot be drawn",
    reason="A logarithmic axis has no zero and no negative numbers.",
)


#: In inches: the height of a decade, the radius of a mark, the gap between mark and name.
_DECADE, _RADIUS, _GAP = 0.85, 0.036, 0.025


#: Left, top, right and bottom in inches.
Edges = tuple[float, float, float, float]


class SeriesPlan(NamedTuple):
    """Numbers of one source: a column of a table, in the rows whose cells are as `x`, `y` tell."""

    label: str
    table: str
    value: str
    x: Mapping[str, tuple[str, ...]]
    y: Mapping[str, tuple[str, ...]]
    open: bool = False


def read_scatter(section: Section) -> Counting:
    """Read the titles of the two axes, and the series."""
    plans = []
    for item in section.sections("series"):
        table = item.evidence_table("table")
        value = name_of(item.column("value", table, of_type(table, "number", "integer")))
        if table is not None:
            x, y = item.filters("x", table), item.filters("y", table)
            plan = item.record(SeriesPlan, table=table.name, value=value, x=x, y=y)
            plans.append(plan)
    if not section.raw("series"):
        section.mistake("series", "must have at least one")
    x_title, y_title = section.text("x"), section.text("y")
    name_in_print = short_names(section)

    def count(study: Study) -> Scatter:
        findings: list[Finding] = []
        found = []
        for plan in plans:
            x = _numbers_by_entry(study, plan, plan.x, findings)
            y = _numbers_by_entry(study, plan, plan.y, findings)
            marks = []
            for key in sorted(x.keys() | y.keys()):
                name = name_in_print(study.entries[key]) if key in study.entries else key
                marks.append(ScatterMark(key, name, x.get(key), y.get(key)))
            found.append(ScatterSeries(plan.label, plan.open, marks))
        if findings:
            raise CorpusError(findings)
        return Scatter(x_title, y_title, found)

    return count


class ScatterMark(NamedTuple):
    """One entry with its name in print; a number that is not known is None."""

    key: str
    name: str
    x: float | None
    y: float | None


class ScatterSeries(NamedTuple):
    """The entries of one source by key; open marks where `is_open`."""

    label: str
    is_open: bool
    marks: Sequence[ScatterMark]


@dataclass(frozen=True)
class Scatter:
    """All series, and what the two axes are."""

    x: str
    y: str
    series: Sequence[ScatterSeries]

    def frame(self) -> Frame:
        """Return one row per entry; what is not known is empty."""
        rows = []
        for series in self.series:
            for mark in series.marks:
                # Numbers are above zero, so that only those that are not known are empty.
                rows.append((series.label, mark.key, mark.x or "", mark.y or ""))
        return Frame(("series", "key", "x", "y"), rows)

    def draw(self, width: float, title: str) -> Paper:
        """Draw every entry of which both numbers are known; the others are counted below."""
        paper = Paper(width, title)
        points: dict[tuple[float, float, Swatch], list[str]] = {}
        for place, series in enumerate(self.series):
            edge = color(place)
            swatch = Swatch(
                series.label, "white" if series.is_open else edge, edge=edge, is_round=True
            )
            for mark in series.marks:
                if mark.x is not None and mark.y is not None:
                    lines = wrap(mark.name, width / 4)
                    points.setdefault((mark.x, mark.y, swatch), []).extend(lines)
        paper.legend(list(dict.fromkeys(swatch for _, _, swatch in points)))
        up, across = LogAxis(y for _, y, _ in points), LogAxis(x for x, _, _ in points)
        paper.paragraph(self.y)
        top = paper.y + 0.08
        height = _DECADE * (up.high - up.low)
        floor = top + height
        left = MARGIN + widest(up.ticks) + 0.05
        width = paper.right - 0.1 - left
        for name, share in up.ticks.items():
            y = floor - height * share
            paper.horizontal(left, paper.right, y, LIGHT, 0.4)
            paper.text(left - 0.05, y, name, color=GREY, align="right")
        for share in across.ticks.values():
            paper.vertical(left + width * share, top, floor, LIGHT, 0.4)

        places = []
        for x, y, _ in points:
            places.append((left + width * across.share(x), floor - height * up.share(y)))
        taken = [(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y in places]
        unnamed = []
        # Half a line fits above and below, for the names of marks on the border.
        half = LINE / 2
        plot = (left, top - half, paper.right, floor + half)
        for ((_, _, swatch), names), (x, y) in zip(points.items(), places, strict=True):
            paper.circle(x, y, _RADIUS, swatch.fill, swatch.edge)
            frame = _free(names, x, y, taken, plot)
            if frame is None:
                unnamed += names
                continue
            taken.append(frame)
            paper.lines(frame[0], (frame[1] + frame[3]) / 2, names)
        paper.y = floor + half + 0.01
        free_from = -1.0
        for name, share in across.ticks.items():
            x, half = left + width * share, text_width(name) / 2
            if x - half > free_from:
                paper.text(x, paper.y + LINE / 2, name, color=GREY, align="center")
                free_from = x + half + 0.06
        paper.y += LINE + 0.04
        lines = wrap(self.x, paper.right - left)
        height = LINE * len(lines)
        middle = (left + paper.right) / 2
        paper.lines(middle, paper.y + height / 2, lines, align="center")
        paper.y += height + 0.03
        # The reader must not take those that lack a number for small ones.
        marks = chain.from_iterable(series.marks for series in self.series)
        lacking = Counter((mark.x, mark.y).count(None) for mark in marks)
        paper.note(
            f"{lacking[0]} of {lacking.total()} entries have both numbers and are drawn; of "
            f"{lacking[1]} only one was found where we looked, of {lacking[2]} none."
        )
        if unnamed:
            paper.note(f"Marks too near others for a name: {', '.join(unnamed)}.")
        return paper


class LogAxis:
    """A logarithmic axis over the decades that have place for all values; they are above zero."""

    def __init__(self, values: Iterable[float]) -> None:
        logs = list(map(math.log10, values)) or [0.0]
        self.low = math.floor(min(logs))
        # Also for one number the axis has a length.
        self.high = max(math.ceil(max(logs)), self.low + 1)

    def share(self, value: float) -> float:
        """Return where a value is: 0 at the lower end, 1 at the upper one."""
        return (math.log10(value) - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> dict[str, float]:
        """The share of each decade by its number in print."""
        decades = [10.0**exponent for exponent in range(self.low, self.high + 1)]
        return {number(decade): self.share(decade) for decade in decades}


def _numbers_by_entry(
    study: Study, plan: SeriesPlan, where: Mapping[str, tuple[str, ...]], findings: list[Finding]
) -> dict[str, float | None]:
    """Return the number of each entry with a row that is as `where` tells, the largest of several.

    None where the cell is empty: nobody found the number.
    """
    table = study.tables[plan.table]
    found: dict[str, float | None] = {}
    rows = zip(study.keys_about(table), table.records(), table.lines, strict=True)
    for key, record, line in rows:
        if not all(record[column] in values for column, values in where.items()):
            continue
        cell, number = record[plan.value], 0.0
        with suppress(ValueError):
            number = float(cell)
        if cell and not 0 < number < math.inf:
            findings.append(NOT_POSITIVE.at(table.file, line, plan.value, cell))
        found[key] = max(number, found.get(key) or 0) or None
    return found


def _free(
    names: Sequence[str], x: float, y: float, taken: Sequence[Edges], inside: Edges
) -> Edges | None:
    """Return where names may be beside their mark: inside a box, and touching nothing else.

    None where they have no such place.
    """
    width, height = widest(names), LINE * len(names)
    off = _RADIUS + _GAP
    right, left, middle = x + off, x - off - width, x - width / 2
    places = [(right, y - height / 2), (left, y - height / 2)]
    places += [(middle, y - off - height), (middle, y + off)]
    places += [(right, y - height), (right, y), (left, y - height), (left, y)]
    for x, y in places:
        box = (x, y, x + width, y + height)
        is_inside = (
            inside[0] <= x and inside[1] <= y and box[2] <= inside[2] and box[3] <= inside[3]
        )
        if is_inside and not any(map(partial(_touch, box), taken)):
            return box
    return None


def _touch(one: Edges, other: Edges) -> bool:
    is_beside = one[0] >= other[2] or other[0] >= one[2]
    return not is_beside and one[1] < other[3] and other[1] < one[3]
