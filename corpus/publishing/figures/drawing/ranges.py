"""Numbers on one logarithmic axis, grouped by unit, each with its boundary in words."""

from __future__ import annotations

import math
from typing import NamedTuple

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, line_height, text_width, wrap
from corpus.canvas.style import GREY, INK, LIGHT, PALETTE, SMALL, TEXT
from corpus.publishing.figures.kinds.ranges import RangeMark, Ranges


class _LogAxis(NamedTuple):
    """The logarithmic axis between two places in inches, over whole decades."""

    left: float
    right: float
    low: int
    high: int

    def place(self, value: float) -> float:
        return self.left + (math.log10(value) - self.low) / (self.high - self.low) * (self.right - self.left)


def draw_ranges(data: Ranges, width: float, title: str) -> Figure:
    """Draw one number a row; beside it on a wide page, below it on a narrow one, what it does not show."""
    sheet = Paper(width, title)
    wide = width > 5
    _legend(sheet, data)
    left = 2.05 if wide else 0.14
    right = sheet.right - (2.6 if wide else 0.08)
    logs = [math.log10(mark.value) for mark in data.marks] or [0.0]
    low = math.floor(min(logs))
    axis = _LogAxis(left, right - _room(data), low, max(math.ceil(max(logs)), low + 1))
    top = sheet.y
    if wide:
        sheet.text(right + 0.12, top + line_height(SMALL) / 2, data.boundary, SMALL, color=GREY, weight="bold")
    _ticks(sheet, axis)
    for unit in data.units:
        sheet.text(MARGIN, sheet.y + line_height(TEXT) / 2 + 0.03, unit, TEXT, weight="bold", color=PALETTE[0])
        sheet.y += line_height(TEXT) + 0.05
        for mark in (mark for mark in data.marks if mark.unit == unit):
            _row(sheet, mark, axis, data.kinds, right if wide else 0.0)
        sheet.y += 0.03
    return sheet.figure()


def _room(data: Ranges) -> float:
    """Return the space that the longest number needs right of the axis."""
    return max([text_width(_value(mark), SMALL) for mark in data.marks] + [0.0]) + 0.1


def _value(mark: RangeMark) -> str:
    return f"{mark.value:,.0f}" if mark.value == int(mark.value) else f"{mark.value:,g}"


def _ticks(sheet: Paper, axis: _LogAxis) -> None:
    """Name the decades above the rows."""
    middle = sheet.y + line_height(SMALL) / 2
    shown = -1.0
    for decade in range(axis.low, axis.high + 1):
        words = f"{10**decade:,}" if decade >= 0 else f"{10.0**decade:g}"
        x, half = axis.place(10**decade), text_width(words, SMALL) / 2
        if x - half > shown:
            sheet.text(x, middle, words, SMALL, color=GREY, align="center")
            shown = x + half + 0.06
    sheet.y += line_height(SMALL) + 0.04
    sheet.line((axis.left, axis.right), (sheet.y, sheet.y), GREY, 0.6)
    for decade in range(axis.low, axis.high + 1):
        sheet.line((axis.place(10**decade),) * 2, (sheet.y - 0.03, sheet.y), GREY, 0.6)
    sheet.y += 0.03


def _row(sheet: Paper, mark: RangeMark, axis: _LogAxis, kinds: tuple[str, ...], beside: float) -> None:
    """Draw one number; `beside` is where its boundary stands, 0 for below."""
    words = f"{mark.name}: {mark.quantity}"
    if beside:
        names = wrap(words, SMALL, axis.left - MARGIN - 0.15)
        notes = wrap(mark.boundary, SMALL, sheet.right - beside - 0.12)
        height = max(len(names), len(notes)) * line_height(SMALL) + 0.07
        start, middle = sheet.y, sheet.y + height / 2
        sheet.lines(MARGIN + 0.08, middle, names, SMALL)
        sheet.lines(beside + 0.12, middle, notes, SMALL, color=GREY)
        end = sheet.y + height
    else:
        sheet.paragraph(words, MARGIN + 0.08, sheet.right - MARGIN - 0.08, SMALL)
        start, middle, end = sheet.y, sheet.y + 0.09, sheet.y + 0.18
    for decade in range(axis.low, axis.high + 1):
        sheet.line((axis.place(10**decade),) * 2, (start, end), LIGHT, 0.4, dotted=True)
    x = axis.place(mark.value)
    sheet.line((axis.left, x), (middle, middle), GREY, 0.7)
    _marker(sheet, (x, middle), kinds.index(mark.kind) if mark.kind in kinds else 0)
    sheet.text(x + 0.09, middle, _value(mark), SMALL)
    sheet.y = end
    if not beside:
        sheet.paragraph(mark.boundary, MARGIN + 0.08, sheet.right - MARGIN - 0.08, SMALL, GREY)
        sheet.y += 0.05


def _marker(sheet: Paper, place: tuple[float, float], kind: int) -> None:
    """Draw the sign of one kind of number: shape and colour both tell it."""
    (x, y), r = place, 0.045
    shapes = (
        [(x - r, y - r), (x + r, y), (x - r, y + r)],
        [(x, y - r * 1.2), (x + r * 1.2, y), (x, y + r * 1.2), (x - r * 1.2, y)],
        [(x + r * math.cos(a * math.pi / 8), y + r * math.sin(a * math.pi / 8)) for a in range(16)],
        [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
    )
    fills = (PALETTE[3], PALETTE[1], PALETTE[0], "white")
    sheet.polygon(shapes[kind % 4], fills[kind % 4], INK if kind % 4 == 3 else "none")


def _legend(sheet: Paper, data: Ranges) -> None:
    if not data.kinds:
        return
    x, step = MARGIN, line_height(SMALL) + 0.04
    for number, kind in enumerate(data.kinds):
        needed = 0.2 + text_width(kind, SMALL)
        if x > MARGIN and x + needed > sheet.right:
            x, sheet.y = MARGIN, sheet.y + step
        _marker(sheet, (x + 0.06, sheet.y + step / 2), number)
        sheet.text(x + 0.15, sheet.y + step / 2, kind, SMALL)
        x += needed + 0.12
    sheet.y += step + 0.06
