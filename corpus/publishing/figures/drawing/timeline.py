"""Columns by month, stacked by group; milestones above, what lies outside the window below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, groupby

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, Swatch, fitting, line_height, text_width
from corpus.canvas.style import ALERT, GREY, LIGHT, PALE, SMALL, color
from corpus.publishing.figures.drawing.milestones import draw_names, named_places
from corpus.publishing.figures.kinds.timeline import Timeline

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_PLOT = 1.55


def draw_timeline(data: Timeline, width: float, title: str) -> Figure:
    """Draw the columns of every month in the window, empty ones included."""
    sheet = Paper(width, title)
    items = [Swatch(f"{g.label} {data.of_group(g.id)}", color(i)) for i, g in enumerate(data.groups)]
    sheet.legend(items)
    top = max([data.of_month(month) for month in data.months] + [1])
    left = MARGIN + 0.15 + text_width(f"{top}", SMALL) + 0.05
    step = (sheet.right - left) / len(data.months)
    centres = {month: left + step * (i + 0.5) for i, month in enumerate(data.months)}
    marks: dict[float, str] = {}
    for milestone in data.milestones:
        x = centres[milestone.month]
        marks[x] = f"{marks[x]}, {milestone.label}" if x in marks else milestone.label
    names, key = named_places(marks, sheet.right)
    heights = draw_names(sheet, names)
    floor = sheet.y + 0.2 + _PLOT
    unit = _PLOT / top
    _scale(sheet, top, floor, left)
    for month in data.months:
        _column(sheet, data, month, (centres[month], step), (floor, unit))
    sheet.line((left, sheet.right), (floor, floor), GREY, 0.6)
    tops = {centres[month]: floor - unit * data.of_month(month) - 0.15 for month in data.months}
    for x, y in heights.items():
        sheet.line((x, x), (y + line_height(SMALL) / 2 - 0.01, tops[x]), ALERT, 0.6)
        diamond = [(x, tops[x] + 0.035), (x - 0.03, tops[x]), (x, tops[x] - 0.035), (x + 0.03, tops[x])]
        sheet.polygon(diamond, ALERT)
    sheet.y = floor
    _months(sheet, data.months, centres, step)
    sheet.note(key)
    sheet.note(_outside(data))
    return sheet.figure()


def _scale(sheet: Paper, top: int, floor: float, left: float) -> None:
    unit = _PLOT / top
    step = next(factor * 10**power for power in count() for factor in (1, 2, 5) if top / (factor * 10**power) <= 5)
    for value in range(0, top + 1, step):
        y = floor - unit * value
        sheet.line((left, sheet.right), (y, y), LIGHT, 0.5)
        sheet.text(left - 0.05, y, f"{value}", SMALL, color=GREY, align="right")
    bottom = floor - (unit * top - text_width("entries", SMALL)) / 2
    sheet.turned(MARGIN + 0.05, bottom, "entries", SMALL, color=GREY)


def _column(sheet: Paper, data: Timeline, month: str, place: tuple[float, float], scale: tuple[float, float]) -> None:
    (x, step), (floor, unit) = place, scale
    number = data.of_month(month)
    if not number:
        sheet.rect((x - step / 2, floor - _PLOT, step, _PLOT), PALE)
    y = floor
    for position, group in enumerate(data.groups):
        height = unit * data.counts[month, group.id]
        if height:
            sheet.rect((x - step * 0.38, y - height, step * 0.76, height), color(position), edge="white", line=0.4)
            y -= height
    if step < 0.1:
        return
    weight = "normal" if number else "bold"
    size = fitting(f"{number}", SMALL, step - 0.02)
    sheet.text(x, y - 0.065, f"{number}", size, weight=weight, color=GREY if number else ALERT, align="center")


def _months(sheet: Paper, months: Sequence[str], centres: dict[str, float], step: float) -> None:
    """Name the months, by a letter where there is no room for three, and the years below them."""
    names = {month: _MONTHS[int(month[5:]) - 1] for month in months}
    if max(text_width(name, SMALL) for name in names.values()) > step - 0.04:
        names = {month: name[0] for month, name in names.items()}
    below = sheet.y + 0.03 + line_height(SMALL) / 2
    if step > 0.1:
        for month in months:
            sheet.text(centres[month], below, names[month], SMALL, align="center")
    line = below + line_height(SMALL) / 2 + 0.02
    shown = -1.0
    for year, group in groupby(months, key=lambda month: month[:4]):
        inside = list(group)
        start, end = centres[inside[0]] - step / 2 + 0.02, centres[inside[-1]] + step / 2 - 0.02
        sheet.line((start, end), (line, line), GREY, 0.6)
        middle, half = (start + end) / 2, text_width(year, SMALL) / 2
        middle = min(max(middle, MARGIN + half), sheet.right - half)
        if middle - half > shown:
            sheet.text(middle, line + 0.02 + line_height(SMALL) / 2, year, SMALL, align="center", color=GREY)
            shown = middle + half + 0.05
    sheet.y = line + 0.02 + line_height(SMALL)


def _outside(data: Timeline) -> str:
    """Say what the window leaves out, and which of its months are empty."""
    parts = [f"{data.entries['inside']} of {data.total} entries lie inside the window"]
    words = {"before": "earlier", "after": "later", "undated": "without a month"}
    for part, word in words.items():
        named = [
            f"{group.label} {data.outside[part, group.id]}" for group in data.groups if data.outside[part, group.id]
        ]
        if data.entries[part] or part != "undated":
            parts.append(f"{data.entries[part]} {word}" + (f" ({', '.join(named)})" if named else ""))
    empty = data.empty()
    last = f" No entry in {' and '.join(empty) if len(empty) < 3 else f'{len(empty)} months'}." if empty else ""
    return f"{parts[0]}; outside: {', '.join(parts[1:])}.{last}"
