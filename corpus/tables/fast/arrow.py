"""Reading a large pool with Arrow, in blocks of whole rows, by the rules of the strict reader.

Arrow's CSV reader is lenient, so its result is taken only where everything about the file is plain:
valid encoding, line ends and quoting, the exact header, no blank line, unique keys, declared terms.
In any other case the strict reader reads the file again and reports what is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.limits import MAX_CELL
from corpus.model.table import Row
from corpus.tables.fast.plain import CONFLICT, NotPlain, rest_of_row
from corpus.tables.terms import has_undeclared

_BLOCK = 1 << 20  # larger ones leave the processor's caches
_PARSED = 1 << 21  # a block and the rest of its last row are parsed in one piece
_KEPT = 1 << 24
_QUOTE, _COMMA, _NEWLINE = b'",\n'
_MARK_BYTES = [mark[0] for mark in CONFLICT]

#: A key of more characters is compared in another way: the array would be mostly padding.
_LONGEST_KEY = 120


class BlockTally:
    """The count of a pool that comes block by block as Arrow tables, with a check at the end.

    Parameters
    ----------
    book : Codebook
        Declares the pool and its vocabularies.
    columns : tuple of str
        The columns to count by.

    Attributes
    ----------
    wanted : tuple of str
        The columns that each block must hold dictionary-encoded: `columns` and all that hold terms.
    """

    def __init__(self, book: Codebook, columns: tuple[str, ...]) -> None:
        terms = [column.name for _, column, _ in book.term_columns(book.pool)]
        self.wanted = tuple(dict.fromkeys([*columns, *terms]))
        self._book = book
        self._columns = columns
        self._cells: Counter[Row] = Counter()
        self._seen: dict[str, set[str]] = {name: set() for name in terms}
        self._keys = _RisingKeys(book.pool.key)

    def add(self, keys: Any, coded: Any) -> None:
        """Count the next rows.

        Parameters
        ----------
        keys : pyarrow.Table
            The key columns as strings.
        coded : pyarrow.Table or dict
            The wanted columns, dictionary-encoded, by name.
        """
        self._keys.add(keys)
        for name, seen in self._seen.items():
            for chunk in coded[name].chunks:
                seen.update(chunk.dictionary.to_pylist())
        self._cells.update(_combinations([coded[name] for name in self._columns]))

    def counts(self, keys_again: Iterable[Any]) -> dict[Row, int] | None:
        """Return cells -> number of rows; None where a term or a key is wrong.

        Parameters
        ----------
        keys_again : iterable of pyarrow.Table
            The key columns once more; read only where the keys are not in canonical order.
        """
        if has_undeclared(self._seen, self._book.pool, self._book):
            return None
        if not self._keys.rising and not _unique(keys_again, self._book.pool.key):
            return None
        return dict(self._cells)


def arrow_tally(path: str, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int] | None:
    """Count the pool's rows by their cells in `columns`; None where the file is not plain."""
    spec = book.pool
    tally = BlockTally(book, columns)
    try:
        for block in _blocks(path, spec, (*spec.key, *tally.wanted), tally.wanted):
            tally.add(block, block)
        return tally.counts(_blocks(path, spec, spec.key, ()))
    except (NotPlain, pa.ArrowInvalid, OSError):
        return None


def arrow_columns(path: str, spec: TableSpec, names: tuple[str, ...]) -> Any:
    """Return some columns of a file as an Arrow table of strings; None where it is not plain."""
    try:
        return pa.concat_tables(list(_blocks(path, spec, names, ())))
    except (NotPlain, pa.ArrowInvalid, OSError):
        return None


def _blocks(
    path: str, spec: TableSpec, names: tuple[str, ...], dictionaries: tuple[str, ...]
) -> Iterator[Any]:
    """Yield a file's rows as tables; the columns in `dictionaries` dictionary-encoded."""
    coded = pa.dictionary(pa.int32(), pa.string())
    types = {name: coded if name in dictionaries else pa.string() for name in spec.header}
    convert = csv.ConvertOptions(
        include_columns=list(dict.fromkeys(names)),
        column_types=types,
        strings_can_be_null=False,
        quoted_strings_can_be_null=False,
    )
    read = csv.ReadOptions(column_names=list(spec.header), block_size=_PARSED)
    header = (",".join(spec.header) + "\n").encode()
    # glibc gives memory of this size back at each release until it has seen larger pieces
    # (mallopt(3), dynamic threshold); without this line much of the time goes into getting the same
    # pages again for each block.
    bytes(_KEPT)
    with open(path, "rb") as handle, ThreadPoolExecutor(1) as parser:
        if handle.read(len(header)) != header:
            raise NotPlain
        parsed: Future[Any] | None = None
        while found := _whole_rows(
            handle
        ):  # one block is checked while the one before it is parsed
            block, has_breaks = found
            parse = csv.ParseOptions(newlines_in_values=has_breaks, ignore_empty_lines=False)
            before = parsed
            parsed = parser.submit(csv.read_csv, pa.BufferReader(block), read, parse, convert)
            if before is not None:
                yield before.result()
        if parsed is None:
            raise NotPlain  # a table without rows is for the strict reader
        yield parsed.result()


