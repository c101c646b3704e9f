"""The page that a figure of a trace fills: as large as it needs, a slide, or a printed column."""

from __future__ import annotations

from typing import NamedTuple

SMALLEST_TEXT = 6.0
"""Points; smaller text cannot be read in print."""


class Page(NamedTuple):
    """Size of a figure and of what is on it, in inches.

    Attributes
    ----------
    name : str
        As in ``--layout``.
    width, height : float
        The size; 0 where it follows from the run.
    tallest : float
        Height that a figure is kept below where `height` is 0.
    scale : float
        Size of type and symbols beside those of a page that follows from the run.
    label : float
        Width of the longest name left of a lane.
    rows : int
        Lanes that fit; where there are more agents, some share a lane.
    bundles : int
        Bundles of arrows that fit beside each other in an overview.
    """

    name: str
    width: float
    height: float
    tallest: float
    scale: float
    label: float
    rows: int
    bundles: int

    def text(self, points: float) -> float:
        """Return a type size on this page, never too small to be read."""
        return max(points * self.scale, SMALLEST_TEXT)


PAGES: dict[str, Page] = {
    "auto": Page("auto", 0, 0, tallest=9.5, scale=1.0, label=3.0, rows=20, bundles=60),
    # A slide of 16:9 in the size that presentation programs use.
    "wide": Page("wide", 13.333, 7.5, tallest=7.5, scale=1.15, label=2.6, rows=16, bundles=50),
    # The column of a two-column paper.
    "column": Page("column", 3.35, 0, tallest=4.6, scale=0.72, label=0.95, rows=12, bundles=16),
}
"""The layouts by name."""
LAYOUTS = tuple(PAGES)
