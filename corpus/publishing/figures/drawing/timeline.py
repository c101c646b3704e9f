"""Columns by month, stacked by group; milestones above, what lies outside the window below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, Swatch, fitting, line_height, text_width, widest
from corpus.canvas.style import ALERT, GREY, LIGHT, PALE, SMALL, color
from corpus.model.dates import AFTER, BEFORE, INSIDE, UNDATED
from corpus.publishing.figures.drawing.milestones import draw_names, named_places
from corpus.publishing.figures.kinds.timeline import Timeline

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

#: Height of the highest column, in inches.
_PLOT = 1.55

#: Narrower columns are too small for a number or a month.
_NARROWEST_NAMED = 0.1


class _Plot(NamedTuple):
    """Where the columns are.

    Attributes
    ----------
    left, step, floor : float
        Left end, width of a month and height of the baseline, in inches.
    top : int
        Entries of the highest column.
    centres : mapping of str to float
        Month -> middle of its column, in inches.
    """

    left: float
    step: float
    floor: float
    top: int
    centres: Mapping[str, float]

    @property
    def unit(self) -> float:
        """Inches per entry."""
        return _PLOT / self.top


def draw_timeline(data: Timeline, width: float, title: str) -> Figure:
    """Draw the columns of every month in the window, empty ones included."""
    paper = Paper(width, title)
    swatches = []
    for position, group in enumerate(data.groups):
        fill = _fill(data, position)
        swatches.append(Swatch(f"{group.label} {data.of_group(group.id)}", fill))
    paper.legend(swatches)

    top = max([data.of_month(month) for month in data.months] + [1])
    left = MARGIN + 0.15 + text_width(f"{top}", SMALL) + 0.05
    step = (paper.right - left) / len(data.months)
    centres = {}
    for position, month in enumerate(data.months):
        centres[month] = left + step * (position + 0.5)
    names, key = named_places(_marks(data, centres), paper.right)
    name_heights = draw_names(paper, names)
    plot = _Plot(left, step, paper.y + 0.2 + _PLOT, top, centres)

    _scale(paper, plot)
    for month in data.months:
        _column(paper, data, month, plot)
    paper.horizontal(left, paper.right, plot.floor)
    _milestones(paper, data, plot, name_heights)
    paper.y = plot.floor
    _months(paper, data.months, plot)
    paper.note(key)
    paper.note(_outside(data))
    return paper.figure()


def _marks(data: Timeline, centres: Mapping[str, float]) -> dict[float, str]:
    """Return the names of milestones by position; those of one month share a place."""
    marks: dict[float, str] = {}
    for milestone in data.milestones:
        x = centres[milestone.month]
        if x in marks:
            marks[x] += f", {milestone.label}"
        else:
            marks[x] = milestone.label
    return marks


def _milestones(
    paper: Paper, data: Timeline, plot: _Plot, name_heights: Mapping[float, float]
) -> None:
    """Draw a line from each name down to a diamond above its column."""
    tops = {}
    for month, x in plot.centres.items():
        tops[x] = plot.floor - plot.unit * data.of_month(month) - 0.15
    for x, name_height in name_heights.items():
        top = tops[x]
        start = name_height + line_height(SMALL) / 2 - 0.01
        paper.vertical(x, start, top, ALERT)
        diamond = [(x, top + 0.035), (x - 0.03, top), (x, top - 0.035), (x + 0.03, top)]
        paper.polygon(diamond, ALERT)


def _scale(paper: Paper, plot: _Plot) -> None:
    """Draw the scale on the left, with at most five steps."""
    for value in range(0, plot.top + 1, _round_step(plot.top)):
        y = plot.floor - plot.unit * value
        paper.horizontal(plot.left, paper.right, y, LIGHT, 0.5)
        paper.text(plot.left - 0.05, y, f"{value}", SMALL, color=GREY, align="right")
    name = "entries"
    lower_end = plot.floor - (plot.unit * plot.top - text_width(name, SMALL)) / 2
    paper.upright(MARGIN + 0.05, lower_end, name, SMALL, color=GREY)


def _round_step(top: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 and so on that divides `top` into five at most."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            step = factor * power
            if top / step <= 5:
                return step
        power *= 10


def _fill(data: Timeline, position: int) -> str:
    """Return the colour of a group; grey where the axis tells nothing about the entry."""
    if data.groups[position].id in ("", data.absent):
        return LIGHT
    return color(position)


def _column(paper: Paper, data: Timeline, month: str, plot: _Plot) -> None:
    """Draw the stack of one month and its number."""
    x = plot.centres[month]
    step = plot.step
    entries = data.of_month(month)
    if not entries:
        paper.rect((x - step / 2, plot.floor - _PLOT, step, _PLOT), PALE)
    y = plot.floor
    for position, group in enumerate(data.groups):
        height = plot.unit * data.counts[month, group.id]
        if height:
            box = (x - step * 0.38, y - height, step * 0.76, height)
            paper.rect(box, _fill(data, position), edge="white", line=0.4)
            y -= height
    if step < _NARROWEST_NAMED:
        return
    weight = "normal" if entries else "bold"
    ink = GREY if entries else ALERT
    size = fitting(f"{entries}", SMALL, step - 0.02)
    paper.text(x, y - 0.065, f"{entries}", size, weight=weight, color=ink, align="center")


def _months(paper: Paper, months: Sequence[str], plot: _Plot) -> None:
    """Name the months, by one letter where three do not fit, and the years below them."""
    half_line = line_height(SMALL) / 2
    names = {month: _MONTHS[int(month[5:]) - 1] for month in months}
    if widest(names.values(), SMALL) > plot.step - 0.04:
        names = {month: name[0] for month, name in names.items()}
    middle = paper.y + 0.03 + half_line
    if plot.step > _NARROWEST_NAMED:
        for month, name in names.items():
            paper.text(plot.centres[month], middle, name, SMALL, align="center")
    line = middle + half_line + 0.02
    year_middle = line + 0.02 + half_line
    free_from = -1.0
    for year, group in groupby(months, key=lambda month: month[:4]):
        of_year = list(group)
        start = plot.centres[of_year[0]] - plot.step / 2 + 0.02
        end = plot.centres[of_year[-1]] + plot.step / 2 - 0.02
        paper.horizontal(start, end, line)
        half = text_width(year, SMALL) / 2
        # In the middle of its months, but not beyond the ends of the page.
        x = max((start + end) / 2, MARGIN + half)
        x = min(x, paper.right - half)
        if x - half > free_from:
            paper.text(x, year_middle, year, SMALL, align="center", color=GREY)
            free_from = x + half + 0.05
    paper.y = line + 0.02 + line_height(SMALL)


def _outside(data: Timeline) -> str:
    """Return the note on what the window leaves out, and which of its months are empty."""
    parts = []
    for part, words in (
        (BEFORE, "earlier"),
        (AFTER, "later"),
        (UNDATED, "without a date that tells"),
    ):
        entries = data.entries[part]
        if part == UNDATED and not entries:
            continue
        parts.append(f"{entries} {words}{_groups(data, part)}")
    inside = f"{data.entries[INSIDE]} of {data.total} entries lie inside the window"
    if data.without_month:
        inside += f", {data.without_month} without a month{_groups(data, INSIDE)}"
    note = f"{inside}; outside: {', '.join(parts)}."
    empty = data.empty()
    if empty:
        months = f"{len(empty)} months"
        if len(empty) < 3:
            months = " and ".join(empty)
        note += f" No entry in {months}."
    return note


def _groups(data: Timeline, part: str) -> str:
    """Return the groups of the entries outside the window in brackets, or an empty string."""
    named = []
    for group in data.groups:
        entries = data.outside[part, group.id]
        if entries:
            named.append(f"{group.label} {entries}")
    if not named:
        return ""
    return f" ({', '.join(named)})"
