"""Whether quotation marks in a CSV text follow RFC 4180: only around whole cells, doubled inside them."""

from __future__ import annotations

import re
from typing import NamedTuple

_RUNS = re.compile('"+')
_BEFORE = ("", ",", "\n")
_AFTER = ("", ",", "\n")
_ENDS = {b"", b",,", b",\n", b"\n,", b"\n\n"}
_SIDES = {b"", b",", b"\n"}


class QuoteProblem(NamedTuple):
    """The position (0-based character) of the first wrong mark; `unclosed` where its cell never ends."""

    position: int
    unclosed: bool


def quote_problem(text: str) -> QuoteProblem | None:
    """Return the first misplaced or unclosed quotation mark of a CSV text, or None.

    Examples
    --------
    >>> quote_problem('a,"b ""c"", d"\\n')
    >>> quote_problem('a,b "c"\\n')
    QuoteProblem(position=4, unclosed=False)
    >>> quote_problem('a,"b\\n')
    QuoteProblem(position=2, unclosed=True)
    """
    if is_sound(text.encode().split(b'"')):
        return None
    opened = -1
    for run in _RUNS.finditer(text):
        start, end = run.span()
        odd = (end - start) % 2 == 1
        if opened < 0:
            if text[start - 1 : start] not in _BEFORE:
                return QuoteProblem(start, unclosed=False)
            if odd:
                opened = start
            elif text[end : end + 1] not in _AFTER:
                return QuoteProblem(end - 1, unclosed=False)
        elif odd:
            if text[end : end + 1] not in _AFTER:
                return QuoteProblem(end - 1, unclosed=False)
            opened = -1
    return QuoteProblem(opened, unclosed=True) if opened >= 0 else None


def is_sound(pieces: list[bytes]) -> bool:
    """Judge the text between the marks, every other piece of which lies outside a cell; finds no place, but is fast.

    An outer piece is the whole way from the end of one quoted cell to the start of the next, or nothing where a mark
    is doubled.
    """
    outer = {piece[:1] + piece[-1:] for piece in pieces[2:-1:2]}
    return len(pieces) % 2 == 1 and outer <= _ENDS and {pieces[0][-1:], pieces[-1][:1]} <= _SIDES
