"""Reading a large pool with Arrow, in blocks of whole rows, under the same rules as the strict reader.

Arrow's CSV reader is lenient, so its result is taken only where everything about the file is plain: sound encoding,
line ends and quoting, the exact header, no blank line, unique keys, declared tags. In any other case the strict
reader goes over the file and says what is wrong.
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
from corpus.tables.terms import undeclared

_BLOCK = 1 << 20  # larger ones leave the processor's caches
_KEPT = 1 << 24
_QUOTE, _COMMA, _NEWLINE = 34, 44, 10
_MARK_SIGNS = [mark[0] for mark in CONFLICT]


def arrow_tally(path: str, book: Codebook, columns: tuple[str, ...]) -> dict[Row, int] | None:
    """Count rows by their cells in `columns`, block by block; None where the file is not plain."""
    spec = book.pool
    terms = tuple(column.name for _, column, _ in book.term_columns(spec))
    wanted = tuple(dict.fromkeys([*columns, *terms]))
    cells: Counter[Row] = Counter()
    keys = Keys(spec)
    seen: dict[str, set[str]] = {name: set() for name in terms}
    try:
        for block in _blocks(path, spec, (*spec.key, *wanted), wanted):
            keys.add(block)
            for name in terms:
                seen[name].update(dictionary(block[name]))
            cells.update(combinations([block[name] for name in columns]))
        if not keys.rising and not unique(_blocks(path, spec, spec.key, ()), spec.key):
            return None
    except (NotPlain, pa.ArrowInvalid, OSError):
        return None
    if any(undeclared(seen[column.name], column, vocabulary) for _, column, vocabulary in book.term_columns(spec)):
        return None
    return dict(cells)


def arrow_columns(path: str, spec: TableSpec, names: tuple[str, ...]) -> Any:
    """Return some columns of a file as an Arrow table of strings, or None where the file is not plain."""
    try:
        return pa.concat_tables(list(_blocks(path, spec, names, ())))
    except (NotPlain, pa.ArrowInvalid, OSError):
        return None


def _blocks(path: str, spec: TableSpec, names: tuple[str, ...], dictionaries: tuple[str, ...]) -> Iterator[Any]:
    """Yield a file's rows as tables; columns in `dictionaries` are dictionary-encoded, all others plain strings."""
    kinds = {n: pa.dictionary(pa.int32(), pa.string()) if n in dictionaries else pa.string() for n in spec.header}
    convert = csv.ConvertOptions(
        include_columns=list(dict.fromkeys(names)),
        column_types=kinds,
        strings_can_be_null=False,
        quoted_strings_can_be_null=False,
    )
    read = csv.ReadOptions(column_names=list(spec.header), block_size=1 << 21)
    header = (",".join(spec.header) + "\n").encode()
    # glibc gives memory of this size back at each release until it has seen larger pieces (mallopt(3), dynamic
    # threshold); without this line much of the time goes into getting the same pages again for each block.
    bytes(_KEPT)
    with open(path, "rb") as handle, ThreadPoolExecutor(1) as parser:
        if handle.read(len(header)) != header:
            raise NotPlain
        parsed: Future[Any] | None = None
        while found := _whole_rows(handle):  # one block is looked at while the one before it is parsed
            block, broken = found
            parse = csv.ParseOptions(newlines_in_values=broken, ignore_empty_lines=False)
            before, parsed = parsed, parser.submit(csv.read_csv, pa.BufferReader(block), read, parse, convert)
            if before is not None:
                yield before.result()
        if parsed is None:
            raise NotPlain  # a table without rows is for the strict reader
        yield parsed.result()


def _whole_rows(handle: IO[bytes]) -> tuple[bytes, bool] | None:
    """Read the next block up to the end of a row and hold its bytes against the strict reader's rules.

    Beside the block stands whether a line break lies inside a cell, since the parser is faster where it knows of none.
    """
    block = handle.read(_BLOCK)
    if not block:
        return None
    block += handle.readline()
    quotes = _places(block, _QUOTE)
    if len(quotes) % 2:
        block += rest_of_row(handle)
        quotes = _places(block, _QUOTE)
    if not block.endswith(b"\n") or b"\r" in block or b"\0" in block or not _utf8(block):
        raise NotPlain
    breaks = _places(block, _NEWLINE)
    if not _plain_line_starts(block, breaks) or not _sound_quotes(block, quotes):
        raise NotPlain
    inside = np.searchsorted(quotes, breaks) % 2 == 1
    ends = breaks[~inside]
    if np.diff(ends, prepend=-1).max() > MAX_CELL:
        raise NotPlain
    return block, bool(np.any(inside))


