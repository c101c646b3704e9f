"""Words in a picture: names cut to length, times in the right unit, nothing that a terminal or a font cannot show."""

from __future__ import annotations

import unicodedata

ELLIPSIS = "…"
LONGEST = 1e9
"""Seconds, some thirty years, from which on hours say nothing."""


def plain(text: str, limit: int = 40) -> str:
    """Return `text` on one line without control, format or unassigned characters, at most `limit` characters long.

    Examples
    --------
    >>> plain("a\\x1b[31m b\\u202e c"), plain("abcdefgh", 5)
    ('a?[31m b? c', 'abcd…')
    """
    shown = "".join("?" if unicodedata.category(sign)[0] == "C" else sign for sign in text[: 4 * limit])
    shown = " ".join(shown.split())
    return shown if len(shown) <= limit else shown[: limit - 1] + ELLIPSIS


def clock(seconds: float, span: float) -> str:
    """Write a time from the start of the run in the unit that fits a run of `span` seconds.

    Examples
    --------
    >>> clock(0.0214, 0.09), clock(12.5, 60), clock(95, 600), clock(7265, 9000), clock(1e10, 2e10)
    ('21 ms', '12.5', '1:35', '2:01:05', '1e+10')
    """
    if span >= LONGEST:
        return f"{seconds:.4g}"
    if span < 1:
        return f"{seconds * 1000:.0f} ms"
    if span < 180:
        return f"{seconds:.1f}".removesuffix(".0")
    minutes, rest = divmod(round(seconds), 60)
    if span < 7200:
        return f"{minutes}:{rest:02d}"
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def clock_unit(span: float) -> str:
    """Name the unit of :func:`clock` for an axis."""
    if span < 1:
        return "ms"
    return "s" if span < 180 or span >= LONGEST else "min:s" if span < 7200 else "h:min:s"


def amount(number: float) -> str:
    """Write a whole number with thin grouping, another one with three digits.

    Examples
    --------
    >>> amount(375764.0), amount(1.2345), amount(1e300)
    ('375,764', '1.23', '1e+300')
    """
    return f"{number:,.0f}" if float(number).is_integer() and abs(number) < 1e15 else f"{number:.3g}"
