"""The contingency table over the taxonomy columns: counts, shares and cross-tabulations are margins of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from corpus.model.codebook import Codebook, Column, Vocabulary
from corpus.model.filters import Filter
from corpus.model.table import Row


class Count(NamedTuple):
    """One row of a count: `entries` that carry a term, and their `share` (0-1) of all entries counted."""

    term: str
    entries: int
    share: float


class Margin(NamedTuple):
    """The count of one axis over its whole declared vocabulary; a term without entries is a row with 0.

    `entries` is the number of rows counted, `empty` those of them without any term, `apart` those whose only term is
    the one for "not applicable", `tags` the sum over the terms.
    """

    column: Column
    vocabulary: Vocabulary
    rows: tuple[Count, ...]
    entries: int
    empty: int = 0
    apart: int = 0

    @property
    def applicable(self) -> int:
        """How many of the counted entries the axis applies to."""
        return self.entries - self.apart

    @property
    def tags(self) -> int:
        """How many tags the counted entries carry together."""
        return sum(row.entries for row in self.rows)

    def of(self, term: str) -> int:
        """Return the number of entries of one term; KeyError where it is not declared."""
        for row in self.rows:
            if row.term == term:
                return row.entries
        raise KeyError(term)


class CrossTabulation(NamedTuple):
    """Entries by the terms of two axes; `cells` holds every cell of the two vocabularies, empty ones as 0."""

    rows: Margin
    columns: Margin
    cells: Mapping[tuple[str, str], int]
    entries: int


class Contingency:
    """How many entries there are for each distinct combination of cells.

    Parameters
    ----------
    book : Codebook
        Gives the axes their vocabularies.
    columns : tuple of str
        The columns of the pool that the cells stand for.
    cells : mapping of tuple of str to int
        Combination -> number of entries.
    """

    __slots__ = ("book", "cells", "columns")

    def __init__(self, book: Codebook, columns: tuple[str, ...], cells: Mapping[Row, int]) -> None:
        self.book, self.columns, self.cells = book, columns, cells

    @property
    def entries(self) -> int:
        """How many entries are counted."""
        return sum(self.cells.values())

    def where(self, filters: Iterable[Filter]) -> Contingency:
        """Return the table of the entries that pass all filters."""
        tests = [(self.columns.index(filter_.column.name), filter_) for filter_ in filters]
        kept = {
            cell: n for cell, n in self.cells.items() if all(f.keeps(cell[i]) for i, f in tests)
        }
        return Contingency(self.book, self.columns, kept)

    def margin(self, axis: str) -> Margin:
        """Count one axis over its declared vocabulary.

        Raises
        ------
        UsageProblem
            Where the pool has no such axis.
        """
        column, vocabulary = self.book.axis(axis)
        position = self.columns.index(axis)
        counts = dict.fromkeys(vocabulary.ids, 0)
        empty = apart = 0
        for cell, entries in self.cells.items():
            terms = set(column.values(cell[position]))
            for term in terms:
                counts[term] += entries
            empty += 0 if terms else entries
            apart += entries if terms == {vocabulary.not_applicable} else 0
        total = self.entries
        rows = tuple(Count(term, n, n / total if total else 0.0) for term, n in counts.items())
        return Margin(column, vocabulary, rows, total, empty, apart)

    def margins(self) -> Iterator[Margin]:
        """Count every axis, in the codebook's order."""
        for column in self.book.pool.axes:
            yield self.margin(column.name)

    def crosstab(self, rows: str, columns: str) -> CrossTabulation:
        """Cross-tabulate two axes over their declared vocabularies."""
        of_rows, of_columns = self.margin(rows), self.margin(columns)
        at_row, at_column = self.columns.index(rows), self.columns.index(columns)
        cells = dict.fromkeys(product(of_rows.vocabulary.ids, of_columns.vocabulary.ids), 0)
        for cell, entries in self.cells.items():
            for pair in set(
                product(
                    of_rows.column.values(cell[at_row]), of_columns.column.values(cell[at_column])
                )
            ):
                cells[pair] += entries
        return CrossTabulation(of_rows, of_columns, cells, self.entries)
