"""Names above a row of columns, on as few levels as let neither names nor their lines touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpus.canvas.paper import MARGIN, Paper, line_height, text_width
from corpus.canvas.style import ALERT, SMALL

#: Free space between two names, in inches.
_GAP = 0.06

#: Most levels of names.
_LEVELS = 7

#: How many placements are tried before names are replaced by numbers.
_TRIES = 20_000


class PlacedName(NamedTuple):
    """A name over the position `x`, from `left` to `right` inches; levels count upwards from 0."""

    text: str
    x: float
    left: float
    right: float
    level: int

    def clear_of(self, other: PlacedName) -> bool:
        """Whether neither name touches the other or the line that runs down from it."""
        if self.level == other.level:
            return self.left > other.right + _GAP or other.left > self.right + _GAP
        low, high = sorted((self, other), key=lambda name: name.level)
        return not low.left - _GAP / 2 < high.x < low.right + _GAP / 2


def named_places(marks: Mapping[float, str], right: float) -> tuple[list[PlacedName], str]:
    """Place the names of marks (position in inches -> name) left of `right`.

    Returns
    -------
    names : list of PlacedName
        On the fewest levels possible; numbers where the names do not fit.
    key : str
        What the numbers mean; empty where the names themselves are placed.
    """
    search = _Search(right)
    for levels in range(1, _LEVELS + 1):
        found = search.place(list(marks.items()), [], levels)
        if found is not None:
            return found, ""
    names = []
    meanings = []
    for number, (x, text) in enumerate(marks.items(), 1):
        half = text_width(f"{number}", SMALL) / 2
        names.append(PlacedName(f"{number}", x, x - half, x + half, 0))
        meanings.append(f"{number} {text}")
    return names, "; ".join(meanings)


class _Search:
    """A search that tries placements until one fits or its budget is spent.

    The number of placements grows exponentially with the names, hence the budget.
    """

    def __init__(self, right: float) -> None:
        self.right = right
        self.budget = _TRIES

    def place(
        self, marks: Sequence[tuple[float, str]], placed: list[PlacedName], levels: int
    ) -> list[PlacedName] | None:
        """Place the first mark in every way that fits, then the others; None if none fits."""
        if not marks:
            return placed
        x, text = marks[0]
        width = text_width(text, SMALL)
        for level in range(levels):
            # Centred over the mark, or with the mark near one of its ends.
            for start in (x - width / 2, x - _GAP, x - width + _GAP):
                left = max(min(start, self.right - width), MARGIN)
                name = PlacedName(text, x, left, left + width, level)
                self.budget -= 1
                if self.budget < 0 or name.right > self.right + 1e-9:
                    return None
                if not all(name.clear_of(other) for other in placed):
                    continue
                found = self.place(marks[1:], [*placed, name], levels)
                if found is not None:
                    return found
        return None


def draw_names(paper: Paper, names: Sequence[PlacedName]) -> dict[float, float]:
    """Set the names at the current height and move below them; return their heights by position."""
    if not names:
        return {}
    step = line_height(SMALL) + 0.03
    highest = max(name.level for name in names)
    heights = {}
    for name in names:
        heights[name.x] = paper.y + step * (highest - name.level + 0.5)
        paper.text(name.left, heights[name.x], name.text, SMALL, color=ALERT)
    paper.y += step * (highest + 1) + 0.02
    return heights
