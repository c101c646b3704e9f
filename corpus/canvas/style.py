"""Colours, type sizes and settings that all figures share; the user's matplotlibrc plays no part."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.font_manager import FontProperties

#: Okabe and Ito's palette for colour-blind readers, in the order in which groups take its colours.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000")

#: One hue from strong to weak, for parts that are ordered.
SHADES = ("#08519C", "#4292C6", "#9ECAE1", "#DEEBF7")

INK, GREY, LIGHT, PALE, ALERT = "#1a1a1a", "#595959", "#cfcfcf", "#f1f1f1", "#B34700"

#: Resolution of PNG files in dots per inch.
DPI = 300

#: Type sizes in points.
TITLE, TEXT, SMALL = 8.5, 7.0, 6.2

_SETTINGS: Any = {
    "font.family": "DejaVu Sans",
    "svg.hashsalt": "corpus",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "hatch.linewidth": 0.5,
    "text.hinting": "none",
    "text.usetex": False,
    "text.parse_math": False,
}


@contextmanager
def style() -> Iterator[None]:
    """Draw and save inside of this: matplotlib's own defaults, our settings, no warning about a missing glyph."""
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="(?s)Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def font(size: float, weight: str = "normal") -> FontProperties:
    """Return the one typeface at a size in points."""
    return FontProperties(family="DejaVu Sans", size=size, weight=weight)


def color(position: int) -> str:
    """Return the colour of the group at a position; beyond the palette it starts again."""
    return PALETTE[position % len(PALETTE)]
