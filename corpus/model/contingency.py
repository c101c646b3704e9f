"""The contingency table over the taxonomy columns; every count is a margin of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from corpus.model.codebook import Codebook, Column, Term, Texts, Vocabulary
from corpus.model.filters import Filter, row_test
from corpus.model.table import Row, row_picker


class Count(NamedTuple):
    """One row of a count: `entries` with a term, and their `share` (0-1) of all entries counted."""

    term: str
    entries: int
    share: float


class Margin(NamedTuple):
    """The count of one axis over its whole vocabulary; a term without entries is a row with 0.

    Attributes
    ----------
    column : Column
        The axis.
    vocabulary : Vocabulary
        Its terms.
    rows : tuple of Count
        One for each term, in declared order.
    entries : int
        How many entries were counted.
    empty : int
        Those of them without any term.
    not_applicable : int
        Those of them whose only term is the one for "not applicable".
    """

    column: Column
    vocabulary: Vocabulary
    rows: tuple[Count, ...]
    entries: int
    empty: int = 0
    not_applicable: int = 0

    @property
    def applicable(self) -> int:
        """How many of the counted entries the axis applies to."""
        return self.entries - self.not_applicable

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

    def share(self, term: str) -> float | None:
        """Return a term's share (0-1) of the entries that the axis applies to.

        None for the term that means "not applicable", and where the axis applies to no entry.
        """
        if term == self.vocabulary.not_applicable or not self.applicable:
            return None
        return self.of(term) / self.applicable


class CrossTabulation(NamedTuple):
    """Entries by the terms of two axes; `cells` holds all pairs of terms, empty ones as 0."""

    rows: Margin
    columns: Margin
    cells: Mapping[Texts, int]
    entries: int


class Contingency(NamedTuple):
    """How many entries there are for each distinct combination of cells.

    Attributes
    ----------
    book : Codebook
        Gives the axes their vocabularies.
    columns : tuple of str
        The columns of the pool that the cells belong to.
    cells : mapping of tuple of str to int
        Combination -> number of entries.
    """

    book: Codebook
    columns: Texts
    cells: Mapping[Row, int]

    @property
    def entries(self) -> int:
        """How many entries are counted."""
        return sum(self.cells.values())

    def where(self, filters: Iterable[Filter]) -> Contingency:
        """Return the table of the entries that pass all filters."""
        passes = row_test(filters, self.columns)
        kept = {cell: entries for cell, entries in self.cells.items() if passes(cell)}
        return Contingency(self.book, self.columns, kept)

    def with_values(self, names: Iterable[str]) -> Contingency:
        """Return the table in which the values of further columns are counted as terms are.

        Years and dates are in their order; of other values the most frequent come first.
        """
        book = self.book
        vocabularies = dict(book.vocabularies)
        columns = {column.name: column for column in book.pool.columns}
        for name in names:
            column = columns[name]
            if column.axis:
                continue
            times: Counter[str] = Counter()
            for cells, entries in self.cells.items():
                times[cells[self.columns.index(name)]] += entries
            del times[""]
            values = sorted(times)
            if column.type not in ("date", "year"):
                values.sort(key=times.__getitem__, reverse=True)
            terms = tuple(Term(value, value, value, "") for value in values)
            vocabularies[name] = Vocabulary(name, column.label, "", terms, (), "")
            columns[name] = column._replace(vocabulary=name, axis=True)
        pool = book.pool._replace(columns=tuple(columns.values()))
        book = book._replace(tables={**book.tables, pool.name: pool}, vocabularies=vocabularies)
        return Contingency(book, self.columns, self.cells)

    def cells_of(self, column: str) -> set[str]:
        """Return the different cells of a column."""
        position = self.columns.index(column)
        return {cells[position] for cells in self.cells}

    def margin(self, axis: str) -> Margin:
        """Count one axis over its declared vocabulary.

        Raises
        ------
        UsageProblem
            Where the pool has no such axis.
        """
        column, vocabulary = self.book.axis(axis)
        position = self.columns.index(column.name)
        counts = dict.fromkeys(vocabulary.ids, 0)
        empty = 0
        not_applicable = 0
        for cell, entries in self.cells.items():
            # A set: a term that is repeated in a cell does not make two entries of one.
            terms = set(column.values(cell[position]))
            for term in terms:
                counts[term] += entries
            if not terms:
                empty += entries
            if terms == {vocabulary.not_applicable}:
                not_applicable += entries
        total = self.entries
        rows = []
        for term, number in counts.items():
            rows.append(Count(term, number, number / (total or 1)))
        return Margin(column, vocabulary, tuple(rows), total, empty, not_applicable)

    def margins(self) -> Iterator[Margin]:
        """Count every axis, in the codebook's order."""
        return map(self.margin, self.book.pool.axis_names)

    def crosstab(self, rows: str, columns: str) -> CrossTabulation:
        """Cross-tabulate two axes over their declared vocabularies."""
        of_rows = self.margin(rows)
        of_columns = self.margin(columns)
        pick = row_picker([self.columns.index(one.column.name) for one in (of_rows, of_columns)])
        # Splitting cells into terms is the slow step, so that equal pairs of cells come first.
        pairs: Counter[Row] = Counter()
        for cell, entries in self.cells.items():
            pairs[pick(cell)] += entries
        of_both = (of_rows.column, of_columns.column)
        declared = product(of_rows.vocabulary.ids, of_columns.vocabulary.ids)
        cells = counts_by_values(pairs, of_both, declared)
        return CrossTabulation(of_rows, of_columns, cells, self.entries)


def counts_by_values(
    cells: Mapping[Row, int], columns: Sequence[Column], declared: Iterable[Texts] = ()
) -> dict[Texts, int]:
    """Count rows by the values in some columns; each value of a multi-valued cell counts once.

    Parameters
    ----------
    cells : mapping of tuple of str to int
        The cells in these columns -> number of rows that have them.
    columns : sequence of Column
        What the cells are cells of.
    declared : iterable of tuple of str
        Combinations of values that are counted as 0 where no row has them; they come first, in this
        order.
    """
    counts = dict.fromkeys(declared, 0)
    for row, number in cells.items():
        values = [column.values(cell) for column, cell in zip(columns, row, strict=True)]
        # A value that is repeated in a cell still counts once.
        for combination in set(product(*values)):
            counts[combination] = counts.get(combination, 0) + number
    return counts
