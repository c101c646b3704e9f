"""Numbers on one logarithmic axis, grouped by unit, each with its boundary in words."""

from __future__ import annotations

import math

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, line_height, text_width, widest, wrap
from corpus.canvas.style import GREY, INK, LIGHT, PALETTE, SMALL, TEXT
from corpus.publishing.figures.drawing.log_axis import LogAxis, number_in_print
from corpus.publishing.figures.kinds.ranges import RangeMark, Ranges


def draw_ranges(data: Ranges, width: float, title: str) -> Figure:
    """Draw one number per row, with its boundary beside it, or below it on a narrow page."""
    paper = Paper(width, title)
    wide = width > 5
    _legend(paper, data)
    # On a wide page, names are left of the axis and boundaries right of it.
    left = 2.05 if wide else 0.14
    beside = 2.6 if wide else 0.08
    right = paper.right - beside
    axis = _axis(data, left, right)
    if wide:
        middle = paper.y + line_height(SMALL) / 2
        paper.text(right + 0.12, middle, data.boundary, SMALL, color=GREY, weight="bold")
    _ticks(paper, axis)
    for unit in data.units:
        middle = paper.y + line_height(TEXT) / 2 + 0.03
        paper.text(MARGIN, middle, unit, TEXT, weight="bold", color=PALETTE[0])
        paper.y += line_height(TEXT) + 0.05
        for mark in data.marks:
            if mark.unit != unit:
                continue
            if wide:
                _wide_row(paper, mark, axis, data.kinds, right + 0.12)
            else:
                _narrow_row(paper, mark, axis, data.kinds)
        paper.y += 0.03
    return paper.figure()


def _axis(data: Ranges, left: float, right: float) -> LogAxis:
    """Return the axis over all numbers, with space right of it for the longest of them."""
    values = [mark.value for mark in data.marks]
    beside = widest([number_in_print(value) for value in values], SMALL) + 0.1
    return LogAxis.over(values, left, right - beside)


def _ticks(paper: Paper, axis: LogAxis) -> None:
    """Name the decades above the rows, and draw the axis below the names."""
    axis.name_decades(paper)
    paper.horizontal(axis.left, axis.right, paper.y)
    for decade in axis.decades:
        paper.vertical(axis.place(10**decade), paper.y - 0.03, paper.y)
    paper.y += 0.03


def _wide_row(
    paper: Paper, mark: RangeMark, axis: LogAxis, kinds: tuple[str, ...], beside: float
) -> None:
    """Draw a number between its name and its boundary, which begins at `beside`."""
    names = wrap(f"{mark.name}: {mark.quantity}", SMALL, axis.left - MARGIN - 0.15)
    boundary = wrap(mark.boundary, SMALL, paper.right - beside)
    height = max(len(names), len(boundary)) * line_height(SMALL) + 0.07
    middle = paper.y + height / 2
    end = paper.y + height
    paper.lines(MARGIN + 0.08, middle, names, SMALL)
    paper.lines(beside, middle, boundary, SMALL, color=GREY)
    _mark(paper, mark, axis, kinds, (paper.y, middle, end))
    paper.y = end


def _narrow_row(paper: Paper, mark: RangeMark, axis: LogAxis, kinds: tuple[str, ...]) -> None:
    """Draw a number below its name and above its boundary."""
    left = MARGIN + 0.08
    width = paper.right - MARGIN - 0.08
    paper.paragraph(f"{mark.name}: {mark.quantity}", left, width, SMALL)
    end = paper.y + 0.18
    _mark(paper, mark, axis, kinds, (paper.y, paper.y + 0.09, end))
    paper.y = end
    paper.paragraph(mark.boundary, left, width, SMALL, GREY)
    paper.y += 0.05


def _mark(
    paper: Paper,
    mark: RangeMark,
    axis: LogAxis,
    kinds: tuple[str, ...],
    heights: tuple[float, float, float],
) -> None:
    """Draw the mark of a number on the axis; `heights` are top, middle and bottom of its row."""
    top, middle, bottom = heights
    for decade in axis.decades:
        x = axis.place(10**decade)
        paper.line((x, x), (top, bottom), LIGHT, 0.4, dotted=True)
    x = axis.place(mark.value)
    paper.horizontal(axis.left, x, middle, GREY, 0.7)
    kind = kinds.index(mark.kind) if mark.kind in kinds else 0
    _marker(paper, x, middle, kind)
    paper.text(x + 0.09, middle, number_in_print(mark.value), SMALL)


def _marker(paper: Paper, x: float, y: float, kind: int) -> None:
    """Draw the marker of one kind of number: both shape and colour tell the kinds apart."""
    r = 0.045
    tip = r * 1.2
    triangle = [(x - r, y - r), (x + r, y), (x - r, y + r)]
    diamond = [(x, y - tip), (x + tip, y), (x, y + tip), (x - tip, y)]
    circle = []
    for sixteenth in range(16):
        angle = sixteenth * math.pi / 8
        circle.append((x + r * math.cos(angle), y + r * math.sin(angle)))
    square = [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]
    markers = (
        (triangle, PALETTE[3], "none"),
        (diamond, PALETTE[1], "none"),
        (circle, PALETTE[0], "none"),
        (square, "white", INK),
    )
    points, fill, edge = markers[kind % len(markers)]
    paper.polygon(points, fill, edge)


def _legend(paper: Paper, data: Ranges) -> None:
    """Explain the markers in as many rows as needed."""
    if not data.kinds:
        return
    x = MARGIN
    step = line_height(SMALL) + 0.04
    for number, kind in enumerate(data.kinds):
        needed = 0.2 + text_width(kind, SMALL)
        if x > MARGIN and x + needed > paper.right:
            x = MARGIN
            paper.y += step
        middle = paper.y + step / 2
        _marker(paper, x + 0.06, middle, number)
        paper.text(x + 0.15, middle, kind, SMALL)
        x += needed + 0.12
    paper.y += step + 0.06
