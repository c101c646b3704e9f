"""Numbers for the distinct cells of some columns, learned as they come.

Cells are compared as words of eight bytes, all rows at a time. A multiplication spreads the known
cells of a column over a small table so that no two of them share a place; each cell is then
compared with the one that is known at its place, so a number is never wrong by chance. The rows of
each combination of numbers are counted, and whether keys rise is told without keeping them.
"""

import math
import threading
from collections import Counter
from collections.abc import Mapping
from itertools import count
from operator import getitem
from typing import Any

import numpy as np

from corpus.model.table import Row
from corpus.tables.fast.blocks import PADDING, cell_text

#: A key of more bytes is compared in another way: most of the words would be padding.
_LONGEST_KEY = 120

#: The first and the last key of some rows.
KeyEnds = tuple[bytes, bytes]
#: The most that an int64 holds.
_LARGEST = (1 << 63) - 1
#: A column with more distinct cells, or longer ones, is looked up cell by cell.
_MOST_CELLS = 128
_LONGEST = 64

_WORD = 8
#: For a cell of 0 to 8 bytes, the bytes of a word that belong to it.
_MASKS = np.array([(1 << (8 * length)) - 1 for length in range(_WORD + 1)], np.uint64)
#: How large a column's table is, as powers of two; where no size will do, cells are looked up one
#: by one.
_BITS = range(8, 17)
#: Factors that are tried before the table has twice the size: powers of that of Knuth's MMIX.
_TRIES = 20
_FACTOR = 6364136223846793005


#: What is known of a column at a time: how many low bits of a product do not belong to the place;
#: factors, uint64, one for each word of the longest cell; a line of uint64 per word, what it is at
#: each place; int32, the number of the cell at each place, -1 where there is none.
_Table = tuple[int, Any, Any, Any]


class CellCodes:
    """The distinct cells of some columns and their numbers; several threads may ask for them.

    Parameters
    ----------
    width : int
        How many columns there are.
    """

    def __init__(self, width: int) -> None:
        self._numbers: list[dict[bytes, int]] = [{} for _ in range(width)]
        self._tables: list[_Table | None] = [None] * width
        self._learning = threading.Lock()

    def cells(self) -> list[list[str]]:
        """Return each column's cells, in the order of their numbers."""
        found = []
        for numbers in self._numbers:
            found.append([cell_text(cell, 0, len(cell)) for cell in numbers])
        return found

    def encode(self, data: bytes, starts: Any, stops: Any) -> Any:
        """Return the numbers of cells.

        Parameters
        ----------
        data : bytes
            Rows, padded as :func:`corpus.tables.fast.blocks.next_rows` returns them.
        starts, stops : numpy.ndarray
            int64, a line per column and a value per row: where the cells start and stop.

        Returns
        -------
        numpy.ndarray
            int32, of the same shape.
        """
        codes = np.full(starts.shape, -1, np.int32)
        for column, (found, table) in enumerate(zip(codes, self._tables, strict=True)):
            if table is not None:
                _look_up(table, data, starts[column], stops[column], found)
            if found.min() < 0:
                unknown = np.flatnonzero(found < 0)
                with self._learning:
                    found[unknown] = self._learn(
                        column, data, starts[column, unknown], stops[column, unknown]
                    )
        return codes

    def _learn(self, column: int, data: bytes, starts: Any, stops: Any) -> list[int]:
        """Return the numbers of some cells of a column; those that are new get the next ones."""
        numbers = self._numbers[column]
        known = len(numbers)
        codes = []
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            codes.append(numbers.setdefault(data[start:stop], len(numbers)))
        if len(numbers) > known:
            self._tables[column] = _make_table(numbers)
        return codes


