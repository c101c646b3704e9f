"""A smaller corpus: the entries that pass filters, and what other tables say about them."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.analysis.counting.filters import Filter
from corpus.model.corpus import Study, Table


def select(corpus: Study, filters: Sequence[Filter]) -> Study:
    """Keep the entries that pass all filters, and in other tables the rows that do not refer to a dropped entry."""
    if not filters:
        return corpus
    positions = [(corpus.pool.spec.position(filter_.column.name), filter_) for filter_ in filters]
    pool = _keep(corpus.pool, [all(f.keeps(row[at]) for at, f in positions) for row in corpus.pool.rows])
    tables = {**corpus.tables, corpus.pool.spec.name: pool}
    kept = {row[0] if len(row) == 1 else "" for row in map(pool.key_of, pool.rows)}
    dropped = {key[0] for key in map(corpus.pool.key_of, corpus.pool.rows) if len(key) == 1} - kept
    for name, table in corpus.tables.items():
        refers = [
            position
            for position, column in enumerate(table.spec.columns)
            if column.type == "ref" and column.references == pool.spec.name
        ]
        if refers:
            tables[name] = _keep(table, [dropped.isdisjoint(row[at] for at in refers) for row in table.rows])
    return corpus._replace(tables=tables)


def _keep(table: Table, wanted: list[bool]) -> Table:
    rows = [row for row, keep in zip(table.rows, wanted, strict=True) if keep]
    lines = [line for line, keep in zip(table.lines, wanted, strict=True) if keep]
    return table._replace(rows=rows, lines=lines, text="")