def _places(block: bytes, sign: int) -> Any:
    return np.flatnonzero(np.frombuffer(block, np.uint8) == sign)


def _plain_line_starts(block: bytes, breaks: Any) -> bool:
    """Return whether no line is empty and none starts as a conflict marker; one look at the sign after each newline."""
    signs = np.frombuffer(block, np.uint8)
    starts = np.concatenate([[0], breaks[:-1] + 1])
    first = signs[starts]
    if np.any(first == _NEWLINE):
        return False
    doubtful = starts[np.isin(first, _MARK_SIGNS)]
    return not any(block.startswith(CONFLICT, start) for start in doubtful.tolist())


def _utf8(block: bytes) -> bool:
    if block.isascii():
        return True
    try:
        block.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _sound_quotes(block: bytes, places: Any) -> bool:
    """Hold the quotation marks of whole rows against RFC 4180.

    Marks alternate between opening and closing; one half of a doubled mark closes, the other opens again. So an
    opening mark must follow a delimiter or a mark, a closing one must stand before a delimiter or a mark.
    """
    if not len(places):
        return True
    all_signs = np.frombuffer(block, np.uint8)
    opening, closing = places[::2], places[1::2]
    previous = np.where(opening > 0, all_signs[opening - 1], _NEWLINE)
    following = all_signs[closing + 1]  # a block ends with a newline, so there is one
    signs = np.concatenate([previous, following])
    return bool(np.all((signs == _COMMA) | (signs == _NEWLINE) | (signs == _QUOTE)))


class Keys:
    """Whether the keys of one block after the other rise, as in a canonical file; no key stands twice then."""

    def __init__(self, spec: TableSpec) -> None:
        self.names = spec.key
        self.rising = len(self.names) == 1
        self.last = b""

    def add(self, block: Any) -> None:
        """Take the keys of the next rows."""
        if not self.rising or not len(block[self.names[0]]):
            return
        padded = _padded(block[self.names[0]].combine_chunks())
        self.rising = padded is not None and self.last < padded[0] and bool(np.all(padded[:-1] < padded[1:]))
        self.last = padded[-1] if padded is not None else b""


def unique(blocks: Iterable[Any], names: tuple[str, ...]) -> bool:
    """Return whether no key comes twice in blocks of rows in any order."""
    count = 0
    distinct: set[tuple[str, ...]] = set()
    for block in blocks:
        count += len(block[names[0]])
        distinct.update(zip(*(block[name].to_pylist() for name in names), strict=True))
    return count == len(distinct)


def _padded(keys: Any, most: int = 120) -> Any:
    """Return strings as fixed-width bytes, which numpy compares in code point order; None where one is very long.

    Works on Arrow's buffers: its own comparison would import pyarrow.compute, which costs more than a small pool.
    """
    _, starts, text = keys.buffers()
    offsets = np.frombuffer(starts, np.int32, len(keys) + 1, keys.offset * 4)
    lengths = np.diff(offsets)
    width = int(lengths.max(initial=1)) or 1
    if width > most:
        return None
    signs = np.frombuffer(text, np.uint8)[offsets[0] : offsets[-1]]
    padded = np.zeros((len(keys), width), np.uint8)
    padded[np.arange(width) < lengths[:, None]] = signs
    return padded.view(f"S{width}").ravel()


def dictionary(column: Any) -> set[str]:
    """Return the distinct values of a dictionary-encoded column."""
    return {value for chunk in column.chunks for value in chunk.dictionary.to_pylist()}


def combinations(columns: list[Any]) -> dict[Row, int]:
    """Count the combinations of dictionary-encoded columns by mixing their codes into one number.

    Numbers are mixed by numpy: Arrow's scalars would import pandas.
    """
    unified = [column.unify_dictionaries() for column in columns]
    values = [column.chunk(0).dictionary.to_pylist() for column in unified]
    mixed: Any = 0
    for column, terms in zip(unified, values, strict=True):
        codes = np.concatenate([_codes(chunk.indices) for chunk in column.chunks])
        mixed = mixed * max(len(terms), 1) + codes
    found: dict[Row, int] = {}
    for number, count in zip(*(part.tolist() for part in np.unique(mixed, return_counts=True)), strict=True):
        cells = []
        for terms in reversed(values):
            number, position = divmod(number, max(len(terms), 1))
            cells.append(terms[position])
        found[tuple(reversed(cells))] = count
    return found


def _codes(indices: Any) -> Any:
    """Return int32 codes as numpy's int64, from Arrow's buffer."""
    return np.frombuffer(indices.buffers()[1], np.int32, len(indices), indices.offset * 4).astype(np.int64)
