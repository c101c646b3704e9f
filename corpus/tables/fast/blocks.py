"""Blocks of whole rows of a CSV file, and where their cells end, by the strict reader's rules.

A block is looked at as an array of bytes: what is done per byte is a comparison, and everything
else is done per comma, line break or quotation mark only. Where anything is not plain, the strict
reader reads the file again and reports what is wrong.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Any, TypeVar

import numpy as np

from corpus.model.codebook import TableSpec
from corpus.model.table import MAX_CELL
from corpus.tables.content import MARKS

Result = TypeVar("Result")

#: Bytes of a block. The arrays made of one have to stay in the processor's caches; smaller blocks
#: cost more calls than they save (measured: 256 KiB takes half as much again, 2 MiB as much).
_BLOCK = 1 << 20

#: More threads would wait for the file and for the interpreter's lock.
_THREADS = 2

#: Bytes behind the rows of a block: a word may be read from the last of its cells.
PADDING = 16

#: How the lines of a conflict begin.
_CONFLICT = tuple(map(str.encode, MARKS))
_QUOTE, _COMMA, _NEWLINE = b'",\n'
_MARK_BYTES = [mark[0] for mark in _CONFLICT]
#: Freed once: glibc gives memory of a block's size back at each release until it has seen larger
#: pieces (mallopt(3), dynamic threshold), and much of the time goes into getting it again.
_KEPT = 1 << 24


class NotPlain(Exception):
    """Raised where a file is not plain enough for a quick reader and needs the strict one."""


def of_blocks(
    path: str,
    spec: TableSpec,
    work: Callable[[bytes], Result],
    size: int = 0,
    workers: int = _THREADS,
) -> Iterator[Result]:
    """Yield what a function makes of each block of a file, in order; two threads run it.

    What numpy and Arrow do runs outside the interpreter's lock.

    Parameters
    ----------
    path : str
        The file.
    spec : TableSpec
        Its declaration.
    work : callable
        Takes what :func:`next_rows` returns.
    size : int
        Bytes of a block, if not the usual number.
    workers : int
        How many threads, if not the usual number.

    Raises
    ------
    NotPlain
        Where `work` does, the header is another one, a quoted cell has no end or there are no rows.
    """
    bytes(_KEPT)
    waiting: deque[Future[Result]] = deque()
    with open(path, "rb") as handle, ThreadPoolExecutor(workers) as threads:
        _skip_header(handle, spec)
        while data := next_rows(handle, size):
            waiting.append(threads.submit(work, data))
            # So few blocks are in memory at a time.
            if len(waiting) > workers:
                yield waiting.popleft().result()
        if not waiting:
            raise NotPlain
        for done in waiting:
            yield done.result()


def next_rows(handle: IO[bytes], size: int = 0) -> bytes:
    """Read a block, of so many bytes, up to the end of a row, with its padding; nothing at the end.

    Raises
    ------
    NotPlain
        Where a quoted cell has no end.
    """
    start = handle.read(size or _BLOCK)
    if not start:
        return b""
    pieces = [start, handle.readline()]
    if (_quotes(start) + _quotes(pieces[1])) % 2:
        pieces.append(_rest_of_row(handle))
    return b"".join([*pieces, b"\n" * PADDING])


def _skip_header(handle: IO[bytes], spec: TableSpec) -> None:
    """Read the header.

    Raises
    ------
    NotPlain
        Where it is not exactly the declared one.
    """
    header = (",".join(spec.header) + "\n").encode()
    if handle.read(len(header)) != header:
        raise NotPlain


def _rest_of_row(handle: IO[bytes]) -> bytes:
    """Read on to the end of the line on which an open quoted cell ends.

    Raises
    ------
    NotPlain
        Where it does not end.
    """
    lines = []
    quotes = 1
    while quotes % 2:
        line = handle.readline()
        if not line:
            raise NotPlain
        quotes += line.count(b'"')
        lines.append(line)
    return b"".join(lines)


def _quotes(data: bytes) -> int:
    """Count quotation marks; `bytes.count` takes five times as long."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == _QUOTE))


