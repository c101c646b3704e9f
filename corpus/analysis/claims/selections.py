"""The rows that a claim selects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter

from corpus.analysis.claims.claim import Selection
from corpus.analysis.claims.parser import reference
from corpus.model.codebook import Column, TableSpec
from corpus.model.corpus import Row, Study, Table
from corpus.model.dates import parse_date

Test = Callable[[Row], bool]


def selected(selection: Selection, corpus: Study) -> list[Row]:
    """Return the rows of the selection's table that pass all its tests, in the table's order."""
    passes = matcher(selection, corpus)
    return [row for row in corpus.tables[selection.table].rows if passes(row)]


class RowIndex:
    """The rows of a corpus by their cells in some columns, so that claims that look at the same columns share a pass.

    Parameters
    ----------
    corpus : Study
        The corpus; it must not change while the index is used.
    """

    def __init__(self, corpus: Study) -> None:
        self.corpus = corpus
        self._groups: dict[tuple[str, tuple[str, ...]], list[list[Row]]] = {}

    def selected(self, selection: Selection) -> list[Row]:
        """Return the rows of a selection; see :func:`selected`."""
        table = self.corpus.tables[selection.table]
        columns = selection.columns
        if not columns:
            return table.rows
        if selection.agrees_on or selection.differs_on or any(table.spec.column(c).type != "term" for c in columns):
            return selected(selection, self.corpus)
        passes = matcher(selection, self.corpus)
        return [row for group in self._grouped(table, tuple(sorted(columns))) if passes(group[0]) for row in group]

    def _grouped(self, table: Table, columns: tuple[str, ...]) -> list[list[Row]]:
        known = self._groups.get((table.spec.name, columns))
        if known is None:
            found: dict[object, list[Row]] = {}
            pick = itemgetter(*(table.spec.position(name) for name in columns))
            for row in table.rows:
                found.setdefault(pick(row), []).append(row)
            known = self._groups[table.spec.name, columns] = list(found.values())
        return known


def matcher(selection: Selection, corpus: Study) -> Test:
    """Return the test of a selection over rows of its table."""
    table = corpus.codebook.tables[selection.table]
    tests: list[Test] = []
    for name, values in selection.where.items():
        tests.append(_holds(table, name, frozenset(values), wanted=True))
    for name, values in selection.without.items():
        tests.append(_holds(table, name, frozenset(values), wanted=False))
    for name, bounds in selection.between.items():
        tests.append(_within(table, name, bounds))
    for name in selection.agrees_on:
        tests.append(_same(table, name, corpus, wanted=True))
    for name in selection.differs_on:
        tests.append(_same(table, name, corpus, wanted=False))
    return lambda row: all(test(row) for test in tests)


def short_key(table: TableSpec, row: Row) -> str:
    """Return what a row is called: its cell in the column with the role `key`, else its key cells."""
    return next(short_keys(table, [row]))


def short_keys(table: TableSpec, rows: Iterable[Row]) -> Iterator[str]:
    """Yield what each row is called; see :func:`short_key`."""
    column = table.by_role("key")
    positions = [table.position(name) for name in ((column.name,) if column else table.key)]
    if len(positions) == 1:
        yield from map(itemgetter(positions[0]), rows)
    else:
        yield from ("/".join(row[position] for position in positions) for row in rows)


def _holds(table: TableSpec, name: str, values: frozenset[str], wanted: bool) -> Test:
    position, column = table.position(name), table.column(name)
    if not column.separator:
        return lambda row: (row[position] in values) is wanted
    return lambda row: values.isdisjoint(column.values(row[position]) or ("",)) is not wanted


def _within(table: TableSpec, name: str, bounds: tuple[str, str]) -> Test:
    position, column = table.position(name), table.column(name)
    first, last = (_rank(column, bound) for bound in bounds)
    if first is None or last is None:
        return lambda _: False

    def test(row: Row) -> bool:
        cell = row[position]
        rank = _rank(column, cell)
        if rank is None:
            return False
        if column.type == "date":  # 2026-05-08 lies within a last month 2026-05
            return bool(first <= rank and (rank <= last or cell.startswith(bounds[1])))
        return bool(first <= rank <= last)

    return test


def _rank(column: Column, text: str) -> float | None:
    """Place a date or number on a line; None where it is neither."""
    try:
        return parse_date(text).start.toordinal() if column.type == "date" else float(text)
    except ValueError:
        return None


def _same(table: TableSpec, name: str, corpus: Study, wanted: bool) -> Test:
    pool = corpus.pool
    link = reference(table, pool.spec.name)
    assert link is not None  # the parser holds every claim against this
    own, key, other = table.position(name), table.position(link.name), pool.spec.position(name)
    of_pool = dict(zip(short_keys(pool.spec, pool.rows), map(itemgetter(other), pool.rows), strict=True))
    return lambda row: row[key] in of_pool and (of_pool[row[key]] == row[own]) is wanted
