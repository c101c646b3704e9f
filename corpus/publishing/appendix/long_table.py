"""A long table in print: columns with their widths, rows in titled blocks, a legend."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from statistics import fmean
from typing import Any, NamedTuple

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.identifiers import arxiv_page, split_addresses
from corpus.model.table import Row
from corpus.printing.escape import web_address
from corpus.printing.latex_grid import em_width, longest_word
from corpus.publishing.appendix.layout import AppendixColumn

#: A text column is measured on this many rows: the widths of a long table are settled before the
#: table is read to its end.
SAMPLE = 1000

#: A column whose longest cell has no more characters than this gets the width of that cell, in a
#: table of few columns; in a wider one half as many count.
SHORT, FEW = 26, 4

#: So wide is a page of A4 in small and in usual print, in em; a gap included.
SMALL, USUAL = 63.0, 58.0
_GAP = 0.75
#: A word of a text breaks where it is longer, in em.
_WIDEST_WORD = 8.0
#: Print breaks a line behind these.
_PIECES = re.compile(r"[\s/:_-]")
#: Head of the line below each row that has the columns for which the page is too narrow.
_REST = "Other columns"

#: A table of so many rows stays on one page.
_SHORT_TABLE = 12
#: A longer key breaks, in em.
_WIDEST_KEY = 12.5

#: What a term that means "not applicable" is in the compact layout.
_DASH = "–"


class PrintedCell(NamedTuple):
    """A cell as plain text.

    `link` is an address to go to. LaTeX prints what is `below` under the other cells of its row,
    across the table.
    """

    text: str
    link: str = ""
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


class LongTable(NamedTuple):
    """One table.

    `blocks` may be made while they are read, and only once. `small` print is for all
    but the compact pool table and cards. `after` are paragraphs below the table. `legends` are the
    head of a column and (short, label) of its abbreviations, where the two differ. `moved` are the
    heads of columns for which the page is too narrow: a line below each row has their cells.
    `short` are the rows of a table that a page break should not split; 0 of a longer one.
    """

    id: str
    title: str
    fields: tuple[PrintedColumn, ...]
    blocks: Iterable[Block]
    notes: Sequence[str] = ()
    legends: Sequence[tuple[str, Sequence[tuple[str, str]]]] = ()
    small: bool = True
    after: Sequence[str] = ()
    moved: Sequence[str] = ()
    short: int = 0


class AppendixPart(NamedTuple):
    """One part of an appendix: heading, paragraphs, a list of remarks, tables."""

    id: str
    title: str
    sheets: Sequence[LongTable]
    paragraphs: Sequence[str] = ()
    remarks: Sequence[str] = ()


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
    page: float = SMALL,
) -> LongTable:
    """Return a table of rows under the headings of their groups.

    Columns of short text have a fixed width, the others share the remaining one. Columns for which
    the page is too narrow are a line below each row, which names them.

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
    page : float
        Width of the page, in em.
    """
    rows = rows_of(groups)
    sample = list(map(cells, rows[:SAMPLE]))
    limit = SHORT if len(heads) <= FEW else SHORT // 2
    columns = []
    weights: dict[int, float] = {}
    least: dict[int, float] = {}
    for position, head in enumerate(heads):
        if isinstance(head, PrintedColumn):
            columns.append(head)
            least[position] = head.em
            continue
        texts = [row[position].text for row in sample] or [""]
        widest = max(map(em_width, texts))
        lengths = list(map(len, texts))
        # Heads are bold.
        width = max(widest, 1.1 * longest_word(head))
        columns.append(PrintedColumn(head, em=round(width + 0.25, 2)))
        least[position] = width + 0.25
        if max(lengths) > limit:
            pieces = chain.from_iterable(map(_PIECES.split, texts))
            word = min(max(map(em_width, pieces)), _WIDEST_WORD)
            least[position] = min(width, max(word, 1.1 * longest_word(head))) + 0.25
            # Long texts get more, but less than in proportion, and no word is cut.
            weights[position] = max(fmean(lengths) ** 0.6, least[position])
    moved = []
    for position, column in enumerate(columns):
        page -= 0 if column.below else least[position] + _GAP
        if page < -_GAP and position and not column.below:
            moved.append(position)
            page += least[position] + _GAP
    if moved:
        # Nothing is narrower than its longest word.
        weights = {place: least[place] for place in weights if place not in moved}
    total = sum(weights.values())
    for position, weight in weights.items():
        share = round(weight / total - 0.0005, 3)
        columns[position] = PrintedColumn(columns[position].head, share=share)
    names = [columns[position].head for position in moved]

    def fitted(row: Any) -> tuple[PrintedCell, ...]:
        printed = cells(row)
        beside = [cell for position, cell in enumerate(printed) if position not in moved]
        pairs = zip(names, map(printed.__getitem__, moved), strict=True)
        rest = "; ".join(f"{name}: {cell.text}" for name, cell in pairs if cell.text)
        return (*beside, PrintedCell(rest, below=True))

    fields = columns
    if moved:
        fields = [column for position, column in enumerate(columns) if position not in moved]
        fields.append(PrintedColumn(_REST, below=True))
    printed_row = fitted if moved else cells
    blocks = [Block(heading, map(printed_row, rows)) for heading, rows in groups]
    short = len(rows) if len(rows) <= _SHORT_TABLE else 0
    return LongTable(id_, title, tuple(fields), blocks, notes, moved=names, short=short)


class Printer:
    """One printed column: its head, and what it prints of a row.

    Parameters
    ----------
    shown : AppendixColumn
        The column.
    spec : TableSpec
        Of the table.
    book : Codebook
        Gives the words for the terms.
    is_short : bool
        Whether terms have their short forms, rather than their labels.
    links : bool
        Whether the cell leads to the address of its row.
    """

    def __init__(
        self, shown: AppendixColumn, spec: TableSpec, book: Codebook, is_short: bool, links: bool
    ) -> None:
        self.shown = shown
        #: Term -> how it is printed, and what is printed otherwise than by its label.
        self.words: dict[str, str] = {}
        self.legend: list[tuple[str, str]] = []
        for column in shown.columns:
            if column.type != "term":
                continue
            vocabulary = book.vocabulary_of(column)
            for term in vocabulary.terms:
                word = term.label
                if is_short and term.id == vocabulary.not_applicable:
                    word = _DASH
                elif is_short:
                    word = shown.short.get(term.id, term.short)
                self.words[term.id] = word
                if word != term.label:
                    self.legend.append((word, term.label))
        self.columns = [(spec.position(column.name), column) for column in shown.columns]
        url = spec.by_role("url")
        self.url = spec.position(url.name) if url and links else None

    def head(self, rows: Sequence[Row]) -> str | PrintedColumn:
        """Return the head, with a width where the cells of the rows do not decide on it alone."""
        heading = self.shown.heading
        if self.shown.below:
            return PrintedColumn(heading, below=True)
        if self.shown.role == "key":
            widest = max([em_width(self.cell(row).text) for row in rows[:SAMPLE]], default=0.0)
            # Heads are bold.
            width = max(min(widest, _WIDEST_KEY), 1.1 * longest_word(heading))
            return PrintedColumn(heading, em=round(width + 0.25, 2))
        if self.words and max(map(len, self.words.values())) <= SHORT // 2:
            return term_column(heading, self.words.values())
        return heading

    def cell(self, row: Row) -> PrintedCell:
        """Return the printed cell of a row."""
        texts: list[str] = []
        for position, column in self.columns:
            cell = row[position]
            if column.type == "term":
                cell = ", ".join(self.words.get(value, value) for value in column.values(cell))
            elif column.role == "first_author":
                cell = cell.partition(",")[0]
            elif texts:
                # A venue does not repeat its year.
                cell = " ".join(word for word in cell.split() if word not in texts)
            texts += filter(None, [cell])
        text = " / ".join(texts)
        link = text
        if self.columns[0][1].type == "arxiv":
            link = text and arxiv_page(text)
        elif self.url is not None:
            link = split_addresses(row[self.url])[0]
        return PrintedCell(text, web_address(link) or web_address(text), below=self.shown.below)


def printed_table(
    id_: str,
    spec: TableSpec,
    columns: Sequence[AppendixColumn],
    book: Codebook,
    groups: Sequence[tuple[str, list[Row]]],
    page: float = SMALL,
    is_short: bool = False,
) -> LongTable:
    """Return a table of some columns, its rows under the headings of their groups.

    The title of a row leads to its address, or its key where the table shows no titles.
    """
    linked = "title" if "title" in [shown.role for shown in columns] else "key"
    printers = [Printer(shown, spec, book, is_short, shown.role == linked) for shown in columns]
    rows = rows_of(groups)

    def cells(row: Row) -> tuple[PrintedCell, ...]:
        return tuple([printer.cell(row) for printer in printers])

    legends = []
    for printer in printers:
        if printer.legend:
            legends.append((printer.shown.heading, printer.legend))
    heads = [printer.head(rows) for printer in printers]
    sheet = long_table(id_, spec.title, heads, groups, cells, page=page)
    return sheet._replace(legends=legends)
