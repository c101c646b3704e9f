"""Points of several series on one logarithmic axis, equal values stacked, the largest named."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, line_height, widest, wrap
from corpus.canvas.style import GREY, LIGHT, PALETTE, SMALL, TEXT
from corpus.publishing.figures.drawing.log_axis import LogAxis, number_in_print
from corpus.publishing.figures.kinds.spread import SpreadData, SpreadMark, SpreadPanel, SpreadSeries

#: Side of a point and the distance of two stacked points, in inches.
_POINT, _STEP = 0.065, 0.075

#: On a shorter axis points are smaller, so that 3 and 4 stay apart.
_WIDE_AXIS, _SMALL_POINT = 3.0, 0.035

#: Between the end of the axis and the number of unknown ones, half a name of a decade fits.
_GAP = 0.2

#: The highest stack, in inches: more equal values are drawn closer to each other.
_HIGHEST = 1.2


def draw_spread(data: SpreadData, width: float, title: str) -> Figure:
    """Draw one band per series: its points on the axis, the number of unknown ones beside it."""
    paper = Paper(width, title)
    labels: list[str] = []
    unknown: list[str] = []
    for panel in data.panels:
        labels += [series.label for series in panel.series]
        unknown += [_unknown(series) for series in panel.series]
    longest = 1.25 if width > 5 else 0.78
    label_lines = {label: wrap(label, SMALL, longest) for label in labels}
    left = MARGIN + widest(chain(*label_lines.values()), SMALL) + 0.14
    beside = widest(unknown, SMALL) + _GAP
    axis = LogAxis.over(data.values, left, paper.right - beside)
    for panel in data.panels:
        _panel(paper, panel, axis, label_lines)
    return paper.figure()


def _panel(paper: Paper, panel: SpreadPanel, axis: LogAxis, labels: dict[str, list[str]]) -> None:
    paper.paragraph(panel.title, MARGIN, paper.right - MARGIN, TEXT, weight="bold")
    paper.y += 0.03
    for number, series in enumerate(panel.series):
        _band(paper, series, axis, labels[series.label], PALETTE[number % len(PALETTE)])
    paper.y += 0.02
    axis.name_decades(paper)
    paper.y += 0.08


def _band(paper: Paper, series: SpreadSeries, axis: LogAxis, label: list[str], color: str) -> None:
    stacks = Counter(mark.value for mark in series.marks)
    most = max(stacks.values(), default=1)
    step = min(_STEP, _HIGHEST / most)
    highest = most * step
    line = line_height(SMALL)
    # Above the points there may be the name of the largest.
    points_height = highest + line if series.marks else highest
    height = max(points_height, line * len(label)) + 0.1
    top = paper.y
    bottom = top + height
    for decade in axis.decades:
        x = axis.place(10**decade)
        paper.line((x, x), (top, bottom), LIGHT, 0.4, dotted=True)
    paper.horizontal(axis.left, axis.right, bottom, LIGHT)
    paper.lines(MARGIN + 0.06, (top + bottom) / 2, label, SMALL)
    point = _POINT if axis.right - axis.left > _WIDE_AXIS else _SMALL_POINT
    for value, entries in stacks.items():
        x = axis.place(value) - point / 2
        for place in range(1, entries + 1):
            box = (x, bottom - place * step, point, 0.87 * step)
            paper.rect(box, color)
    if series.marks:
        _name_largest(paper, series.marks, axis, bottom, highest)
    paper.text(axis.right + _GAP, (top + bottom) / 2, _unknown(series), SMALL, color=GREY)
    paper.y = bottom


def _unknown(series: SpreadSeries) -> str:
    """Return how many entries have no number; the reader must not take them for small ones."""
    if not series.unknown:
        return "unknown: none"
    unknown = len(series.unknown)
    return f"unknown: {unknown} of {len(series.marks) + unknown}"


def _name_largest(
    paper: Paper, marks: tuple[SpreadMark, ...], axis: LogAxis, bottom: float, highest: float
) -> None:
    """Name the entry with the largest number beside its point: nothing is right of it.

    Where the axis ends too soon, the name is above all points.
    """
    largest = marks[-1]
    same = sum(mark.value == largest.value for mark in marks)
    number = number_in_print(largest.value)
    text = f"{largest.name} {number}"
    if same > 1:
        text = f"{number}: {same} entries"
    x = axis.place(largest.value) + _POINT
    y = bottom - _STEP / 2 - 0.02
    lines = wrap(text, SMALL, axis.right - axis.left)
    if x + widest(lines, SMALL) > axis.right:
        x = max(axis.left, axis.right - widest(lines, SMALL))
        y = bottom - highest - line_height(SMALL) * len(lines) / 2
    paper.lines(x, y, lines, SMALL)
