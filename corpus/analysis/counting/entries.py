"""Lists of entries: which rows pass, in what order, which are most alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from corpus.model.codebook import Codebook, Crosstab
from corpus.model.entry import Entry
from corpus.model.filters import Filter, row_test
from corpus.model.study import Study
from corpus.model.table import Row, Table


class Neighbour(NamedTuple):
    """An entry that shares tags with another: its key and the axes with a common term."""

    key: str
    shared: tuple[str, ...]


class CellMates(NamedTuple):
    """The other entries in a cell of a cross-tabulation; `cell` is its row and column term."""

    title: str
    cell: tuple[str, ...]
    keys: tuple[str, ...]


def select_rows(
    table: Table, filters: Sequence[Filter], sort: Iterable[str] = (), book: Codebook | None = None
) -> list[Row]:
    """Return the rows that pass all filters.

    Parameters
    ----------
    table : Table
        The rows.
    filters : sequence of Filter
        What they must pass.
    sort : iterable of str
        Columns to sort by, the first one first; a minus sign before a name reverses its order. Term
        columns sort in the order of the codebook where `book` is given, empty cells last; all
        others sort as text.
    book : Codebook, optional
        Gives the order of the terms.
    """
    passes = row_test(filters, table.spec)
    rows = list(filter(passes, table.rows))
    # Sorting is stable, so the last column is sorted by first.
    for name in reversed(list(sort)):
        _sort_by(rows, name, table, book)
    return rows


def _sort_by(rows: list[Row], name: str, table: Table, book: Codebook | None) -> None:
    column = table.spec.column(name.removeprefix("-"))
    position = table.spec.position(column.name)
    order: dict[str, int] = {}
    if book is not None and column.type == "term":
        for number, term in enumerate(book.vocabulary_of(column).ids):
            order[term] = number

    def rank(row: Row) -> tuple[int, str]:
        cell = row[position]
        return order.get(cell, -1), cell

    rows.sort(key=rank, reverse=name.startswith("-"))
    # Empty cells come last, whichever way the others are sorted.
    if order:
        rows.sort(key=lambda row: not row[position])


def cell_mates(study: Study, entry: Entry) -> list[CellMates]:
    """Return the other entries in the cells of one, for each declared cross-tabulation."""
    found: list[CellMates] = []
    for crosstab in study.codebook.crosstabs:
        for cell in product(entry.terms(crosstab.rows), entry.terms(crosstab.columns)):
            keys = _keys_in_cell(study, crosstab, cell)
            others = tuple(key for key in keys if key != entry.key)
            found.append(CellMates(crosstab.title, cell, others))
    return found


def _keys_in_cell(study: Study, crosstab: Crosstab, cell: tuple[str, str]) -> list[str]:
    row_term, column_term = cell
    keys: list[str] = []
    for other in study.entries.values():
        in_row = row_term in other.terms(crosstab.rows)
        in_column = column_term in other.terms(crosstab.columns)
        if in_row and in_column:
            keys.append(other.key)
    return keys


def neighbours(study: Study, entry: Entry, limit: int = 5) -> list[Neighbour]:
    """Return the entries that share most tags with one; "not applicable" is not a tag."""
    found: list[Neighbour] = []
    for other in study.entries.values():
        if other.key != entry.key:
            shared = _shared_axes(study.codebook, entry, other)
            found.append(Neighbour(other.key, shared))
    # By key where equally many are shared, so that the list does not depend on the file's order.
    found.sort(key=lambda neighbour: (-len(neighbour.shared), neighbour.key))
    return found[:limit]


def _shared_axes(book: Codebook, entry: Entry, other: Entry) -> tuple[str, ...]:
    shared: list[str] = []
    for column in book.pool.axes:
        common = set(entry.terms(column.name)) & set(other.terms(column.name))
        common.discard(book.vocabulary_of(column).not_applicable)
        if common:
            shared.append(column.name)
    return tuple(shared)
