"""The pool as a small table of distinct term combinations; every count is a margin of it."""

import os
from collections import Counter

from corpus.model.codebook import Codebook
from corpus.model.contingency import Contingency
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.model.table import Row, Table, row_picker
from corpus.tables.location import file_of, shown_path
from corpus.tables.reader import read_table, unique_key_findings
from corpus.tables.terms import has_undeclared, term_findings, with_terms

#: From this size on, numpy is faster in spite of its import (measured: some 8,000 rows of this
#: pool).
SCAN_BYTES = 4_000_000


def tally_pool(data: str, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int]:
    """Count the pool's rows by their cells in `columns`.

    Returns
    -------
    dict
        Cells (in the order of `columns`) -> number of rows. Its size is that of the distinct
        combinations, not of the pool.

    Raises
    ------
    CorpusError
        Where the file is not valid, a key is a duplicate or a term is not declared; nothing is
        counted then.
    """
    path = file_of(data, book.pool.file)
    if os.path.isfile(path) and os.path.getsize(path) >= SCAN_BYTES:
        # Imports numpy, which costs more than the whole of a small pool.
        from corpus.tables.fast.scan import scan_tally

        cells = scan_tally(path, book, columns)
        if cells is not None:
            return cells
    return tally_table(read_table(path, book.pool, shown_path(path)), book, columns)


def contingency_of(study: Study, columns: tuple[str, ...] | None = None) -> Contingency:
    """Count the entries of a study by some columns of the pool, by all axes where none are given.

    Raises
    ------
    CorpusError
        As for :func:`tally_table`.
    """
    book = study.codebook
    if columns is None:
        columns = book.pool.axis_names
    return Contingency(book, columns, tally_table(study.pool, book, columns))


def tally_table(table: Table, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int]:
    """Count the rows of a table in memory; see :func:`tally_pool`.

    Terms are checked against the codebook in the distinct combinations; only where one is wrong is
    every row looked at.
    """
    names = with_terms(columns, book.pool)
    cells = Counter(map(row_picker(table.spec.positions(names)), table.rows))
    distinct = {}
    for position, name in enumerate(names):
        distinct[name] = {row[position] for row in cells}
    findings = unique_key_findings(table)
    if findings or has_undeclared(distinct, book.pool, book):
        raise CorpusError(findings + term_findings(table, book))
    counted: Counter[Row] = Counter()
    for row, number in cells.items():
        counted[row[: len(columns)]] += number
    return dict(counted)
