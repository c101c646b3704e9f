"""Lists of entries: which rows pass, in what order, which stand nearest to one another."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from corpus.analysis.counting.filters import Filter, keeps
from corpus.model.codebook import Codebook
from corpus.model.corpus import Row, Study, Table
from corpus.model.finding import UsageProblem


class Neighbour(NamedTuple):
    """An entry that shares tags with another: its key and the axes on which both carry the same term."""

    key: str
    shared: tuple[str, ...]


class CellMates(NamedTuple):
    """The entries that stand in the same cell of a cross-tabulation; `cell` holds its row and its column term."""

    title: str
    cell: tuple[str, ...]
    keys: tuple[str, ...]


def select(
    table: Table, filters: Iterable[Filter], sort: Iterable[str] = (), book: Codebook | None = None
) -> list[Row]:
    """Return the rows that pass all filters.

    Parameters
    ----------
    table : Table
        The rows.
    filters : iterable of Filter
        What they must pass.
    sort : iterable of str
        Columns to sort by, the first one first; a minus sign before a name turns its order round. Term columns sort
        in the order of the codebook where `book` is given, empty cells last; all others sort as text.
    """
    tests = list(filters)
    header = table.spec.header
    rows = [row for row in table.rows if keeps(tests, dict(zip(header, row, strict=True)))]
    for name in reversed(list(sort)):
        column = table.spec.column(name.removeprefix("-"))
        position = table.spec.position(column.name)
        order = {t: i for i, t in enumerate(book.vocabulary_of(column).ids)} if book and column.type == "term" else {}
        rows.sort(key=lambda row: (order.get(row[position], -1), row[position]), reverse=name.startswith("-"))
        if order:
            rows.sort(key=lambda row: not row[position])
    return rows


def find_entry(corpus: Study, key: str) -> Row:
    """Return the pool row of a key; UsageProblem with the nearest keys where there is none."""
    found = corpus.pool.by_key().get((key,))
    if found is None:
        from difflib import get_close_matches

        known = {k.lower(): k for (k,) in corpus.pool.by_key()}
        close = [known[k] for k in get_close_matches(key.lower(), known, 3, cutoff=0.5)]
        hint = f"; did you mean {' or '.join(close)}?" if close else "; `corpus search TEXT` finds entries by any text"
        raise UsageProblem(f"the pool has no entry {key!r}{hint}")
    return found


def side_rows(corpus: Study, key: str) -> list[tuple[Table, Row, int]]:
    """Return every row of another table that refers to a pool entry, with its table and line."""
    found = []
    for table in corpus.tables.values():
        for position, column in enumerate(table.spec.columns):
            if column.type == "ref" and column.references == corpus.codebook.pool.name:
                for row, line in zip(table.rows, table.lines, strict=True):
                    if row[position] == key:
                        found.append((table, row, line))
    return found


def cell_mates(corpus: Study, key: str) -> list[CellMates]:
    """Return, for each cross-tabulation that the codebook declares, the other entries in an entry's cell."""
    book, spec = corpus.codebook, corpus.codebook.pool
    entry = find_entry(corpus, key)
    at_key = spec.position(spec.key[0])
    found = []
    for crosstab in book.crosstabs:
        axes = [(spec.position(name), spec.column(name)) for name in (crosstab.rows, crosstab.columns)]
        for cell in product(*(column.values(entry[position]) for position, column in axes)):
            keys = [
                row[at_key]
                for row in corpus.pool.rows
                if all(term in c.values(row[p]) for term, (p, c) in zip(cell, axes, strict=True))
            ]
            found.append(CellMates(crosstab.title, cell, tuple(other for other in keys if other != key)))
    return found


def neighbours(corpus: Study, key: str, limit: int = 5) -> list[Neighbour]:
    """Return the entries that share most tags with one, most first; terms for `not applicable` do not count."""
    book, spec = corpus.codebook, corpus.codebook.pool
    entry = find_entry(corpus, key)
    axes = [(spec.position(column.name), column) for column in spec.axes]
    found = []
    for row in corpus.pool.rows:
        other = row[spec.position(spec.key[0])]
        if other == key:
            continue
        shared = []
        for position, column in axes:
            absent = book.vocabulary_of(column).not_applicable
            if (set(column.values(entry[position])) & set(column.values(row[position]))) - {absent}:
                shared.append(column.name)
        found.append(Neighbour(other, tuple(shared)))
    return sorted(found, key=lambda neighbour: (-len(neighbour.shared), neighbour.key))[:limit]
