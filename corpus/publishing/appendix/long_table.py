"""A long table in print: columns with their widths, rows in titled blocks, a legend."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from statistics import fmean
from typing import Any, NamedTuple

from corpus.printing.escape import web_address

#: A text column is measured on this many rows: the widths of a long table are settled before the
#: table is read to its end.
SAMPLE = 1000

#: A column whose longest cell has no more characters than this gets the width of that cell, in a
#: table of few columns; in a wider one half as many count.
SHORT, FEW = 26, 4

#: Widths of characters in em, on the safe side for Latin Modern.
_WIDEST = "mwMW–—"
_WIDEST_EM, _WIDE_EM, _USUAL_EM = 1.0, 0.78, 0.56


class PrintedCell(NamedTuple):
    """A cell as plain text.

    `link` is an address to go to, `cite` a key that LaTeX cites in place of the text. LaTeX prints
    what is `below` under the other cells of its row, across the table.
    """

    text: str
    link: str = ""
    cite: str = ""
    below: bool = False


class PrintedColumn(NamedTuple):
    """One column: `em` widths of the letter m, or a `share` (0-1) of the remaining width.

    One that is `below` has the whole width, under the others.
    """

    head: str
    em: float = 0.0
    share: float = 0.0
    below: bool = False


class Block(NamedTuple):
    """Rows under a heading of their own; `heading` is empty where the table is not grouped."""

    heading: str
    rows: Iterable[tuple[PrintedCell, ...]]


class Legend(NamedTuple):
    """The abbreviations of one column.

    `terms` are (short, label) in the order of the vocabulary, where the two differ.
    """

    head: str
    terms: Sequence[tuple[str, str]]


class LongTable(NamedTuple):
    """One table. Templates of authors use these names.

    `blocks` may be made while they are read, and only once. `small` print is for all
    but the compact pool table and cards. `after` are paragraphs below the table.
    """

    id: str
    title: str
    fields: tuple[PrintedColumn, ...]
    blocks: Iterable[Block]
    notes: Sequence[str] = ()
    legends: Sequence[Legend] = ()
    small: bool = True
    after: Sequence[str] = ()


class AppendixPart(NamedTuple):
    """One part of an appendix: heading, paragraphs, a list of remarks, tables.

    Templates of authors use these names.
    """

    id: str
    title: str
    sheets: Sequence[LongTable]
    paragraphs: Sequence[str] = ()
    remarks: Sequence[str] = ()


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


def term_column(heading: str, words: Iterable[str]) -> PrintedColumn:
    """Return a column of terms: as wide as the widest of their words and the words of its head."""
    # The head may break into two lines.
    head = max(longest_word(heading), em_width(heading) / 2)
    width = max(head, *map(em_width, words))
    return PrintedColumn(heading, em=round(width + 0.35, 2))


def plain_cells(texts: Iterable[str]) -> tuple[PrintedCell, ...]:
    """Return a row of plain text; an address is linked."""
    return tuple(PrintedCell(text, link=web_address(text)) for text in texts)


def rows_of(groups: Iterable[tuple[str, Iterable[Any]]]) -> list[Any]:
    """Return the rows of all groups, in order."""
    return list(chain.from_iterable(rows for _, rows in groups))


def long_table(
    id_: str,
    title: str,
    heads: Sequence[str | PrintedColumn],
    groups: Sequence[tuple[str, Sequence[Any]]],
    cells: Callable[[Any], tuple[PrintedCell, ...]] = plain_cells,
    notes: Sequence[str] = (),
) -> LongTable:
    """Return a table of rows under the headings of their groups.

    Columns of short text have a fixed width, the others share the remaining one.

    Parameters
    ----------
    id_, title : str
        Of the table.
    heads : sequence of (str or PrintedColumn)
        The settled columns, and the heads of those whose cells decide on the width.
    groups : sequence of (str, rows)
        Heading, empty where there is none, and rows.
    cells : callable
        Row -> what is printed.
    notes : sequence of str
        Paragraphs above the table.
    """
    sample = list(map(cells, rows_of(groups)[:SAMPLE]))
    limit = SHORT if len(heads) <= FEW else SHORT // 2
    columns = []
    weights: dict[int, float] = {}
    for position, head in enumerate(heads):
        if isinstance(head, PrintedColumn):
            columns.append(head)
            continue
        texts = [row[position].text for row in sample] or [""]
        widest = max(map(em_width, texts))
        lengths = list(map(len, texts))
        # Heads are bold.
        width = max(widest, 1.1 * longest_word(head))
        columns.append(PrintedColumn(head, em=round(width + 0.25, 2)))
        if max(lengths) > limit:
            # Found by eye: long texts get more, but less than in proportion, and no head is cut.
            weights[position] = max(
                fmean(lengths) ** 0.6,
                0.75 * longest_word(head),
                min(0.45 * widest, 6.5),
                # A name breaks between its words, not inside one.
                min(0.8 * max(map(longest_word, texts)), 6.5),
                3.0,
            )
    total = sum(weights.values())
    for position, weight in weights.items():
        share = round(weight / total - 0.0005, 3)
        columns[position] = PrintedColumn(columns[position].head, share=share)
    blocks = [Block(heading, map(cells, rows)) for heading, rows in groups]
    return LongTable(id_, title, tuple(columns), blocks, notes)
