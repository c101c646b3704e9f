"""Numbers for the distinct cells of some columns, learned as they come.

Cells are compared as words of eight bytes, all rows at a time. A multiplication spreads the known
cells of a column over a small table so that no two of them share a place; each cell is then
compared with the one that is known at its place, so a number is never wrong by chance. The rows of
each combination of numbers are counted, and whether keys rise is told without keeping them.
"""

import math
import threading
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

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
#: How large a column's part of the table is, as a power of two; where no size will do, cells are
#: looked up one by one.
_LEAST_BITS, _MOST_BITS = 8, 16
#: Factors that are tried before the table has twice the size; each is made from the one before, by
#: the generator of Knuth's MMIX.
_TRIES = 20
_FACTOR = 6364136223846793005


class _Table(NamedTuple):
    """What is known at a time; a line per column, those with the longest cells first.

    Attributes
    ----------
    columns : list of int
        The columns that are looked up here.
    words : list of int
        How many words each of them has.
    bits : int
        Each column has 2**bits places.
    factors : list of numpy.ndarray
        Per word: uint64, a line for each column that has it.
    expected : list of numpy.ndarray
        Per word: uint64, what it is at each place of each of these columns.
    codes : numpy.ndarray
        int32, the number of the cell at each place; -1 where there is none.
    """

    columns: list[int]
    words: list[int]
    bits: int
    factors: list[Any]
    expected: list[Any]
    codes: Any


