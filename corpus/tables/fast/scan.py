"""Counting the rows of a large CSV file with numpy, block by block, by the strict reader's rules.

Only the key and the columns that are counted or hold terms are looked at, in two threads: what
numpy does runs outside the interpreter's lock.
"""

import os
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.table import Row
from corpus.tables.fast.blocks import (
    cell_ends,
    cell_text,
    cells_between,
    check_block,
    keep_memory,
    next_rows,
    skip_header,
)
from corpus.tables.fast.codes import CellCodes, KeyEnds, count_combinations, is_rising, rising_ends
from corpus.tables.fast.plain import NotPlain
from corpus.tables.terms import has_undeclared

#: More threads would wait for the file and for the interpreter's lock.
_THREADS = 2


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
    terms = [column.name for _, column, _ in book.term_columns(spec)]
    names = list(dict.fromkeys([*columns, *terms]))
    keep_memory()
    try:
        with open(path, "rb") as handle:
            skip_header(handle, spec)
            scan = _Scan(_Blocks(handle), spec, names, len(columns))
            scan.run()
        if not scan.has_rising_keys() and not _unique_keys(path, spec):
            return None
    except (NotPlain, OSError):
        return None
    cells = scan.codes.cells()
    seen = dict(zip(names, cells, strict=True))
    if has_undeclared({name: seen[name] for name in terms}, spec, book):
        return None
    return {
        tuple(cells[column][code] for column, code in enumerate(codes)): count
        for codes, count in scan.counts.items()
    }


class _Blocks:
    """The blocks of a file, numbered, for several threads."""

    def __init__(self, handle: IO[bytes]) -> None:
        self._handle = handle
        self._reading = threading.Lock()
        self._number = 0
        self._stopped = False

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        """Yield what no other thread got; nothing more once one of them has stopped."""
        while True:
            with self._reading:
                data = b"" if self._stopped else next_rows(self._handle)
                number = self._number
                self._number += 1
            if not data:
                return
            yield number, data

    def stop(self) -> None:
        """End the reading of all threads."""
        self._stopped = True


class _Scan:
    """One pass over a file; `counts` has the codes of the first `counted` columns.

    Raises
    ------
    NotPlain
        By `run`, where the file is not plain or has no rows.
    """

    def __init__(self, blocks: _Blocks, spec: TableSpec, names: list[str], counted: int) -> None:
        self.codes = CellCodes(len(names))
        self.counts: Counter[tuple[int, ...]] = Counter()
        self._blocks = blocks
        self._width = len(spec.columns)
        self._positions = list(map(spec.position, names))
        self._keys = list(spec.key_positions)
        self._counted = counted
        self._key_ends: dict[int, KeyEnds | None] = {}  # by the number of the block

    def run(self) -> None:
        workers = min(_THREADS, os.cpu_count() or 1)
        with ThreadPoolExecutor(workers) as pool:
            for counts in pool.map(lambda _: self._work(), range(workers)):
                self.counts.update(counts)
        if not self._key_ends:
            raise NotPlain  # a table without rows is for the strict reader

    def has_rising_keys(self) -> bool:
        """Return whether keys rise through the file; where they do not, they may be unique."""
        return is_rising([ends for _, ends in sorted(self._key_ends.items())])

    def _work(self) -> Counter[tuple[int, ...]]:
        counts: Counter[tuple[int, ...]] = Counter()
        try:
            for number, data in self._blocks:
                self._key_ends[number] = self._count(data, counts)
        except BaseException:
            self._blocks.stop()
            raise
        return counts

    def _count(self, data: bytes, counts: Counter[tuple[int, ...]]) -> KeyEnds | None:
        block = check_block(data, with_commas=True)
        ends = cell_ends(block, self._width)
        if self._positions:
            starts, stops = cells_between(data, ends, self._positions)
            codes = list(self.codes.encode(data, starts, stops))[: self._counted]
        if self._counted:
            sizes = [int(column.max()) + 1 for column in codes]
            counts.update(count_combinations(codes, sizes))
        else:
            counts[()] += len(ends)
        if len(self._keys) > 1:
            return None
        starts, stops = cells_between(data, ends, self._keys)
        return rising_ends(data, starts[0], stops[0])


def _unique_keys(path: str, spec: TableSpec) -> bool:
    """Return whether no key is a duplicate, in rows of any order."""
    count = 0
    distinct: set[tuple[str, ...]] = set()
    for columns in _key_columns(path, spec):
        count += len(columns[0])
        distinct.update(zip(*columns, strict=True))
    return count == len(distinct)


def _key_columns(path: str, spec: TableSpec) -> Iterator[list[list[str]]]:
    """Yield the key columns of each block."""
    with open(path, "rb") as handle:
        skip_header(handle, spec)
        while data := next_rows(handle):
            block = check_block(data, with_commas=True)
            ends = cell_ends(block, len(spec.columns))
            starts, stops = cells_between(data, ends, list(spec.key_positions))
            yield [_cell_texts(data, *places) for places in zip(starts, stops, strict=True)]


def _cell_texts(data: bytes, starts: Any, stops: Any) -> list[str]:
    places = zip(starts.tolist(), stops.tolist(), strict=True)
    return [cell_text(data, start, stop) for start, stop in places]
