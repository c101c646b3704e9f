"""The pool as a small table of distinct tag combinations; all that is counted is a margin of it."""

from __future__ import annotations

import os
from collections import Counter
from operator import itemgetter

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import CorpusError
from corpus.model.table import Row, Table
from corpus.tables.fast.plain import plain_tally
from corpus.tables.location import is_parquet, shown_path
from corpus.tables.reader import read_table, unique_key_findings
from corpus.tables.terms import term_findings, undeclared

#: From this size on, Arrow's reader is faster in spite of its import (measured: some 55,000 rows of this pool).
ARROW_BYTES = 25_000_000


def tally_pool(data: str, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int]:
    """Count the pool's rows by their cells in `columns`.

    Returns
    -------
    dict
        Cells (in the order of `columns`) -> number of rows. Its size is that of the distinct combinations, not of
        the pool.

    Raises
    ------
    CorpusError
        Where the file is not sound, a key is doubled or a tag is not declared; nothing is counted then.
    """
    path = os.path.join(data, book.pool.file)
    if is_parquet(path):
        return _tally_parquet(path, book, columns)
    if os.path.isfile(path) and os.path.getsize(path) >= ARROW_BYTES:
        from corpus.tables.fast.arrow import (
            arrow_tally,  # imports pyarrow, which costs more than a smaller pool
        )

        cells = arrow_tally(path, book, columns)
    else:
        cells = _tally_plain(path, book, columns)
    return tally_table(read_table(path, book.pool, shown_path(path)), book, columns) if cells is None else cells


def _tally_plain(path: str, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int] | None:
    names = _with_terms(columns, book, book.pool)
    cells = plain_tally(path, book.pool, names)
    return None if cells is None or _undeclared(cells, names, book, book.pool) else _margin(cells, len(columns))


def _tally_parquet(path: str, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int]:
    from corpus.tables.fast.parquet import parquet_tally, read_parquet

    file = path.removesuffix(".csv") + ".parquet"
    cells = parquet_tally(file, book, columns)
    return cells if cells is not None else tally_table(read_parquet(file, book.pool, shown_path(file)), book, columns)


def tally_table(table: Table, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int]:
    """Count the rows of a table in memory; see :func:`tally_pool`.

    Tags are held against the codebook in the distinct combinations; only where one is wrong are the rows gone over.
    """
    names = _with_terms(columns, book, table.spec)
    cells = _distinct(table, names)
    findings = unique_key_findings(table)
    if findings or _undeclared(cells, names, book, table.spec):
        raise CorpusError(findings + term_findings(table, book))
    return _margin(cells, len(columns))


def _with_terms(columns: tuple[str, ...], book: Codebook, spec: TableSpec) -> tuple[str, ...]:
    """Return `columns` and behind them all others that hold terms."""
    return tuple(dict.fromkeys([*columns, *(column.name for _, column, _ in book.term_columns(spec))]))


def _undeclared(cells: dict[Row, int], names: tuple[str, ...], book: Codebook, spec: TableSpec) -> bool:
    """Whether a tag in the combinations of `names` is not declared."""
    return any(
        undeclared({row[names.index(column.name)] for row in cells}, column, vocabulary)
        for _, column, vocabulary in book.term_columns(spec)
    )


def _margin(cells: dict[Row, int], width: int) -> dict[Row, int]:
    """Sum over all columns but the first `width`."""
    kept: Counter[Row] = Counter()
    for row, number in cells.items():
        kept[row[:width]] += number
    return dict(kept)


def _distinct(table: Table, names: tuple[str, ...]) -> dict[Row, int]:
    positions = [table.spec.position(name) for name in names]
    if not positions:  # a corpus without axes still has a size
        return {(): len(table.rows)} if table.rows else {}
    if len(positions) == 1:
        position = positions[0]
        return dict(Counter((row[position],) for row in table.rows))
    return dict(Counter(map(itemgetter(*positions), table.rows)))