def _whole_rows(handle: IO[bytes]) -> tuple[bytes, bool] | None:
    """Read the next block up to the end of a row and check its bytes by the strict reader's rules.

    Returns
    -------
    tuple of bytes and bool, or None
        The block, and whether a cell of it holds a line break: the parser is faster where it knows
        of none. None at the end of the file.

    Raises
    ------
    NotPlain
        Where the bytes break a rule.
    """
    block = handle.read(_BLOCK)
    if not block:
        return None
    block += handle.readline()
    quotes = _positions(block, _QUOTE)
    if len(quotes) % 2:
        block += rest_of_row(handle)
        quotes = _positions(block, _QUOTE)
    if not block.endswith(b"\n") or b"\r" in block or b"\0" in block or not _is_utf8(block):
        raise NotPlain
    breaks = _positions(block, _NEWLINE)
    if not _are_plain_lines(block, breaks) or not _is_valid_quoting(block, quotes):
        raise NotPlain
    # An odd number of marks before a line break: it is inside a quoted cell.
    inside = np.searchsorted(quotes, breaks) % 2 == 1
    ends = breaks[~inside]
    if np.diff(ends, prepend=-1).max() > MAX_CELL:
        raise NotPlain
    return block, bool(np.any(inside))


def _positions(block: bytes, byte: int) -> Any:
    return np.flatnonzero(np.frombuffer(block, np.uint8) == byte)


def _are_plain_lines(block: bytes, breaks: Any) -> bool:
    """Return whether no line is empty or a conflict marker, from the byte after each line break."""
    text = np.frombuffer(block, np.uint8)
    starts = np.concatenate([[0], breaks[:-1] + 1])
    first = text[starts]
    if np.any(first == _NEWLINE):
        return False
    doubtful = starts[np.isin(first, _MARK_BYTES)]
    return not any(block.startswith(CONFLICT, start) for start in doubtful.tolist())


def _is_utf8(block: bytes) -> bool:
    if block.isascii():
        return True
    try:
        block.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_valid_quoting(block: bytes, quotes: Any) -> bool:
    """Return whether the quotation marks of whole rows, at the positions `quotes`, follow RFC 4180.

    Marks alternate between opening and closing; one half of a repeated mark closes, the other opens
    again. So an opening mark must follow a delimiter or a mark, and a closing one must precede one.
    """
    if not len(quotes):
        return True
    text = np.frombuffer(block, np.uint8)
    opening, closing = quotes[::2], quotes[1::2]
    previous = np.where(opening > 0, text[opening - 1], _NEWLINE)
    following = text[closing + 1]  # a block ends with a newline, so there is one
    beside = np.concatenate([previous, following])
    return bool(np.all((beside == _COMMA) | (beside == _NEWLINE) | (beside == _QUOTE)))


class _RisingKeys:
    """Whether keys rise from row to row, as in a canonical file; none is a duplicate then."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.rising = len(names) == 1
        self._name = names[0]
        self._last = b""

    def add(self, block: Any) -> None:
        """Compare the keys of the next rows."""
        if not self.rising or not len(block[self._name]):
            return
        keys = _padded(block[self._name].combine_chunks())
        if keys is None:
            self.rising = False
            return
        continues = self._last < keys[0]
        self.rising = bool(continues and np.all(keys[:-1] < keys[1:]))
        self._last = keys[-1]


def _unique(blocks: Iterable[Any], names: tuple[str, ...]) -> bool:
    """Return whether no key is a duplicate in blocks of rows in any order."""
    count = 0
    distinct: set[tuple[str, ...]] = set()
    for block in blocks:
        count += len(block[names[0]])
        columns = [block[name].to_pylist() for name in names]
        distinct.update(zip(*columns, strict=True))
    return count == len(distinct)


def _padded(keys: Any) -> Any:
    """Return strings as bytes of one width, which numpy compares; None where one is too long.

    Works on Arrow's buffers: its own comparison would import pyarrow.compute, which costs more than
    a small pool.
    """
    _, starts, text = keys.buffers()
    offsets = np.frombuffer(starts, np.int32, len(keys) + 1, keys.offset * 4)
    lengths = np.diff(offsets)
    width = int(lengths.max(initial=1)) or 1
    if width > _LONGEST_KEY:
        return None
    characters = np.frombuffer(text, np.uint8)[offsets[0] : offsets[-1]]
    padded = np.zeros((len(keys), width), np.uint8)
    padded[np.arange(width) < lengths[:, None]] = characters
    return padded.view(f"S{width}").ravel()


def _combinations(columns: list[Any]) -> dict[Row, int]:
    """Count the combinations of dictionary-encoded columns by mixing their codes into one number.

    The number is written in a system whose base changes with the digit: the size of each column's
    dictionary. Numbers are mixed by numpy: Arrow's scalars would import pandas.
    """
    unified = [column.unify_dictionaries() for column in columns]
    values = [column.chunk(0).dictionary.to_pylist() for column in unified]
    mixed: Any = 0
    for column, terms in zip(unified, values, strict=True):
        codes = np.concatenate([_codes(chunk.indices) for chunk in column.chunks])
        mixed = mixed * max(len(terms), 1) + codes
    numbers, counts = np.unique(mixed, return_counts=True)
    found: dict[Row, int] = {}
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        rest = number
        cells = []
        for terms in reversed(values):
            rest, position = divmod(rest, max(len(terms), 1))
            cells.append(terms[position])
        cells.reverse()
        found[tuple(cells)] = count
    return found


def _codes(indices: Any) -> Any:
    """Return int32 codes as numpy's int64, from Arrow's buffer."""
    codes = np.frombuffer(indices.buffers()[1], np.int32, len(indices), indices.offset * 4)
    return codes.astype(np.int64)
