"""Colours, symbols, names and times: what every picture has in common."""

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from corpus.traces.lookup import table_of


class Symbol(NamedTuple):
    """How one event type looks: matplotlib marker, colour, letter on a terminal, legend name."""

    marker: str
    colour: str
    letter: str
    name: str


BLACK = "#1a1a1a"
GREY = "#8a8f98"
RED = "#c8102e"
BAR = "#e4e9f0"
PERSON_BAR = "#f5f0e6"
WORK = "#b9c6d8"

LOOKS = table_of(__file__, "looks.toml")
SYMBOLS = {kind: Symbol(*looks) for kind, looks in LOOKS["symbols"].items()}
ARROWS: dict[str, str] = LOOKS["arrows"]
"""The colour of each kind of edge and of what is sent."""
#: Seconds, some thirty years: for longer runs, hours mean nothing.
LONGEST = 1e9

_MINUTES_FROM = 180
_HOURS_FROM = 7200


def plain(text: str, limit: int = 40) -> str:
    """Return `text` on one line of at most `limit` characters.

    Control, format and unassigned characters become question marks.

    Examples
    --------
    >>> plain("a\\x1b[31m b\\u202e c"), plain("abcdefgh", 5)
    ('a?[31m b? c', 'abcd…')
    """
    # No more is read than can be shown, and some whitespace: a name may be megabytes long.
    most = 4 * limit
    characters = []
    for character in text[:most]:
        if unicodedata.category(character).startswith("C"):
            character = "?"
        characters.append(character)
    shown = " ".join("".join(characters).split())
    if len(shown) <= limit and len(text) <= most:
        return shown
    return shown[: limit - 1] + "…"


def clock(seconds: float, span: float) -> str:
    """Write a time from the start of the run in the unit that fits a run of `span` seconds.

    Examples
    --------
    >>> clock(0.0214, 0.09), clock(12.5, 60), clock(95, 600), clock(7265, 9000), clock(1e10, 2e10)
    ('21 ms', '12.5', '1:35', '2:01:05', '1e+10')
    """
    unit = clock_unit(span)
    if span >= LONGEST:
        return f"{seconds:.4g}"
    if unit == "ms":
        return f"{seconds * 1000:.0f} ms"
    if unit == "s":
        return f"{seconds:.1f}".removesuffix(".0")
    minutes, rest = divmod(round(seconds), 60)
    if unit == "min:s":
        return f"{minutes}:{rest:02d}"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"


def clock_unit(span: float) -> str:
    """Name the unit of :func:`clock` for an axis."""
    if span < 1:
        return "ms"
    if span < _MINUTES_FROM or span >= LONGEST:
        return "s"
    if span < _HOURS_FROM:
        return "min:s"
    return "h:min:s"


def used_symbols(kinds: Iterable[str]) -> list[Symbol]:
    """Return the symbols of the event types that occur, in the order of the legend."""
    used = set(kinds)
    return [symbol for kind, symbol in SYMBOLS.items() if kind in used]
