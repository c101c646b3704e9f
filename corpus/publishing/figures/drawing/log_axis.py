"""A logarithmic axis over whole decades, between two positions of a page."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from corpus.canvas.paper import Paper, line_height, text_width
from corpus.canvas.style import GREY, SMALL


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
            name = f"{10**decade:,}" if decade >= 0 else f"{10.0**decade:g}"
            x = self.place(10**decade)
            half = text_width(name, SMALL) / 2
            if x - half > free_from:
                paper.text(x, middle, name, SMALL, color=GREY, align="center")
                free_from = x + half + 0.06
        paper.y += line_height(SMALL) + 0.04


def number_in_print(value: float) -> str:
    """Return a number as figures print it, thousands separated by commas.

    Examples
    --------
    >>> number_in_print(4000.0), number_in_print(0.5)
    ('4,000', '0.5')
    """
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,g}"
