"""Which ink can be read on a fill: the contrast ratio of WCAG 2."""

from __future__ import annotations

import math

from matplotlib.colors import to_rgb

from corpus.canvas.style import INK

#: What WCAG 2 asks of text as small as the numbers of a figure (level AA).
ENOUGH = 4.5


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours: from 1 (the same) to 21 (black on white).

    Examples
    --------
    >>> round(contrast("white", "#767676"), 2)
    4.54
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def readable_ink(fill: str) -> str:
    """Return the ink for a number on a fill: that of all text where it suffices.

    On a fill that is too dark for it, black or white is taken, whichever differs more; one of the
    two always suffices. Both are needed: the ink of the text is not quite black, and on a medium
    blue neither it nor white would do.
    """
    if contrast(INK, fill) >= ENOUGH:
        return INK
    return max("white", "black", key=lambda ink: contrast(ink, fill))


def _luminance(color: str) -> float:
    """Return the relative luminance (0-1) of a colour of sRGB."""
    red, green, blue = map(_linear, to_rgb(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    """Return the light of one channel: sRGB stores dark shades in finer steps."""
    if part <= 0.04045:
        return part / 12.92
    return math.pow((part + 0.055) / 1.055, 2.4)