class CellCodes:
    """The distinct cells of some columns and their numbers; several threads may ask for them.

    Parameters
    ----------
    width : int
        How many columns there are.
    """

    def __init__(self, width: int) -> None:
        self._cells: list[list[bytes]] = [[] for _ in range(width)]
        self._numbers: list[dict[bytes, int]] = [{} for _ in range(width)]
        self._learning = threading.Lock()
        self._table = self._make_table()

    def cells(self) -> list[list[str]]:
        """Return each column's cells, in the order of their numbers."""
        found = []
        for known in self._cells:
            found.append([cell_text(cell, 0, len(cell)) for cell in known])
        return found

    def encode(self, data: bytes, starts: Any, stops: Any) -> Any:
        """Return the numbers of cells.

        Parameters
        ----------
        data : bytes
            Rows, padded as :class:`corpus.tables.fast.blocks.RowBlock` has them.
        starts, stops : numpy.ndarray
            int64, a line per column and a value per row: where the cells start and stop.

        Returns
        -------
        numpy.ndarray
            int32, of the same shape.
        """
        while True:
            table = self._table
            codes = np.empty(starts.shape, np.int32)
            found, is_known = _look_up(table, data, starts, stops)
            if is_known.all():
                codes[table.columns] = found
                for column in set(range(len(starts))).difference(table.columns):
                    with self._learning:
                        codes[column] = self._add(column, data, starts[column], stops[column])
                return codes
            self._learn(table, data, starts, stops, is_known)

    def _learn(self, table: _Table, data: bytes, starts: Any, stops: Any, is_known: Any) -> None:
        with self._learning:
            for line, column in enumerate(table.columns):
                rows = np.flatnonzero(~is_known[line])
                self._add(column, data, starts[column, rows], stops[column, rows])
            self._table = self._make_table()

    def _add(self, column: int, data: bytes, starts: Any, stops: Any) -> list[int]:
        """Return the numbers of some cells of a column; those that are new get the next ones."""
        cells = self._cells[column]
        numbers = self._numbers[column]
        codes = []
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            cell = data[start:stop]
            number = numbers.setdefault(cell, len(cells))
            if number == len(cells):
                cells.append(cell)
            codes.append(number)
        return codes

    def _make_table(self) -> _Table:
        """Return a table of what is known, large enough that no two cells share a place."""
        packed = {}
        for column, cells in enumerate(self._cells):
            longest = max(map(len, cells), default=0)
            if len(cells) <= _MOST_CELLS and longest <= _LONGEST:
                packed[column] = _packed(cells, max(1, -(-longest // _WORD)))
        for bits in range(_LEAST_BITS, _MOST_BITS + 1):
            spread = {column: _spread(words, bits) for column, words in packed.items()}
            if None not in spread.values():
                return _filled(packed, spread, bits)
        return _filled({}, {}, _LEAST_BITS)


def _spread(words: Any, bits: int) -> tuple[Any, Any] | None:
    """Return a factor per word, and the place of each cell; None where two would share one."""
    factor = _FACTOR
    for _ in range(_TRIES):
        factors = np.empty(len(words), np.uint64)
        for word in range(len(words)):
            factor = (factor * _FACTOR + 1) % (1 << 64)
            factors[word] = factor
        mixed = (words * factors[:, None]).sum(axis=0, dtype=np.uint64)
        places = (mixed >> np.uint64(64 - bits)).astype(np.int64)
        if len(set(places.tolist())) == len(places):
            return factors, places
    return None


def _filled(packed: dict[int, Any], spread: dict[int, Any], bits: int) -> _Table:
    columns = sorted(packed, key=lambda column: -len(packed[column]))
    words = [len(packed[column]) for column in columns]
    widths = []
    for word in range(max(words, default=0)):
        widths.append(sum(count > word for count in words))
    factors = [np.empty((width, 1), np.uint64) for width in widths]
    expected = [np.zeros((width, 1 << bits), np.uint64) for width in widths]
    codes = np.full((len(columns), 1 << bits), -1, np.int32)
    for line, column in enumerate(columns):
        column_factors, places = spread[column]
        codes[line, places] = np.arange(len(places))
        for word, values in enumerate(packed[column]):
            factors[word][line] = column_factors[word]
            expected[word][line, places] = values
    flat = [values.ravel() for values in expected]
    return _Table(columns, words, bits, factors, flat, codes.ravel())


def _packed(cells: list[bytes], words: int) -> Any:
    """Return cells as words: uint64, a line per word and a value per cell."""
    padded = b"".join(cell.ljust(words * _WORD, b"\0") for cell in cells)
    return np.frombuffer(padded, "<u8").reshape(len(cells), words).T


def _look_up(table: _Table, data: bytes, starts: Any, stops: Any) -> tuple[Any, Any]:
    """Return the numbers of cells, and which of them are known; a line per column of the table."""
    starts = starts[table.columns]
    lengths = stops[table.columns] - starts
    words = [
        word_of(data, starts[: len(factor)], lengths[: len(factor)], word)
        for word, factor in enumerate(table.factors)
    ]
    mixed = np.zeros(starts.shape, np.uint64)
    for values, factor in zip(words, table.factors, strict=True):
        mixed[: len(values)] += values * factor
    mixed >>= np.uint64(64 - table.bits)
    places = mixed.astype(np.int64)
    places += np.arange(len(places))[:, None] << table.bits
    codes = table.codes[places]
    is_known = codes >= 0
    is_known &= lengths <= _WORD * np.array(table.words, np.int64).reshape(-1, 1)
    for values, expected in zip(words, table.expected, strict=True):
        is_known[: len(values)] &= expected[places[: len(values)]] == values
    return codes, is_known


def word_of(data: bytes, starts: Any, lengths: Any, word: int) -> Any:
    """Return eight bytes of each cell as a number; what is behind the end of the cell is zero.

    Parameters
    ----------
    data : bytes
        Rows, padded as :class:`corpus.tables.fast.blocks.RowBlock` has them.
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
    values &= _MASKS[np.clip(lengths, 0, _WORD)]
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


def rising_ends(data: bytes, starts: Any, stops: Any) -> KeyEnds | None:
    """Return the first and the last of some keys where they rise from row to row, else None.

    A canonical file is sorted by its key, so none is a duplicate there.

    Parameters
    ----------
    data : bytes
        Rows, padded as :class:`corpus.tables.fast.blocks.RowBlock` has them.
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