def _make_table(cells: dict[bytes, int]) -> _Table | None:
    """Return a table so large that no two cells share a place; None where there is none."""
    if len(cells) > _MOST_CELLS or max(map(len, cells)) > _LONGEST:
        return None
    words = max(1, -(-max(map(len, cells)) // _WORD))
    padded = b"".join(cell.ljust(words * _WORD, b"\0") for cell in cells)
    values = np.frombuffer(padded, "<u8").reshape(len(cells), words).T
    exponents = count(1)
    for bits in _BITS:
        for _ in range(_TRIES):
            powers = [pow(_FACTOR, next(exponents), 1 << 64) for _ in range(words)]
            factors = np.array(powers, np.uint64)
            mixed = (values * factors[:, None]).sum(axis=0, dtype=np.uint64)
            places = (mixed >> np.uint64(64 - bits)).astype(np.int64)
            if len(set(places.tolist())) == len(cells):
                expected = np.zeros((words, 1 << bits), np.uint64)
                expected[:, places] = values
                codes = np.full(1 << bits, -1, np.int32)
                codes[places] = range(len(cells))
                return 64 - bits, factors, expected, codes
    return None


def _look_up(table: _Table, data: bytes, starts: Any, stops: Any, codes: Any) -> None:
    """Write the numbers of cells of a column into `codes`, -1 where a cell is not known."""
    shift, factors, expected, numbers = table
    lengths = stops - starts
    words = [word_of(data, starts, lengths, word) for word in range(len(factors))]
    mixed = words[0] * factors[0]
    for values, factor in zip(words[1:], factors[1:], strict=True):
        mixed += values * factor
    places = (mixed >> np.uint64(shift)).astype(np.int64)
    is_known = lengths <= _WORD * len(words)
    for values, known in zip(words, expected, strict=True):
        is_known &= known.take(places) == values
    numbers.take(places, out=codes, mode="clip")
    codes[~is_known] = -1


def word_of(data: bytes, starts: Any, lengths: Any, word: int) -> Any:
    """Return eight bytes of each cell as a number; what is behind the end of the cell is zero.

    Parameters
    ----------
    data : bytes
        Rows, padded as :func:`corpus.tables.fast.blocks.next_rows` returns them.
    starts, lengths : numpy.ndarray
        int64: where the cells start, how many bytes they have.
    word : int
        Which eight bytes, from 0.

    Returns
    -------
    numpy.ndarray
        uint64, the first byte the lowest.
    """
    offset = word * _WORD
    windows = np.ndarray(len(data) - _WORD + 1, "<u8", data, strides=(1,))
    if offset:
        # A cell that has no such word may be near the end.
        starts = np.minimum(starts + offset, len(data) - PADDING)
        lengths = lengths - offset
    values = windows[starts]
    values &= _MASKS.take(lengths, mode="clip")
    return values


def count_combinations(codes: list[Any], sizes: list[int]) -> dict[tuple[int, ...], int]:
    """Count the distinct combinations of codes.

    The codes of a row are mixed into one number, in a system whose base changes with the digit.

    Parameters
    ----------
    codes : list of numpy.ndarray
        Per column: an integer per row, from 0; one column and one row or more.
    sizes : list of int
        Per column: a number that is larger than each of its codes.
    """
    if math.prod(sizes) > _LARGEST:
        return Counter(zip(*(column.tolist() for column in codes), strict=True))
    mixed = codes[0].astype(np.int64)
    for column, size in zip(codes[1:], sizes[1:], strict=True):
        mixed *= size
        mixed += column
    rest, counts = np.unique(mixed, return_counts=True)
    digits = []
    for size in reversed(sizes):
        rest, digit = np.divmod(rest, size)
        digits.append(digit.tolist())
    digits.reverse()
    return dict(zip(zip(*digits, strict=True), counts.tolist(), strict=True))


def with_texts(counts: Mapping[tuple[int, ...], int], texts: list[list[str]]) -> dict[Row, int]:
    """Return counts by the texts of codes; `texts` has those of more columns than are counted."""
    return {tuple(map(getitem, texts, codes)): number for codes, number in counts.items()}


def rising_ends(data: bytes, starts: Any, stops: Any) -> KeyEnds | None:
    """Return the first and the last of some keys where they rise from row to row, else None.

    A canonical file is sorted by its key, so none is a duplicate there.

    Parameters
    ----------
    data : bytes
        Rows, padded as :func:`corpus.tables.fast.blocks.next_rows` returns them.
    starts, stops : numpy.ndarray
        int64, a value per row: where the keys start and stop; one row or more.
    """
    lengths = stops - starts
    longest = int(lengths.max())
    if longest > _LONGEST_KEY:
        return None
    is_less = np.zeros(len(starts) - 1, bool)
    # From the last word to the first: a word decides where those before it are equal.
    for word in range(-(-longest // 8) - 1, -1, -1):
        values = word_of(data, starts, lengths, word).byteswap()
        before, after = values[:-1], values[1:]
        is_less &= before == after
        is_less |= before < after
    if not is_less.all():
        return None
    return data[starts[0] : stops[0]], data[starts[-1] : stops[-1]]


def is_rising(ends: list[KeyEnds | None]) -> bool:
    """Return whether keys rise through all blocks, from what :func:`rising_ends` gave for each."""
    last = None
    for block in ends:
        if block is None:
            return False
        first, following = block
        if last is not None and last >= first:
            return False
        last = following
    return True
