"""Matplotlib figures that come out byte for byte the same, whatever the user's settings and the day."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

import matplotlib
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.textpath import text_to_path

from corpus.traces.draw.picture import Picture
from corpus.traces.draw.wording import ELLIPSIS

METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}
DPI = 130
_HEBREW_TO_ARABIC: Final = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+"
_FROM_THE_RIGHT: Final = re.compile(f"{_HEBREW_TO_ARABIC}(?: +{_HEBREW_TO_ARABIC})*")


@contextmanager
def settings() -> Iterator[None]:
    """Draw with matplotlib's own defaults, DejaVu Sans and fixed ids, and put the user's settings back afterwards."""
    with matplotlib.rc_context():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", matplotlib.MatplotlibDeprecationWarning)
            matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "font.family": "DejaVu Sans",
                "svg.hashsalt": "orchestration-trace",
                "svg.fonttype": "path",
                "pdf.fonttype": 42,
                "text.parse_math": False,
                "hatch.linewidth": 0.7,
            }
        )
        yield


def figure_bytes(figure: Figure, kind: str) -> bytes:
    """Return the figure as ``svg``, ``pdf`` or ``png``."""
    out = io.BytesIO()
    figure.savefig(out, format=kind, metadata=METADATA[kind], dpi=DPI)
    return out.getvalue()


def heading(figure: Figure, picture: Picture) -> None:
    """Write title, name and facts at the top; where the figure is too narrow, the facts stay whole."""
    width, height = figure.get_size_inches()
    room = width - 0.3
    facts = f": {picture.facts}"
    name = drawable(picture.name, room - inches(facts, 8.5), 8.5)
    title = drawable(picture.title, room, 12.5, "bold")
    figure.text(0.15 / width, 1 - 0.30 / height, title, fontsize=12.5, weight="bold")
    figure.text(0.15 / width, 1 - 0.56 / height, name + facts, fontsize=8.5, color="#444444")


@cache
def _letters() -> frozenset[int]:
    font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return frozenset(FT2Font(str(font)).get_charmap())


def lacking(text: str) -> list[str]:
    """Return the letters of `text` that the typeface lacks, each once."""
    return [sign for sign in dict.fromkeys(text) if ord(sign) not in _letters()]


def drawable(text: str, room: float | None = None, points: float = 8.5, weight: str = "normal") -> str:
    """Return what can be drawn of a text: letters that the typeface lacks as their codes, never as boxes.

    Letters that run from right to left stand between marks, so that what surrounds them keeps its order.

    Parameters
    ----------
    text
        One line.
    room
        Inches that it may take; the end of a text that takes more is left out.
    points, weight
        How large and how bold it will be.

    Examples
    --------
    >>> drawable("α → 機")
    'α → [U+6A5F]'
    """
    known = _letters()
    pieces = [sign if ord(sign) in known else f"[U+{ord(sign):04X}]" for sign in text]
    whole = "".join(pieces)
    while room is not None and pieces and inches(whole, points, weight) > room:
        pieces.pop()
        whole = "".join(pieces).rstrip() + ELLIPSIS
    return _FROM_THE_RIGHT.sub("\u200e\\g<0>\u200e", whole)


@cache
def _font(points: float, weight: str) -> FontProperties:
    return FontProperties(family="DejaVu Sans", size=points, weight=weight)


def inches(text: str, points: float, weight: str = "normal") -> float:
    """Return how wide a text will be at most: letters that are set on whole pixels take up to 5 % more."""
    return 1.05 * float(text_to_path.get_text_width_height_descent(text, _font(points, weight), False)[0]) / 72
