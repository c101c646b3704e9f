"""A table in LaTeX that fits its column, in one and in two columns of print."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from corpus.printing.grid import Grid

#: Widths of characters in em, on the safe side for Latin Modern.
_WIDEST = "mwMW–—"
_WIDEST_EM, _WIDE_EM, _USUAL_EM = 1.0, 0.78, 0.56

#: A column of acmart or IEEEtran in footnote size, in em; what fits it fits everywhere.
_NARROW_EM = 28.0
#: Between two columns.
_GAP_EM = 0.8
#: A paragraph is as wide as its longest word, and neither narrower nor wider than these.
_SHORT_EM, _LONG_WORD_EM = 5.0, 9.0
#: Print breaks a line between these.
_WORDS = re.compile(r"[\s/:_-]")
#: Beyond this width at its narrowest, a table would have to be printed at half its size.
_READABLE_EM = 50.0
#: A table of more lines is continued in another one: a float does not break.
_LINES = 44


@dataclass(frozen=True)
class PrintedGrid:
    """One table, or the continued part of one.

    `columns` is its column specification in LaTeX; `paragraphs` and `turned` are the positions of
    columns of running text, and of those with a vertical head.
    """

    title: str
    columns: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    paragraphs: frozenset[int]
    turned: frozenset[int]
    note: str


@lru_cache(maxsize=4096)  # most cells are terms
def em_width(text: str) -> float:
    """Estimate how wide a text prints, in em; on the safe side for Latin Modern.

    Examples
    --------
    >>> round(em_width("MARL"), 2), round(em_width("shared"), 2)
    (3.34, 3.36)
    """
    width = 0.0
    for character in text:
        if character in _WIDEST:
            width += _WIDEST_EM
        elif character.isupper() or not character.isascii():
            width += _WIDE_EM
        else:
            width += _USUAL_EM
    return width


def longest_word(text: str) -> float:
    """Return the width of the widest word of a text, in em; a hyphen ends a word."""
    words = text.replace("-", "- ").split()
    return max(map(em_width, words), default=0.0)


def printed_grids(grids: Iterable[Grid]) -> list[PrintedGrid]:
    """Lay tables out for print.

    Where it is wider than a narrow column, long texts become paragraphs that share what the other
    columns leave of ``\\linewidth``, and heads wider than the numbers below them are turned. A
    table that is too wide even so is a list of its cells, each beside its head.
    """
    return [part for grid in grids for part in _parts_of(grid)]


def _parts_of(grid: Grid) -> Iterator[PrintedGrid]:
    cells = list(zip(grid.header, *grid.rows, strict=True))
    natural = [max(map(em_width, column)) for column in cells]
    gaps = _GAP_EM * (len(cells) - 1)
    paragraphs: set[int] = set()
    turned: set[int] = set()
    widths = list(natural)
    for place in sorted(range(len(cells)), key=natural.__getitem__, reverse=True):
        if sum(widths) + gaps <= _NARROW_EM:
            break
        head, *texts = cells[place]
        widest = max(map(em_width, texts), default=0.0)
        if place not in grid.numeric:
            paragraphs.add(place)
            words = max(em_width(word) for text in cells[place] for word in _WORDS.split(text))
            widths[place] = min(natural[place], max(min(words, _LONG_WORD_EM), _SHORT_EM))
        elif em_width(head) > widest + _GAP_EM:
            turned.add(place)
            widths[place] = max(widest, 1.0)
    if turned:  # all of them, which looks better than some
        turned.update(grid.numeric)
    if sum(widths) + gaps > _READABLE_EM:
        yield from _parts_of(_one_cell_per_line(grid))
        return
    fixed = gaps + sum(width for place, width in enumerate(widths) if place not in paragraphs)
    least = sum(widths[place] for place in paragraphs)
    taken = fixed + least
    rest = _NARROW_EM - taken
    total = sum(natural[place] ** 0.5 for place in paragraphs)
    columns = ""
    for place, width in enumerate(widths):
        if place not in paragraphs:
            columns += "r" if place in grid.numeric else "l"
        elif rest < 0:
            columns += f"p{{{width:.2f}em}}"
        else:
            # What is left of the line goes to long texts, but less than in proportion.
            share = natural[place] ** 0.5 / total
            left = f"{share - 0.001:.3f}\\dimexpr\\linewidth-{taken:.2f}em\\relax"
            columns += f"p{{\\dimexpr{width:.2f}em+{left}\\relax}}"
            widths[place] += share * rest
    title = grid.title
    for rows in _parts(grid.rows, widths):
        last = rows[-1:] == list(grid.rows[-1:])
        note = grid.note if last else ""
        yield PrintedGrid(
            title, columns, grid.header, rows, frozenset(paragraphs), frozenset(turned), note
        )
        title = f"{grid.title or 'Table'}, continued"


def _one_cell_per_line(grid: Grid) -> Grid:
    """Return a table with a line for each filled cell, and an empty one between two rows."""
    rows: list[tuple[str, ...]] = []
    for row in grid.rows:
        if rows:
            rows.append(("", ""))
        rows += [(head, cell) for head, cell in zip(grid.header, row, strict=True) if cell]
    return Grid(grid.title, ("", ""), tuple(rows), note=grid.note, wraps=(1,))


def _parts(rows: Sequence[Sequence[str]], widths: Sequence[float]) -> list[list[Sequence[str]]]:
    """Return the rows in parts of at most so many lines of print."""
    parts: list[list[Sequence[str]]] = [[]]
    used = 0
    for row in rows:
        lines = max(
            ceil(1.15 * em_width(cell) / width)
            for cell, width in zip(row, map(max, widths, [1.0] * len(widths)), strict=True)
        )
        if used + lines > _LINES and parts[-1]:
            parts.append([])
            used = 0
        parts[-1].append(row)
        used += max(lines, 1)
    return parts
