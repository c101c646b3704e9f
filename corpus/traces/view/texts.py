"""Texts of a trace as the viewer shows them: nothing invisible, and no longer than can be read."""

from __future__ import annotations

import json

from corpus.printing.escape import terminal
from corpus.printing.numerals import number

#: Characters of a name.
SHORT = 200
#: Characters of a content.
LONG = 4_000


def short(text: str) -> str:
    """Return a name on one line, cut where it is too long, with invisible characters as escapes.

    Examples
    --------
    >>> short("a\\u202eb"), short("x" * 300)[-1]
    ('a\\\\u202eb', '…')
    """
    if len(text) > SHORT:
        text = text[: SHORT - 1] + "…"
    return terminal(text)


def long(text: str) -> str:
    """Return a content with its line ends; where it is cut, the number of missing characters.

    Examples
    --------
    >>> long("one\\ntwo\\x07"), long("x" * 4_010)[-21:]
    ('one\\ntwo\\\\x07', ' … 10 more characters')
    """
    missing = len(text) - LONG
    lines = text[:LONG].split("\n")
    shown = "\n".join(map(terminal, lines))
    if missing > 0:
        shown += f" … {missing:,} more characters"
    return shown


def value_text(value: object) -> str:
    """Return any JSON value as text: numbers with separators, objects and lists as JSON.

    Examples
    --------
    >>> value_text(12000.0), value_text(True), value_text({"input": 3})
    ('12,000', 'yes', '{\\n  "input": 3\\n}')
    """
    if isinstance(value, str):
        return long(value)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number_text(value)
    return long(json.dumps(value, ensure_ascii=False, indent=2))


def number_text(value: float) -> str:
    """Return a number with separators, and a whole one without a decimal point."""
    # An integer of JSON may have any number of digits; a double has at most 309.
    if isinstance(value, int) and value.bit_length() > 1000:
        return f"an integer of {value.bit_length():,} bits"
    return number(value, 6)
