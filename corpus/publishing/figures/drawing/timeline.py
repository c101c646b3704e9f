"""Entries as marks in rows by group, by date; what lies outside the window is noted below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, groupby
from typing import NamedTuple

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, line_height, text_width, widest, wrap
from corpus.canvas.style import GREY, LIGHT, PALE, SMALL, color
from corpus.model.dates import AFTER, BEFORE, INSIDE, UNDATED
from corpus.publishing.figures.kinds.timeline import Timeline, TimelineMark

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

#: Narrower months are too small for a name.
_NARROWEST_NAMED = 0.1

#: In inches: half the side of a mark, the height of a lane, the free space between two names.
_HALF, _LANE, _FREE = 0.03, 0.115, 0.05


class _Placed(NamedTuple):
    """A mark at `x` in a lane of its row, counted from above; its name starts at `name_x`."""

    mark: TimelineMark
    x: float
    name_x: float
    lane: int


def draw_timeline(data: Timeline, width: float, title: str) -> Figure:
    """Draw a row for each group, also for one without entries."""
    paper = Paper(width, title)
    longest = 0.95 if width > 5 else 0.62
    names = {group.id: wrap(group.label, SMALL, longest) for group in data.groups}
    left = MARGIN + widest(chain(*names.values()), SMALL) + 0.1
    placed = {group.id: _placed(data, group.id, left, paper.right) for group in data.groups}
    heights: dict[str, float] = {}
    for name, marks in placed.items():
        lanes = max([item.lane + 1 for item in marks], default=1)
        heights[name] = max(lanes * _LANE, len(names[name]) * line_height(SMALL)) + 0.05
    floor = paper.y + sum(heights.values())
    step = (paper.right - left) / len(data.months)
    for month in data.empty():
        x = left + step * data.months.index(month)
        paper.rect((x, paper.y, step, floor - paper.y), PALE)
    for position, group in enumerate(data.groups):
        height = heights[group.id]
        paper.horizontal(MARGIN, paper.right, paper.y, LIGHT, 0.5)
        paper.lines(MARGIN, paper.y + height / 2, names[group.id], SMALL, color=GREY)
        fill = GREY if group.id in ("", data.absent) else color(position)
        for item in placed[group.id]:
            middle = paper.y + 0.025 + _LANE * (item.lane + 0.5)
            box = (item.x - _HALF, middle - _HALF, 2 * _HALF, 2 * _HALF)
            paper.rect(box, fill)
            if item.mark.label:
                paper.text(item.name_x, middle, item.mark.label, SMALL)
        if not placed[group.id]:
            paper.text(left + 0.05, paper.y + height / 2, "no entry", SMALL, color=GREY)
        paper.y += height
    paper.horizontal(left, paper.right, paper.y)
    _name_months(paper, data.months, left)
    paper.note(_outside(data))
    return paper.figure()


def _placed(data: Timeline, group: str, left: float, right: float) -> list[_Placed]:
    """Place the marks of a row, each in the first lane where it touches no other."""
    step = (right - left) / len(data.months)
    lanes: list[list[tuple[float, float]]] = []
    found: list[_Placed] = []
    for mark in data.drawn(group):
        x = left + step * (data.months.index(mark.month) + mark.day)
        name = text_width(mark.label, SMALL) if mark.label else 0.0
        start, end = x - _HALF, x + _HALF
        name_x = end + 0.02
        if mark.label and name_x + name <= right:
            end = name_x + name
        elif mark.label:
            # At the right end, the name is left of its mark.
            start = name_x = max(x - _HALF - 0.02 - name, left)
        lane = 0
        while lane < len(lanes) and _is_taken(lanes[lane], start, end):
            lane += 1
        if lane == len(lanes):
            lanes.append([])
        lanes[lane].append((start, end))
        found.append(_Placed(mark, x, name_x, lane))
    return found


def _is_taken(lane: Sequence[tuple[float, float]], start: float, end: float) -> bool:
    return any(start < other_end + _FREE and other < end + _FREE for other, other_end in lane)


def _name_months(paper: Paper, months: Sequence[str], left: float) -> None:
    """Name the months, by one letter where three do not fit, and the years below them."""
    step = (paper.right - left) / len(months)
    centres = {month: left + step * (place + 0.5) for place, month in enumerate(months)}
    half_line = line_height(SMALL) / 2
    names = {month: _MONTHS[int(month[5:]) - 1] for month in months}
    if widest(names.values(), SMALL) > step - 0.04:
        names = {month: name[0] for month, name in names.items()}
    middle = paper.y + 0.03 + half_line
    if step > _NARROWEST_NAMED:
        for month, name in names.items():
            paper.text(centres[month], middle, name, SMALL, align="center")
    line = middle + half_line + 0.02
    year_middle = line + 0.02 + half_line
    free_from = -1.0
    for year, group in groupby(months, key=lambda month: month[:4]):
        of_year = list(group)
        start = centres[of_year[0]] - step / 2 + 0.02
        end = centres[of_year[-1]] + step / 2 - 0.02
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
    entries = data.entries
    parts = []
    for part, words in (
        (BEFORE, "earlier"),
        (AFTER, "later"),
        (UNDATED, "without a date that tells"),
    ):
        if part != UNDATED or entries[part]:
            parts.append(f"{entries[part]} {words}{_groups(data, part)}")
    inside = f"{entries[INSIDE]} of {sum(entries.values())} entries lie inside the window"
    without = {mark.key for mark in data.marks if mark.part == INSIDE and not mark.month}
    if without:
        inside += f", {len(without)} of them without a month"
    note = f"{inside}; outside: {', '.join(parts)}."
    empty = data.empty()
    if empty:
        months = f"{len(empty)} months"
        if len(empty) < 3:
            months = " and ".join(empty)
        note += f" No entry in {months}."
    return note


def _groups(data: Timeline, part: str) -> str:
    """Return the groups of the entries of a part in brackets, or an empty string."""
    named = []
    for group in data.groups:
        entries = sum(mark.part == part and mark.group == group.id for mark in data.marks)
        if entries:
            named.append(f"{group.label} {entries}")
    return f" ({', '.join(named)})" if named else ""
