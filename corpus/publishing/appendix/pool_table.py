"""The complete pool as one table: grouped, tags abbreviated, entries cited by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from corpus.analysis.counting.entries import select_rows
from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.filters import Filter
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.printing.escape import web_address
from corpus.publishing.appendix.long_table import (
    AppendixPart,
    Block,
    Legend,
    LongTable,
    PrintedCell,
    PrintedColumn,
    term_field,
    text_fields,
)
from corpus.publishing.figures.frame import NOT_GIVEN

#: The columns that a pool table shows unless others are asked for, by role; the axes come before the summary.
_BEFORE, _AFTER = ("key", "title", "first_author", "year", "venue"), ("summary",)


class TableChoice(NamedTuple):
    """What a pool table shows: `columns` (empty for the usual ones), the entries that pass `filters`, the order."""

    columns: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    sort: tuple[str, ...] = ()
    abbreviated: bool = True


def pool_part(corpus: Study, choice: TableChoice) -> AppendixPart:
    """Return the pool as a part of the appendix.

    Raises
    ------
    UsageProblem
        Where the pool has no such column.
    """
    book, spec = corpus.codebook, corpus.codebook.pool
    rows = chosen_rows(corpus, choice)
    columns = [spec.column(name) for name in choice.columns] or usual_columns(spec)
    printers = [_Printer(column, spec, book, choice.abbreviated) for column in columns]
    fields = _fields(printers, rows, book, choice.abbreviated)
    legends = tuple(_legends(columns, book)) if choice.abbreviated else ()
    sheet = LongTable("pool", spec.title, fields, _blocks(rows, printers, book, spec), (), legends, small=True)
    return AppendixPart("table", spec.title, (_introduction(corpus, len(rows)),), (sheet,))


def chosen_rows(corpus: Study, choice: TableChoice) -> list[Row]:
    """Return the rows that pass the filters, in order: by group, then as asked for, else by year and key."""
    book, spec = corpus.codebook, corpus.codebook.pool
    group, year = spec.by_role("group"), spec.by_role("year")
    usual = [column.name for column in (year,) if column]
    order = [*([group.name] if group else []), *(choice.sort or usual)]
    return select_rows(corpus.pool, choice.filters, order, book)


def usual_columns(spec: TableSpec) -> list[Column]:
    """Return the columns of the usual table: key, title, first author, year, venue, the axes, the summary."""
    group = spec.by_role("group")
    chosen = [spec.by_role(role) for role in _BEFORE]
    chosen += [column for column in spec.axes if column is not group]
    chosen += [spec.by_role(role) for role in _AFTER]
    found = list(dict.fromkeys(column for column in chosen if column is not None))
    return found if len(found) > 1 else list(spec.columns)


class _Printer:
    """Turns one column's cell of a row into what is printed."""

    def __init__(self, column: Column, spec: TableSpec, book: Codebook, abbreviated: bool) -> None:
        self.column = column
        self.position = spec.position(column.name)
        url = spec.by_role("url")
        self.url = spec.position(url.name) if url and column.role == "title" else None
        self.known: dict[str, PrintedCell] = {}
        self.terms = {}
        if column.type == "term":
            terms = book.vocabulary_of(column).terms
            self.terms = {term.id: term.short if abbreviated else term.label for term in terms}

    def cell(self, row: Row) -> PrintedCell:
        text = row[self.position]
        if self.terms:
            found = self.known.get(text)
            if found is None:
                found = self.known[text] = PrintedCell(
                    ", ".join(self.terms.get(v, v) for v in self.column.values(text))
                )
            return found
        if self.column.role == "key":
            return PrintedCell(text, cite=text)
        if self.column.role == "first_author":
            return PrintedCell(text.partition(",")[0])
        if self.url is not None:
            return PrintedCell(text, link=web_address(row[self.url].partition(" ; ")[0]))
        if self.column.type == "arxiv":
            return PrintedCell(text, link=web_address(f"https://arxiv.org/abs/{text}") if text else "")
        return PrintedCell(text)


def _fields(
    printers: Sequence[_Printer], rows: list[Row], book: Codebook, abbreviated: bool
) -> tuple[PrintedColumn, ...]:
    fixed: list[PrintedColumn | None] = []
    for printer in printers:
        column = printer.column
        if column.type == "term" and abbreviated:
            fixed.append(term_field(column, book))
        elif column.role == "key":
            fixed.append(PrintedColumn("Ref.", em=0.6 + 0.53 * max(4, len(str(len(rows))) + 2)))
        else:
            fixed.append(None)
    sample = ([printer.cell(row).text for printer in printers] for row in rows)
    return tuple(text_fields([printer.column.label for printer in printers], sample, fixed))


def _blocks(rows: list[Row], printers: Sequence[_Printer], book: Codebook, spec: TableSpec) -> Iterator[Block]:
    group = spec.by_role("group")
    if group is None:
        yield Block("", _cells(rows, printers))
        return
    position, start = spec.position(group.name), 0
    labels = {term.id: term.label for term in book.vocabulary_of(group).terms} if group.type == "term" else {}
    pick = itemgetter(position)
    for end in range(1, len(rows) + 1):
        if end < len(rows) and pick(rows[end]) == pick(rows[start]):
            continue
        names = ", ".join(labels.get(value, value) for value in group.values(pick(rows[start]))) or NOT_GIVEN
        plural = book.corpus.get("entries", "entries")
        noun = plural if end - start != 1 else book.corpus.get("entry", plural)
        yield Block(f"{names} ({end - start} {noun})", _cells(rows[start:end], printers))
        start = end


def _cells(rows: Iterable[Row], printers: Sequence[_Printer]) -> Iterator[tuple[PrintedCell, ...]]:
    for row in rows:
        yield tuple([printer.cell(row) for printer in printers])


def _legends(columns: Sequence[Column], book: Codebook) -> Iterator[Legend]:
    for column in columns:
        if column.type == "term":
            terms = book.vocabulary_of(column).terms
            differing = tuple((term.short, term.label) for term in terms if term.short != term.label)
            if differing:
                yield Legend(column.label, differing)


def _introduction(corpus: Study, shown: int) -> str:
    """Say what a row is, how many are shown, and as of when."""
    about, total = corpus.codebook.corpus, len(corpus.pool.rows)
    noun = about.get("entries", "entries")
    count = f"{total} {noun}" if shown == total else f"{shown} of {total} {noun}"
    cutoff = f", as of {about['cutoff']}" if about.get("cutoff") else ""
    return f"{corpus.codebook.pool.definition} {count[:1].upper()}{count[1:]}{cutoff}.".strip()
