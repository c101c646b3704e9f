"""Names above a row of columns, on as few levels as let neither names nor their lines touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpus.canvas.paper import MARGIN, Paper, line_height, text_width
from corpus.canvas.style import ALERT, SMALL

#: Free space between two names, in inches.
_GAP = 0.06

#: How many placements are tried before names give way to numbers.
_TRIES = 20_000


class PlacedName(NamedTuple):
    """A name over the place `x`, from `left` to `right` inches, on a level counted upwards from 0."""

    text: str
    x: float
    left: float
    right: float
    level: int


def named_places(marks: Mapping[float, str], right: float) -> tuple[list[PlacedName], str]:
    """Place the names of marks (place in inches -> name) left of `right`.

    Returns
    -------
    names : list of PlacedName
        On the fewest levels possible; numbers instead of names where the names have no room.
    key : str
        What the numbers mean; empty where the names themselves are placed.
    """
    budget = [_TRIES]
    for levels in range(1, 8):
        found = _search(list(marks.items()), [], levels, right, budget)
        if found is not None:
            return found, ""
    numbers = {x: str(number) for number, x in enumerate(marks, 1)}
    names = [
        PlacedName(n, x, x - text_width(n, SMALL) / 2, x + text_width(n, SMALL) / 2, 0) for x, n in numbers.items()
    ]
    return names, "; ".join(f"{numbers[x]} {text}" for x, text in marks.items())


def _search(
    marks: Sequence[tuple[float, str]], placed: list[PlacedName], levels: int, right: float, budget: list[int]
) -> list[PlacedName] | None:
    """Place the first mark in every way that fits and go on with the others; None where none fits."""
    if not marks:
        return placed
    (x, text), width = marks[0], text_width(marks[0][1], SMALL)
    for level in range(levels):
        for start in (x - width / 2, x - _GAP, x - width + _GAP):
            left = max(min(start, right - width), MARGIN)
            name = PlacedName(text, x, left, left + width, level)
            budget[0] -= 1
            if budget[0] < 0 or left + width > right + 1e-9:
                return None
            if all(_apart(name, other) for other in placed):
                found = _search(marks[1:], [*placed, name], levels, right, budget)
                if found is not None:
                    return found
    return None


def _apart(one: PlacedName, other: PlacedName) -> bool:
    """Whether neither name touches the other or the line of the other."""
    if one.level == other.level:
        return one.left > other.right + _GAP or other.left > one.right + _GAP
    low, high = (one, other) if one.level < other.level else (other, one)
    return not low.left - _GAP / 2 < high.x < low.right + _GAP / 2


def draw_names(sheet: Paper, names: Sequence[PlacedName]) -> dict[float, float]:
    """Set the names at the current height and move below them; return the height of each by its place."""
    if not names:
        return {}
    step = line_height(SMALL) + 0.03
    highest = max(name.level for name in names)
    heights = {name.x: sheet.y + step * (highest - name.level + 0.5) for name in names}
    for name in names:
        sheet.text(name.left, heights[name.x], name.text, SMALL, color=ALERT)
    sheet.y += step * (highest + 1) + 0.02
    return heights
