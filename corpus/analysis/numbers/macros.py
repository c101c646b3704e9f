"""Published numbers for a manuscript: LaTeX macros, and a table of names."""

from __future__ import annotations

from collections.abc import Iterable

from corpus.analysis.numbers.published import Number
from corpus.printing.escape import latex, terminal
from corpus.printing.grid import Grid

_HEAD = (
    "% \\input this file, then write \\PoolSize{} and the like instead of numbers. "
    "The braces keep the space that follows.\n"
    "% docs/numbers.md tells how the names are made.\n"
)


def numbers_latex(numbers: Iterable[Number]) -> str:
    """Return one ``\\newcommand`` for each number, with a comment that tells how it is computed."""
    lines = [_HEAD]
    for number in numbers:
        # A line break would end the comment, and what follows would be printed.
        how = terminal(number.how)
        lines.append(f"\\newcommand{{\\{number.name}}}{{{latex(number.text)}}}% {how}\n")
    return "".join(lines)


def numbers_grid(numbers: Iterable[Number]) -> Grid:
    """Return all numbers as a table: name, value, how it is computed."""
    rows = tuple((number.name, number.text, number.how) for number in numbers)
    return Grid("Numbers", ("name", "value", "how it is computed"), rows, frozenset({1}))
