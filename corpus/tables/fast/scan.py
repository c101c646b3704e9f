"""Counting the rows of a large CSV file with numpy, block by block, by the strict reader's rules.

Only the key and the columns that are counted or hold terms are looked at.
"""

from collections import Counter
from functools import partial

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.table import Row
from corpus.tables.fast.blocks import NotPlain, cell_ends, cells_between, of_blocks
from corpus.tables.fast.codes import (
    CellCodes,
    KeyEnds,
    count_combinations,
    is_rising,
    rising_ends,
    with_texts,
)
from corpus.tables.terms import has_undeclared, with_terms


def scan_tally(path: str, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int] | None:
    """Count the pool's rows by their cells in some columns.

    Parameters
    ----------
    path : str
        The CSV file of the pool.
    book : Codebook
        Declares the pool and its vocabularies.
    columns : tuple of str
        The columns.

    Returns
    -------
    dict of tuple of str to int, or None
        Cells -> number of rows; None where the file is not plain, or a key or a term is wrong.
    """
    spec = book.pool
    names = with_terms(columns, spec)
    codes = CellCodes(len(names))
    counts: Counter[tuple[int, ...]] = Counter()
    key_ends = []
    try:
        for counted, ends in of_blocks(
            path, spec, partial(_count, codes, spec, names, len(columns))
        ):
            counts.update(counted)
            key_ends.append(ends)
    except (NotPlain, OSError):
        return None
    cells = codes.cells()
    seen = dict(zip(names, cells, strict=True))
    is_unique = is_rising(key_ends) or _are_unique(path, spec)
    if not is_unique or has_undeclared(seen, spec, book):
        return None
    return with_texts(counts, cells)


def _count(
    codes: CellCodes, spec: TableSpec, names: tuple[str, ...], counted: int, data: bytes
) -> tuple[dict[tuple[int, ...], int], KeyEnds | None]:
    """Count the codes of the first columns in a block, and tell whether its keys rise."""
    ends = cell_ends(data, len(spec.columns))
    starts, stops = cells_between(data, ends, [*spec.positions(names), *spec.key_positions])
    columns = list(codes.encode(data, starts[:-1], stops[:-1]))[:counted]
    counts: dict[tuple[int, ...], int] = {(): len(ends)}
    if columns:
        sizes = [int(column.max()) + 1 for column in columns]
        counts = count_combinations(columns, sizes)
    return counts, rising_ends(data, starts[-1], stops[-1])


def _are_unique(path: str, spec: TableSpec) -> bool:
    """Return whether no key is a duplicate, in rows of any order."""
    # Almost never needed: a canonical file is sorted.
    import pyarrow.compute as pc

    from corpus.tables.sheet import arrow_columns

    keys = arrow_columns(path, spec, spec.key)
    return keys is not None and len(keys) == pc.count_distinct(keys.column(0)).as_py()
