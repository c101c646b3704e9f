"""Whether quotation marks follow RFC 4180: only around whole cells, repeated inside them."""

from __future__ import annotations

import re
from typing import NamedTuple

_RUNS = '"+'
#: What may be before an opening mark and behind a closing one; an empty text is the end of the
#: file.
_SIDES = ("", ",", "\n")
#: The first and last byte of what may be between two quoted cells; nothing is between repeated
#: marks.
_BETWEEN = {b"", b",,", b",\n", b"\n,", b"\n\n"}
_EDGES = {b"", b",", b"\n"}


class QuoteProblem(NamedTuple):
    """The position (0-based character) of the first wrong mark; `unclosed`: it has no end."""

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
    if is_valid_quoting(text.encode().split(b'"')):
        return None
    opened = -1
    for run in re.finditer(_RUNS, text):
        start, end = run.span()
        # Inside a cell two marks are one character, so only a run of odd length opens or closes.
        odd = (end - start) % 2 == 1
        follows_delimiter = text[start - 1 : start] in _SIDES
        precedes_delimiter = text[end : end + 1] in _SIDES
        if opened < 0:
            if not follows_delimiter:
                return QuoteProblem(start, unclosed=False)
            if odd:
                opened = start
            elif not precedes_delimiter:
                return QuoteProblem(end - 1, unclosed=False)
        elif odd:
            if not precedes_delimiter:
                return QuoteProblem(end - 1, unclosed=False)
            opened = -1
    if opened >= 0:
        return QuoteProblem(opened, unclosed=True)
    return None


def is_valid_quoting(pieces: list[bytes]) -> bool:
    """Return whether every mark is where it may be; finds no position, but is fast.

    Every other piece is outside of a cell. It is the whole text from the end of one quoted cell to
    the start of the next, or nothing where a mark is repeated.

    Parameters
    ----------
    pieces : list of bytes
        A text, split at its quotation marks.
    """
    if len(pieces) == 1:  # no marks: the text may begin and end with anything
        return True
    # A set in one expression: this runs once per quoted cell of a pool of any size.
    between = {piece[:1] + piece[-1:] for piece in pieces[2:-1:2]}
    edges = {pieces[0][-1:], pieces[-1][:1]}
    return len(pieces) % 2 == 1 and between <= _BETWEEN and edges <= _EDGES
