"""The complete pool as one table: grouped, tags abbreviated, entries cited by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
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
    printed_columns,
    term_column,
)
from corpus.publishing.figures.frame import NOT_GIVEN

#: The columns that a pool table shows unless others are chosen, by role; the axes come between.
_BEFORE_AXES = ("key", "title", "first_author", "year", "venue")
_AFTER_AXES = ("summary",)


class TableChoice(NamedTuple):
    """What a pool table shows: the columns, the entries, the order.

    `columns` is empty for the usual ones; entries must pass all `filters`; terms are printed by
    their short forms where `abbreviated`.
    """

    columns: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    sort: tuple[str, ...] = ()
    abbreviated: bool = True


def pool_part(study: Study, choice: TableChoice) -> AppendixPart:
    """Return the pool as a part of the appendix.

    Raises
    ------
    UsageProblem
        Where the pool has no such column.
    """
    book, spec = study.codebook, study.codebook.pool
    rows = chosen_rows(study, choice)
    columns = [spec.column(name) for name in choice.columns] or usual_columns(spec)
    printers = [_Printer(column, spec, book, choice.abbreviated) for column in columns]
    fields = _fields(printers, rows, book, choice.abbreviated)
    legends = tuple(_legends(columns, book)) if choice.abbreviated else ()
    blocks = _blocks(rows, printers, book)
    sheet = LongTable("pool", spec.title, fields, blocks, (), legends, small=True)
    return AppendixPart("table", spec.title, (_introduction(study, len(rows)),), (sheet,))


def chosen_rows(study: Study, choice: TableChoice) -> list[Row]:
    """Return the rows that pass the filters, by group, then as chosen, else by year and key."""
    spec = study.codebook.pool
    group = spec.by_role("group")
    year = spec.by_role("year")
    order = [group.name] if group else []
    if choice.sort:
        order += choice.sort
    elif year:
        order.append(year.name)
    return select_rows(study.pool, choice.filters, order, study.codebook)


def usual_columns(spec: TableSpec) -> list[Column]:
    """Return the columns of the usual table.

    They are key, title, first author, year, venue, the axes without the grouping one, the summary;
    all columns where the pool has fewer than two of them.
    """
    group = spec.by_role("group")
    chosen = [spec.by_role(role) for role in _BEFORE_AXES]
    chosen += [column for column in spec.axes if column is not group]
    chosen += [spec.by_role(role) for role in _AFTER_AXES]
    found = list(dict.fromkeys(column for column in chosen if column is not None))
    return found if len(found) > 1 else list(spec.columns)


def first_address(cell: str) -> str:
    """Return the first web address of a cell with several; empty where it is none."""
    return web_address(cell.partition(" ; ")[0])


class _Printer:
    """Turns one column's cell of a row into what is printed."""

    def __init__(self, column: Column, spec: TableSpec, book: Codebook, abbreviated: bool) -> None:
        self.column = column
        self.position = spec.position(column.name)
        url = spec.by_role("url")
        self.url = spec.position(url.name) if url and column.role == "title" else None
        self.terms: dict[str, str] = {}
        if column.type == "term":
            for term in book.vocabulary_of(column).terms:
                self.terms[term.id] = term.short if abbreviated else term.label
        # A pool of 100,000 rows has few distinct cells in a term column.
        self.known: dict[str, PrintedCell] = {}

    def cell(self, row: Row) -> PrintedCell:
        """Return the printed cell of a row."""
        text = row[self.position]
        if self.terms:
            return self._terms(text)
        if self.column.role == "key":
            return PrintedCell(text, cite=text)
        if self.column.role == "first_author":
            return PrintedCell(text.partition(",")[0])
        if self.url is not None:
            return PrintedCell(text, link=first_address(row[self.url]))
        if self.column.type == "arxiv" and text:
            return PrintedCell(text, link=web_address(f"https://arxiv.org/abs/{text}"))
        return PrintedCell(text)

    def _terms(self, text: str) -> PrintedCell:
        found = self.known.get(text)
        if found is None:
            names = [self.terms.get(value, value) for value in self.column.values(text)]
            found = self.known[text] = PrintedCell(", ".join(names))
        return found


def _fields(
    printers: Sequence[_Printer], rows: list[Row], book: Codebook, abbreviated: bool
) -> tuple[PrintedColumn, ...]:
    fixed: list[PrintedColumn | None] = []
    for printer in printers:
        column = printer.column
        if column.type == "term" and abbreviated:
            fixed.append(term_column(column, book))
        elif column.role == "key":
            # A citation such as [84]: brackets and the digits of the largest number.
            characters = max(4, len(str(len(rows))) + 2)
            fixed.append(PrintedColumn("Ref.", em=0.6 + 0.53 * characters))
        else:
            fixed.append(None)
    heads = [printer.column.label for printer in printers]
    return printed_columns(heads, _texts(rows, printers), fixed)


def _texts(rows: Iterable[Row], printers: Sequence[_Printer]) -> Iterator[list[str]]:
    """Yield the cells of each row as text; only the first rows are asked for."""
    for row in rows:
        yield [printer.cell(row).text for printer in printers]


def _blocks(rows: list[Row], printers: Sequence[_Printer], book: Codebook) -> Iterator[Block]:
    spec = book.pool
    group = spec.by_role("group")
    if group is None:
        yield Block("", _cells(rows, printers))
        return
    position = spec.position(group.name)
    many = book.corpus.get("entries", "entries")
    one = book.corpus.get("entry", many)
    for cell, grouped in groupby(rows, key=lambda row: row[position]):
        members = list(grouped)
        heading = group_heading(group, cell, book)
        noun = one if len(members) == 1 else many
        yield Block(f"{heading} ({len(members)} {noun})", _cells(members, printers))


def group_heading(group: Column, cell: str, book: Codebook) -> str:
    """Return the heading of the rows that have one cell in the grouping column.

    Parameters
    ----------
    group : Column
        The column that the rows are grouped by.
    cell : str
        What the rows have in it; it may be empty.
    book : Codebook
        Gives the labels of terms.
    """
    labels: dict[str, str] = {}
    if group.type == "term":
        labels = book.vocabulary_of(group).labels
    names = [labels.get(value, value) for value in group.values(cell)]
    return ", ".join(names) or NOT_GIVEN


def _cells(rows: Iterable[Row], printers: Sequence[_Printer]) -> Iterator[tuple[PrintedCell, ...]]:
    for row in rows:
        yield tuple([printer.cell(row) for printer in printers])


def _legends(columns: Sequence[Column], book: Codebook) -> Iterator[Legend]:
    for column in columns:
        if column.type != "term":
            continue
        terms = book.vocabulary_of(column).terms
        differing = [(term.short, term.label) for term in terms if term.short != term.label]
        if differing:
            yield Legend(column.label, tuple(differing))


def _introduction(study: Study, shown: int) -> str:
    """Return what a row is, how many are shown, and as of when."""
    about = study.codebook.corpus
    total = len(study.pool.rows)
    noun = about.get("entries", "entries")
    count = f"{total} {noun}"
    if shown != total:
        count = f"{shown} of {count}"
    if about.get("cutoff"):
        count += f", as of {about['cutoff']}"
    return f"{study.codebook.pool.definition} {count}.".strip()
