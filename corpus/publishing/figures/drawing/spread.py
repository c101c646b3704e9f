"""Points of several series on one logarithmic axis, equal values stacked, the largest named."""

from __future__ import annotations

from collections import Counter

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, line_height, text_width, widest, wrap
from corpus.canvas.style import GREY, LIGHT, PALETTE, SMALL, TEXT
from corpus.publishing.figures.drawing.log_axis import LogAxis, number_in_print
from corpus.publishing.figures.kinds.spread import Spread, SpreadMark, SpreadPanel, SpreadSeries

#: Side of a point and the distance of two stacked points, in inches.
_POINT, _STEP = 0.065, 0.075

#: More equal values than this are drawn as one column with their number.
_MOST_STACKED = 12


def draw_spread(data: Spread, width: float, title: str) -> Figure:
    """Draw one band per series: its points on the axis, the number of unknown ones beside it."""
    paper = Paper(width, title)
    labels: list[str] = []
    for panel in data.panels:
        labels += [series.label for series in panel.series]
    longest = 1.25 if width > 5 else 0.78
    label_lines = {label: wrap(label, SMALL, longest) for label in labels}
    left = MARGIN + max((widest(lines, SMALL) for lines in label_lines.values()), default=0) + 0.14
    beside = 0.85
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
    highest = min(max(stacks.values(), default=1), _MOST_STACKED)
    name_height = line_height(SMALL) if series.marks else 0.0
    height = max(highest * _STEP + name_height, len(label) * line_height(SMALL)) + 0.1
    top, bottom = paper.y, paper.y + height
    for decade in axis.decades:
        x = axis.place(10**decade)
        paper.line((x, x), (top, bottom), LIGHT, 0.4, dotted=True)
    paper.horizontal(axis.left, axis.right, bottom, LIGHT)
    paper.lines(MARGIN + 0.06, (top + bottom) / 2, label, SMALL)
    for value, entries in stacks.items():
        _stack(paper, axis.place(value), bottom, entries, color)
    if series.marks:
        _name_largest(paper, series.marks, axis, bottom, stacks)
    known = len(series.marks)
    total = known + len(series.unknown)
    text = f"{len(series.unknown)} of {total}" if series.unknown else "none"
    x = axis.right + 0.1
    middle = (top + bottom) / 2
    paper.lines(x, middle, [f"unknown: {text}"], SMALL, color=GREY)
    paper.y = bottom


def _stack(paper: Paper, x: float, bottom: float, entries: int, color: str) -> None:
    """Draw equal values above each other; a higher stack ends with its number."""
    drawn = min(entries, _MOST_STACKED)
    for place in range(drawn):
        y = bottom - (place + 1) * _STEP
        paper.rect((x - _POINT / 2, y, _POINT, _POINT), color, edge="white", line=0.4)


def _name_largest(
    paper: Paper,
    marks: tuple[SpreadMark, ...],
    axis: LogAxis,
    bottom: float,
    stacks: Counter[float],
) -> None:
    """Name the entry with the largest number above its point, and how many share it."""
    largest = marks[-1]
    entries = stacks[largest.value]
    text = f"{largest.name} {number_in_print(largest.value)}"
    if entries > 1:
        text = f"{number_in_print(largest.value)}: {entries} entries"
    stack = min(entries, _MOST_STACKED)
    y = bottom - stack * _STEP - line_height(SMALL) / 2
    wide = text_width(text, SMALL)
    x = min(max(axis.place(largest.value), axis.left + wide / 2), axis.right - wide / 2)
    paper.text(x, y, text, SMALL, align="center")
