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

#: Bytes read at a time; larger blocks leave the processor's caches.
_BLOCK = 1 << 20
#: Bytes that Arrow parses in one piece: a block and the rest of its last row.
_PARSED = 1 << 21
#: Bytes of memory that glibc keeps, see `_blocks`.
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
        counted = [coded[name] for name in self._columns]
        self._cells.update(_combinations(counted))

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
    needed = (*spec.key, *tally.wanted)
    try:
        for block in _blocks(path, spec, needed, tally.wanted):
            tally.add(block, block)
        keys_again = _blocks(path, spec, spec.key, ())
        return tally.counts(keys_again)
    except (NotPlain, pa.ArrowInvalid, OSError):
        return None


def arrow_columns(path: str, spec: TableSpec, names: tuple[str, ...]) -> Any:
    """Return some columns of a file as an Arrow table of strings; None where it is not plain."""
    try:
        blocks = list(_blocks(path, spec, names, ()))
    except (NotPlain, pa.ArrowInvalid, OSError):
        return None
    return pa.concat_tables(blocks)


def _blocks(
    path: str, spec: TableSpec, names: tuple[str, ...], dictionaries: tuple[str, ...]
) -> Iterator[Any]:
    """Yield a file's rows as tables; the columns in `dictionaries` dictionary-encoded."""
    coded = pa.dictionary(pa.int32(), pa.string())
    types = dict.fromkeys(spec.header, pa.string())
    types.update(dict.fromkeys(dictionaries, coded))
    # The text NA is a term and an empty cell is an empty text: nothing may become null.
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
        # One block is checked while the one before it is parsed.
        while found := _whole_rows(handle):
            block, has_breaks = found
            parse = csv.ParseOptions(newlines_in_values=has_breaks, ignore_empty_lines=False)
            source = pa.BufferReader(block)
            before = parsed
            parsed = parser.submit(csv.read_csv, source, read, parse, convert)
            if before is not None:
                yield before.result()
        # A table without rows is for the strict reader.
        if parsed is None:
            raise NotPlain
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
    has_refused_bytes = b"\r" in block or b"\0" in block
    if has_refused_bytes or not block.endswith(b"\n") or not _is_utf8(block):
        raise NotPlain
    breaks = _positions(block, _NEWLINE)
    if not _are_plain_lines(block, breaks) or not _is_valid_quoting(block, quotes):
        raise NotPlain
    # An odd number of marks before a line break: it is inside a quoted cell.
    inside = np.searchsorted(quotes, breaks) % 2 == 1
    ends = breaks[~inside]
    # A row that is no longer than a cell may be has no cell that is too long.
    row_lengths = np.diff(ends, prepend=-1)
    if row_lengths.max() > MAX_CELL:
        raise NotPlain
    return block, bool(np.any(inside))


def _positions(block: bytes, byte: int) -> Any:
    text = np.frombuffer(block, np.uint8)
    return np.flatnonzero(text == byte)


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
    opening = quotes[::2]
    closing = quotes[1::2]
    # Before the first byte of a block a line has ended; at its end there always is a newline.
    previous = np.where(opening > 0, text[opening - 1], _NEWLINE)
    following = text[closing + 1]
    beside = np.concatenate([previous, following])
    is_allowed = (beside == _COMMA) | (beside == _NEWLINE) | (beside == _QUOTE)
    return bool(np.all(is_allowed))


class _RisingKeys:
    """Whether keys rise from row to row, as in a canonical file; none is a duplicate then."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.rising = len(names) == 1
        self._name = names[0]
        self._last = b""

    def add(self, block: Any) -> None:
        """Compare the keys of the next rows."""
        column = block[self._name]
        if not self.rising or not len(column):
            return
        keys = _padded(column.combine_chunks())
        if keys is None:
            self.rising = False
            return
        continues = self._last < keys[0]
        rises = np.all(keys[:-1] < keys[1:])
        self.rising = bool(continues and rises)
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
    # A mask takes the characters in the order of the rows, which is how Arrow stores them.
    is_character = np.arange(width) < lengths[:, None]
    padded[is_character] = characters
    return padded.view(f"S{width}").ravel()


def _combinations(columns: list[Any]) -> dict[Row, int]:
    """Count the combinations of dictionary-encoded columns by mixing their codes into one number.

    The number is written in a system whose base changes with the digit: the size of each column's
    dictionary. Numbers are mixed by numpy: Arrow's scalars would import pandas.
    """
    dictionaries = []
    mixed: Any = 0
    for column in columns:
        unified = column.unify_dictionaries()
        terms = unified.chunk(0).dictionary.to_pylist()
        codes = np.concatenate([_codes(chunk.indices) for chunk in unified.chunks])
        mixed = mixed * max(len(terms), 1) + codes
        dictionaries.append(terms)
    dictionaries.reverse()
    numbers, counts = np.unique(mixed, return_counts=True)
    found: dict[Row, int] = {}
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        # The last column was mixed in last, so that its digit comes out first.
        rest = number
        cells = []
        for terms in dictionaries:
            rest, position = divmod(rest, max(len(terms), 1))
            cells.append(terms[position])
        cells.reverse()
        found[tuple(cells)] = count
    return found


def _codes(indices: Any) -> Any:
    """Return int32 codes as numpy's int64, from Arrow's buffer."""
    _, data = indices.buffers()
    codes = np.frombuffer(data, np.int32, len(indices), indices.offset * 4)
    # Mixed numbers may be larger than 32 bits hold.
    return codes.astype(np.int64)
