"""Two numbers of each entry on two logarithmic axes, from evidence tables with a number per row."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.canvas.paper import MARGIN, Box, Paper, Swatch, line_height, text_width, widest, wrap
from corpus.canvas.style import GREY, LIGHT, PALETTE, SMALL
from corpus.model.documents.section import Section, name_of
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.printing.numerals import number
from corpus.publishing.figures.figure_rules import NOT_POSITIVE
from corpus.publishing.figures.plan import Frame, Value, of_type

#: In inches: the height of a decade, the radius of a mark, the gap between mark and name.
_DECADE, _RADIUS, _GAP = 0.85, 0.036, 0.025


class SeriesPlan(NamedTuple):
    """Numbers of one source: a column of a table, in the rows whose cells are as `x`, `y` tell."""

    label: str
    table: str
    value: str
    x: Mapping[str, tuple[str, ...]]
    y: Mapping[str, tuple[str, ...]]
    is_open: bool

    @classmethod
    def read(cls, section: Section) -> SeriesPlan:
        """Read one of ``[[figures.NAME.series]]``."""
        label = section.text("label")
        table = section.evidence_table("table")
        value = name_of(section.column("value", table, of_type(table, "number", "integer")))
        is_open = section.flag("open", False)
        if table is None:
            return cls(label, "", "", {}, {}, is_open)
        x, y = section.filters("x", table), section.filters("y", table)
        section.finish()
        return cls(label, table.name, value, x, y, is_open)


class ScatterPlan(NamedTuple):
    """Two numbers of each entry on logarithmic axes with these titles."""

    x: str
    y: str
    series: tuple[SeriesPlan, ...]

    @classmethod
    def read(cls, section: Section) -> ScatterPlan:
        """Read the titles and the series."""
        series = tuple(SeriesPlan.read(item) for item in section.sections("series"))
        if not series:
            section.mistake("series", "must have at least one")
        return cls(section.text("x"), section.text("y"), series)

    def data(self, study: Study, labels: Mapping[str, str]) -> Scatter:
        """Read the numbers of all series; `labels` are the short names of entries, by key.

        Raises
        ------
        CorpusError
            With a C802 finding for every cell that holds something else than a number above zero.
        """
        findings: list[Finding] = []
        found: list[ScatterSeries] = []
        for series in self.series:
            x = _numbers(study, series, series.x, findings)
            y = _numbers(study, series, series.y, findings)
            marks = []
            for key in sorted(x.keys() | y.keys()):
                marks.append(ScatterMark(key, labels.get(key, key), x.get(key), y.get(key)))
            found.append(ScatterSeries(series.label, series.is_open, tuple(marks)))
        if findings:
            raise CorpusError(findings)
        return Scatter(self.x, self.y, tuple(found))


class ScatterMark(NamedTuple):
    """One entry with its name in print; a number that is not known is None."""

    key: str
    name: str
    x: float | None
    y: float | None

    @property
    def is_drawn(self) -> bool:
        """Whether both numbers are known."""
        return self.x is not None and self.y is not None


class ScatterSeries(NamedTuple):
    """The entries of one source by key; open marks where `is_open`."""

    label: str
    is_open: bool
    marks: tuple[ScatterMark, ...]

    def inside(self, color: str) -> str:
        """Return what a mark of this colour is filled with."""
        return "white" if self.is_open else color


class Scatter(NamedTuple):
    """All series, and what the two axes are."""

    x: str
    y: str
    series: tuple[ScatterSeries, ...]

    def marks(self) -> list[ScatterMark]:
        """Return the marks of all series."""
        return [mark for series in self.series for mark in series.marks]

    def frame(self) -> Frame:
        """Return one row per entry; what is not known is empty."""
        rows: list[tuple[Value, ...]] = []
        for series in self.series:
            for mark in series.marks:
                numbers = ["" if number is None else number for number in (mark.x, mark.y)]
                rows.append((series.label, mark.key, *numbers))
        return Frame(("series", "key", "x", "y"), tuple(rows))

    def draw(self, width: float, title: str) -> Paper:
        """Draw every entry of which both numbers are known; the others are counted below."""
        paper = Paper(width, title)
        swatches: list[Swatch] = []
        points: dict[tuple[float, float, int], list[str]] = {}
        for place, series in enumerate(self.series):
            fill = PALETTE[place % len(PALETTE)]
            if any(mark.is_drawn for mark in series.marks):
                swatches.append(Swatch(series.label, series.inside(fill), edge=fill))
            for mark in series.marks:
                if mark.x is not None and mark.y is not None:
                    lines = wrap(mark.name, SMALL, width / 4)
                    points.setdefault((mark.x, mark.y, place), []).extend(lines)
        paper.legend(swatches)
        up = LogAxis.over([y for _, y, _ in points], 0, 1)
        paper.paragraph(self.y, MARGIN, paper.right - MARGIN, SMALL)
        top = paper.y + 0.08
        floor = top + _DECADE * len(up.decades[1:])
        names = [number(10.0**decade) for decade in up.decades]
        left = MARGIN + widest(names, SMALL) + 0.05
        across = LogAxis.over([x for x, _, _ in points], left, paper.right - 0.1)
        for decade, name in zip(up.decades, names, strict=True):
            y = floor - up.place(10.0**decade) * (floor - top)
            paper.horizontal(left, paper.right, y, LIGHT, 0.4)
            paper.text(left - 0.05, y, name, SMALL, color=GREY, align="right")
        for decade in across.decades:
            paper.vertical(across.place(10.0**decade), top, floor, LIGHT, 0.4)

        places: dict[tuple[float, float, int], tuple[float, float]] = {}
        for point in points:
            places[point] = across.place(point[0]), floor - up.place(point[1]) * (floor - top)
        taken = [(x - _RADIUS, y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS) for x, y in places.values()]
        unnamed: list[str] = []
        # Half a line fits above and below, for the names of marks on the border.
        half = line_height(SMALL) / 2
        plot = (left, top - half, paper.right - left, floor - top + 2 * half)
        for point, entries in points.items():
            x, y = places[point]
            fill = PALETTE[point[2] % len(PALETTE)]
            paper.polygon(_circle(x, y), self.series[point[2]].inside(fill), fill)
            frame = _free(_candidates(entries, x, y), taken, plot)
            if frame is None:
                unnamed += entries
                continue
            taken.append(frame)
            paper.lines(frame[0], frame[1] + frame[3] / 2, entries, SMALL)
        paper.y = floor + half + 0.01
        across.name_decades(paper)
        lines = wrap(self.x, SMALL, paper.right - left)
        height = line_height(SMALL) * len(lines)
        middle = (left + paper.right) / 2
        paper.lines(middle, paper.y + height / 2, lines, SMALL, align="center")
        paper.y += height + 0.03
        paper.note(_not_drawn(self.marks()))
        if unnamed:
            paper.note(f"Marks too near others for a name: {', '.join(unnamed)}.")
        return paper


class LogAxis(NamedTuple):
    """The axis from `left` to `right` in inches, over the decades `low` to `high`."""

    left: float
    right: float
    low: int
    high: int

    @classmethod
    def over(cls, values: Iterable[float], left: float, right: float) -> LogAxis:
        """Return the axis that has place for all values; they are above zero."""
        logs = [math.log10(value) for value in values] or [0.0]
        low = math.floor(min(logs))
        # Also for one number the axis has a length.
        high = max(math.ceil(max(logs)), low + 1)
        return cls(left, right, low, high)

    def place(self, value: float) -> float:
        """Return where a value is, in inches from the left of the page."""
        decades = math.log10(value) - self.low
        share = decades / (self.high - self.low)
        return self.left + share * (self.right - self.left)

    @property
    def decades(self) -> range:
        """The exponents of the decades."""
        return range(self.low, self.high + 1)

    def name_decades(self, paper: Paper) -> None:
        """Name the decades at the current height, as far as the names fit, and move below them."""
        middle = paper.y + line_height(SMALL) / 2
        free_from = -1.0
        for decade in self.decades:
            name = number(10.0**decade)
            x = self.place(10**decade)
            half = text_width(name, SMALL) / 2
            if x - half > free_from:
                paper.text(x, middle, name, SMALL, color=GREY, align="center")
                free_from = x + half + 0.06
        paper.y += line_height(SMALL) + 0.04


def _numbers(
    study: Study, plan: SeriesPlan, where: Mapping[str, tuple[str, ...]], findings: list[Finding]
) -> dict[str, float | None]:
    """Return the number of each entry with a row that is as `where` tells, the largest of several.

    None where the cell is empty: nobody found the number.
    """
    table = study.tables[plan.table]
    reference = table.spec.reference_to(study.codebook.pool)
    assert reference is not None  # the plan was read with it
    found: dict[str, float | None] = {}
    for record, line in zip(table.records(), table.lines, strict=True):
        if not all(record[column] in values for column, values in where.items()):
            continue
        key, cell = record[reference.name], record[plan.value]
        number = positive_number(cell) if cell else None
        if cell and not number:
            findings.append(NOT_POSITIVE.at(table.file, line, plan.value, cell))
        found[key] = max(number or 0, found.get(key) or 0) or None
    return found


def positive_number(text: str) -> float:
    """Return a finite number above zero as it was written, or 0 where the text is none.

    Examples
    --------
    >>> positive_number("2.5"), positive_number("-1"), positive_number("many")
    (2.5, 0.0, 0.0)
    """
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) and value > 0 else 0.0


def _circle(x: float, y: float) -> list[tuple[float, float]]:
    angles = [part * math.pi / 8 for part in range(16)]
    return [(x + _RADIUS * math.cos(angle), y + _RADIUS * math.sin(angle)) for angle in angles]


def _candidates(names: Sequence[str], x: float, y: float) -> Iterator[Box]:
    """Yield where names may be: right of their mark, left of it, above or below; all touch it."""
    width, height = widest(names, SMALL), line_height(SMALL) * len(names)
    off = _RADIUS + _GAP
    yield x + off, y - height / 2, width, height
    yield x - off - width, y - height / 2, width, height
    yield x - width / 2, y - off - height, width, height
    yield x - width / 2, y + off, width, height
    yield x + off, y - height, width, height
    yield x + off, y, width, height
    yield x - off - width, y - height, width, height
    yield x - off - width, y, width, height


def _free(candidates: Iterator[Box], taken: Sequence[Box], inside: Box) -> Box | None:
    """Return the first candidate inside a box that touches nothing; None where there is none."""
    left, top, width, height = inside
    for box in candidates:
        is_across = left <= box[0] and box[0] + box[2] <= left + width
        is_down = top <= box[1] and box[1] + box[3] <= top + height
        if is_across and is_down and not any(_touch(box, other) for other in taken):
            return box
    return None


def _touch(one: Box, other: Box) -> bool:
    apart_x = one[0] >= other[0] + other[2] or other[0] >= one[0] + one[2]
    apart_y = one[1] >= other[1] + other[3] or other[1] >= one[1] + one[3]
    return not (apart_x or apart_y)


def _not_drawn(marks: Sequence[ScatterMark]) -> str:
    """Return how many entries lack a number: the reader must not take them for small ones."""
    drawn = sum(mark.is_drawn for mark in marks)
    neither = sum(mark.x is None and mark.y is None for mark in marks)
    one = len(marks) - drawn - neither
    return (
        f"{drawn} of {len(marks)} entries have both numbers and are drawn; of {one} only one was "
        f"found where we looked, of {neither} none."
    )