def check_block(data: bytes, *, with_commas: bool) -> tuple[Any, Any, bool]:
    """Check the bytes of whole rows and find where they end.

    Parameters
    ----------
    data : bytes
        What :func:`next_rows` returned.
    with_commas : bool
        Whether to find the end of every cell.

    Returns
    -------
    ends : numpy.ndarray
        int64: positions of the line breaks that end a row and, where they were asked for, of the
        commas that end a cell, rising.
    row_ends : numpy.ndarray
        Those of them that end a row.
    has_breaks : bool
        Whether a cell holds a line break.

    Raises
    ------
    NotPlain
        Where the bytes break a rule.
    """
    text = np.frombuffer(data, np.uint8)[:-PADDING]
    if text[-1] != _NEWLINE or b"\r" in data or b"\0" in data or not _is_utf8(data):
        raise NotPlain
    found = text == _QUOTE
    found |= text == _NEWLINE
    if with_commas:
        found |= text == _COMMA
    marks = np.flatnonzero(found)
    kinds = text[marks]
    is_quote = kinds == _QUOTE
    # An odd number of quotation marks up to a place: it is inside a quoted cell.
    is_inside = np.logical_xor.accumulate(is_quote)
    is_break = kinds == _NEWLINE
    breaks = marks[is_break]
    if not _is_valid_quoting(text, marks[is_quote]) or not _are_plain_lines(data, text, breaks):
        raise NotPlain
    has_breaks = bool(np.any(is_break & is_inside))
    row_ends = marks[is_break & ~is_inside] if has_breaks else breaks
    if np.diff(row_ends, prepend=-1).max() > MAX_CELL:
        raise NotPlain
    ends = row_ends
    if with_commas:
        ends = marks[~(is_inside | is_quote)]
    return ends, row_ends, has_breaks


def cell_ends(data: bytes, width: int) -> Any:
    """Return where each cell of whole rows ends, an array of `width` columns and a line per row.

    Raises
    ------
    NotPlain
        Where the bytes break a rule, or a row has another number of cells.
    """
    ends, row_ends, _ = check_block(data, with_commas=True)
    if len(ends) == width * len(row_ends):
        by_row = ends.reshape(-1, width)
        if np.array_equal(by_row[:, -1], row_ends):
            return by_row
    raise NotPlain


def cells_between(data: bytes, ends: Any, positions: list[int]) -> tuple[Any, Any]:
    """Return where the text of cells starts and ends, without the quotation marks around it.

    Parameters
    ----------
    data : bytes
        The rows.
    ends : numpy.ndarray
        What :func:`cell_ends` returned.
    positions : list of int
        The columns.

    Returns
    -------
    starts, stops : numpy.ndarray
        int64, a line per column of `positions` and a value per row.
    """
    by_column = ends.T
    stops = by_column[positions]
    starts = np.empty_like(stops)
    for line, position in enumerate(positions):
        if position:
            starts[line] = by_column[position - 1]
        else:
            starts[line, 0] = -1
            starts[line, 1:] = by_column[-1, :-1]
    starts += 1
    is_quoted = np.frombuffer(data, np.uint8)[starts] == _QUOTE
    if is_quoted.any():
        starts += is_quoted
        stops -= is_quoted
    return starts, stops


def cell_text(data: bytes, start: int, stop: int) -> str:
    """Return one cell, from where :func:`cells_between` found it."""
    return data[start:stop].decode().replace('""', '"')


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _table_of(members: bytes) -> Any:
    """Return for each byte whether it is one of `members`."""
    table = np.zeros(256, bool)
    table[list(members)] = True
    return table


_BESIDE_QUOTES = _table_of(b'",\n')
_DOUBTFUL_STARTS = _table_of(bytes([_NEWLINE, *_MARK_BYTES]))


def _are_plain_lines(data: bytes, text: Any, breaks: Any) -> bool:
    """Return whether no line is empty or a conflict marker, from the byte after each line break."""
    starts = np.concatenate([[0], breaks[:-1] + 1])
    doubtful = starts[_DOUBTFUL_STARTS[text[starts]]]
    return not any(data.startswith((b"\n", *_CONFLICT), start) for start in doubtful.tolist())


def _is_valid_quoting(text: Any, quotes: Any) -> bool:
    """Return whether the quotation marks of whole rows, at the positions `quotes`, follow RFC 4180.

    Marks alternate between opening and closing; one half of a repeated mark closes, the other opens
    again. So an opening mark must follow a delimiter or a mark, and a closing one must precede one.
    """
    # The byte before the first one is the last one here: a block ends with a line break.
    before = text[quotes[::2] - 1]
    after = text[quotes[1::2] + 1]
    return bool(_BESIDE_QUOTES[before].all() and _BESIDE_QUOTES[after].all())
