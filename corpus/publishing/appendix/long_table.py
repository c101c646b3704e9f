"""A long table in print: fields with their widths, rows in titled blocks, a legend of abbreviations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from corpus.model.codebook import Codebook, Column

#: A text column is measured on this many rows; the widths of a long table are settled before it is read to its end.
SAMPLE = 1000

#: A column whose longest cell has no more characters than this gets the width of that cell, in a table of few columns;
#: in a wider one half as many count.
SHORT, FEW = 26, 4


class PrintedCell(NamedTuple):
    """A cell as plain text; `link` is an address to go to, `cite` a key that LaTeX cites in place of the text."""

    text: str
    link: str = ""
    cite: str = ""


class PrintedColumn(NamedTuple):
    """One column in print: fixed at `em` widths of the letter m, or a `share` (0-1) of what the fixed ones leave."""

    head: str
    em: float = 0.0
    share: float = 0.0


class Block(NamedTuple):
    """Rows under a heading of their own; `heading` is empty where the table is not grouped."""

    heading: str
    rows: Iterable[tuple[PrintedCell, ...]]


class Legend(NamedTuple):
    """The abbreviations of one column: (short, label) in the order of the vocabulary, where the two differ."""

    head: str
    terms: tuple[tuple[str, str], ...]


class LongTable(NamedTuple):
    """One table: `blocks` may be made while they are read, and only once.

    `small` print is for the widest tables.

    `room` is how many lines must be left on a page for the table to start there.
    """

    id: str
    title: str
    fields: tuple[PrintedColumn, ...]
    blocks: Iterable[Block]
    notes: tuple[str, ...] = ()
    legends: tuple[Legend, ...] = ()
    small: bool = False
    room: int = 11


class AppendixPart(NamedTuple):
    """One part of an appendix: heading, paragraphs, a list of remarks, tables."""

    id: str
    title: str
    paragraphs: tuple[str, ...]
    sheets: tuple[LongTable, ...]
    remarks: tuple[str, ...] = ()


def em_width(text: str) -> float:
    """Estimate how wide a text prints, in em; on the safe side for Latin Modern.

    Examples
    --------
    >>> round(em_width("MARL"), 2), round(em_width("shared"), 2)
    (3.34, 3.36)
    """
    return sum(1.0 if c in "mwMW–—" else 0.78 if c.isupper() or not c.isascii() else 0.56 for c in text)


def longest_word(text: str) -> float:
    """Return the width of the widest word of a text, in em; a hyphen ends a word."""
    return max((em_width(word) for word in text.replace("-", "- ").split()), default=0.0)


def term_field(column: Column, book: Codebook) -> PrintedColumn:
    """Return the field of a term column: as wide as its widest abbreviation and the words of its head."""
    shorts = [term.short for term in book.vocabulary_of(column).terms]
    head = max(longest_word(column.label), em_width(column.label) / 2)
    width = max([head, *(em_width(short) for short in shorts)])
    return PrintedColumn(column.label, em=round(min(width, 9.0) + 0.35, 2))


def text_fields(
    heads: Sequence[str], rows: Iterable[Sequence[str]], fixed: Sequence[PrintedColumn | None]
) -> list[PrintedColumn]:
    """Settle the widths of all fields: `fixed` ones stay, short text is fixed, the others share what is left.

    Parameters
    ----------
    heads : sequence of str
        Heads of the columns.
    rows : iterable of sequence of str
        Cells as text; the first :data:`SAMPLE` rows are measured.
    fixed : sequence of PrintedColumn or None
        A field that is settled already, or None where the column is text.
    """
    sample = list(islice(rows, SAMPLE))
    weights = {}
    fields = list(fixed)
    for position, head in enumerate(heads):
        if fields[position] is not None:
            continue
        cells = [row[position] for row in sample] or [""]
        longest = max(map(len, cells))
        if longest <= (SHORT if len(heads) <= FEW else SHORT // 2):
            fields[position] = PrintedColumn(head, em=round(max(*map(em_width, cells), longest_word(head)) + 0.25, 2))
        else:
            mean, widest = sum(map(len, cells)) / len(cells), max(map(em_width, cells))
            weights[position] = max(mean**0.6, 0.75 * longest_word(head), min(0.45 * widest, 6.5), 3.0)
    total = sum(weights.values())
    for position, weight in weights.items():
        fields[position] = PrintedColumn(heads[position], share=round(weight / total - 0.0005, 3))
    return [field for field in fields if field is not None]
