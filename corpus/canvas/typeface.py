"""The typeface of every picture, DejaVu Sans: the characters it has and the width of a text."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties

# matplotlib is imported where it is used: whoever compares figures by their data draws nothing.

_ELLIPSIS = "…"

#: Some characters of the regular face are missing in the bold and the oblique one.
_FACES = {
    "normal": "DejaVuSans.ttf",
    "bold": "DejaVuSans-Bold.ttf",
    "italic": "DejaVuSans-Oblique.ttf",
}

_POINTS_PER_INCH = 72

#: Characters that are set on whole pixels take up to 5 % more than their outlines.
HINTED = 1.05

_HEBREW_TO_ARABIC = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+"
_RIGHT_TO_LEFT = re.compile(f"{_HEBREW_TO_ARABIC}(?: +{_HEBREW_TO_ARABIC})*")
_LEFT_TO_RIGHT_MARK = "\u200e"


@cache
def font(size: float, weight: str = "normal") -> FontProperties:
    """Return the typeface at a size in points."""
    from matplotlib.font_manager import FontProperties

    return FontProperties(family="DejaVu Sans", size=size, weight=weight)


@lru_cache(maxsize=4096)
def _points(text: str, size: float, weight: str) -> float:
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(text, font(size, weight), False)
    return float(width)


def outline_width(text: str, size: float, weight: str = "normal") -> float:
    """Return the width of one line's outlines in inches; `size` is in points."""
    return _points(text, size, weight) / _POINTS_PER_INCH


def hinted_width(text: str, size: float, weight: str = "normal") -> float:
    """Return the width in inches that one line takes at most where its characters are hinted."""
    return HINTED * _points(text, size, weight) / _POINTS_PER_INCH


@cache
def _code_points(face: str) -> frozenset[int]:
    import matplotlib
    from matplotlib.ft2font import FT2Font

    # matplotlib's own copy: a font of the machine may have more glyphs or fewer.
    path = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / _FACES[face]
    return frozenset(FT2Font(str(path)).get_charmap())


def missing_glyphs(text: str, face: str = "normal") -> list[str]:
    """Return the characters of `text` that a face lacks, each once, in order.

    Parameters
    ----------
    text : str
        What is to be drawn.
    face : {"normal", "bold", "italic"}
        How it is to be drawn.
    """
    known = _code_points(face)
    return [character for character in dict.fromkeys(text) if ord(character) not in known]


@cache
def glyph_or_code(character: str, face: str = "normal") -> str:
    """Return a character that a face has as it is, another one as its code.

    matplotlib would draw a box for it, and a font of the machine would not give the same bytes
    everywhere. What has no shape becomes the replacement character.

    Examples
    --------
    >>> glyph_or_code("é"), glyph_or_code("機")
    ('é', '[U+6A5F]')
    """
    # Python counts the no-break space as not printable.
    if not character.isprintable() and character != "\N{NO-BREAK SPACE}":
        return "\N{REPLACEMENT CHARACTER}"
    if ord(character) in _code_points(face):
        return character
    return f"[U+{ord(character):04X}]"


def drawable(
    text: str, width: float | None = None, size: float = 8.5, weight: str = "normal"
) -> str:
    """Return what can be drawn of a text: characters that the typeface lacks become their codes.

    Words that run from right to left are put between marks, so that the words around them keep
    their order.

    Parameters
    ----------
    text : str
        One line.
    width : float, optional
        Inches that it may take; a longer text is cut and ends with an ellipsis.
    size, weight
        Type size in points, and weight.

    Examples
    --------
    >>> drawable("α → 機")
    'α → [U+6A5F]'
    """
    # A text is cut between its pieces, so that no code is cut in two.
    pieces = [glyph_or_code(character, weight) for character in text]
    shown = "".join(pieces)
    if width is not None:
        while pieces and hinted_width(shown, size, weight) > width:
            pieces.pop()
            shown = "".join(pieces).rstrip() + _ELLIPSIS
    return _RIGHT_TO_LEFT.sub(f"{_LEFT_TO_RIGHT_MARK}\\g<0>{_LEFT_TO_RIGHT_MARK}", shown)
