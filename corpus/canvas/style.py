"""Colours, type sizes and matplotlib settings of every picture.

The user's own matplotlibrc has no effect.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from corpus.model.extras import optional_package

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Okabe and Ito's palette for colour-blind readers, in the order in which groups take its colours.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000")

#: One hue from strong to weak, for parts that are ordered.
SHADES = ("#08519C", "#4292C6", "#9ECAE1", "#DEEBF7")

INK, GREY, LIGHT, PALE, ALERT = "#1a1a1a", "#595959", "#cfcfcf", "#f1f1f1", "#B34700"

#: Resolution of PNG files in dots per inch.
DPI = 300

#: Type sizes in points.
TITLE, TEXT, SMALL = 8.5, 7.0, 6.2

#: What WCAG 2 asks of the contrast of text as small as the numbers of a figure (level AA).
ENOUGH = 4.5

_SETTINGS: Mapping[str, Any] = {
    "font.family": "DejaVu Sans",
    # Without a salt, matplotlib gives the elements of an SVG other ids on every run.
    "svg.hashsalt": "corpus",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "hatch.linewidth": 0.5,
    "text.hinting": "none",
    "text.usetex": False,
    "text.parse_math": False,
}

#: Metadata that matplotlib would fill with the date or its own version.
_UNSET_METADATA = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


@contextmanager
def style(settings: Mapping[str, Any] | None = None) -> Iterator[None]:
    """Draw and save within this context: matplotlib's defaults with our settings.

    The user's settings are restored afterwards.

    Parameters
    ----------
    settings : mapping, optional
        matplotlib settings that differ from those of the corpus figures.
    """
    # Slow to import, and most who import this module only name its colours.
    with optional_package("figures"):
        import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        # rcdefaults() also sets the settings that matplotlib has deprecated.
        warnings.simplefilter("ignore", matplotlib.MatplotlibDeprecationWarning)
        matplotlib.rcdefaults()
        # matplotlib's annotation lists every key that it knows, which no mapping of ours has.
        ours: Any = {**_SETTINGS, **(settings or {})}
        matplotlib.rcParams.update(ours)
        yield


def encode(figure: Figure, format_: str, metadata: Mapping[str, str], dpi: float = DPI) -> bytes:
    """Return the file of a figure, to be called within :func:`style`.

    Parameters
    ----------
    figure : Figure
        What to write.
    format_ : {"svg", "pdf", "png"}
        The format of the file.
    metadata : mapping of str to str
        Entries of the file's own metadata; no date is written.
    dpi : float
        Dots per inch of a PNG.
    """
    buffer = io.BytesIO()
    entries = {**_UNSET_METADATA[format_], **metadata}
    figure.savefig(buffer, format=format_, dpi=dpi, metadata=entries)
    return buffer.getvalue()


def color(position: int) -> str:
    """Return the colour of the group at a position; beyond the palette it starts again."""
    return PALETTE[position % len(PALETTE)]


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
    from matplotlib.colors import to_rgb  # slow to import

    light = 0.0
    for weight, part in zip((0.2126, 0.7152, 0.0722), to_rgb(color), strict=True):
        # sRGB stores dark shades in finer steps.
        if part <= 0.04045:
            light += weight * part / 12.92
        else:
            light += weight * math.pow((part + 0.055) / 1.055, 2.4)
    return light
