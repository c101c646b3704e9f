"""Counting the rows of a CSV file by the cells that stand outside quotation marks, which is faster than `csv`.

Tags need no quotation marks. Where one has them all the same, or where anything about the file is not plain, the strict
reader must look at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import IO

from corpus.model.codebook import TableSpec
from corpus.model.limits import MAX_CELL
from corpus.model.table import Row
from corpus.tables.content import decode
from corpus.tables.quoting import is_sound
from corpus.tables.reader import MARKS

_BLOCK = 1 << 16  # small ones find their memory warm
CONFLICT = tuple(mark.encode() for mark in MARKS)
"""How the lines of a conflict begin."""
_DOUBTFUL = frozenset(["", *(mark[0] for mark in MARKS)])
"""How a blank line and a conflict marker begin."""


class NotPlain(Exception):
    """Raised where a file is not plain enough for a quick way; the strict reader must look at it."""


def plain_tally(path: str, spec: TableSpec, names: tuple[str, ...]) -> dict[Row, int] | None:
    """Count rows by their cells in `names`, block by block; None where the file is not plain or a key is doubled."""
    cells: Counter[Row] = Counter()
    keys: set[str | Row] = set()
    pick, key = _picker([spec.position(name) for name in names]), itemgetter(*map(spec.position, spec.key))
    number = 0
    try:
        for rows in _blocks(path, spec):
            number += len(rows)
            keys.update(map(key, rows))
            cells.update(map(pick, rows))
    except (NotPlain, OSError):
        return None
    quoted = any('"' in "".join(texts) for texts in (*keys, *cells))
    return None if quoted or not number or len(keys) < number else dict(cells)


def _picker(positions: list[int]) -> Callable[[list[str]], Row]:
    if len(positions) > 1:
        return itemgetter(*positions)
    return lambda row: tuple(row[position] for position in positions)


def _blocks(path: str, spec: TableSpec) -> Iterator[list[list[str]]]:
    """Yield a file's rows; a quotation mark stands for a quoted cell."""
    header = (",".join(spec.header) + "\n").encode()
    with open(path, "rb") as handle:
        if handle.read(len(header)) != header:
            raise NotPlain
        while block := handle.read(_BLOCK):
            rows = _rows(block + handle.readline(), handle)
            if set(map(len, rows)) != {len(spec.columns)}:
                raise NotPlain
            yield rows


def _rows(block: bytes, handle: IO[bytes]) -> list[list[str]]:
    """Split a block, and what is missing of its last row.

    What stands between quotation marks is cut out first, so that every comma that is left ends a cell and every line
    break a row.
    """
    pieces = block.split(b'"')
    if len(pieces) % 2 == 0:
        block += rest_of_row(handle)
        pieces = block.split(b'"')
    if len(block) > MAX_CELL:  # a row ends in the block in which it begins, so any cell that is too long does
        raise NotPlain
    if decode(block, "", is_table=False)[1] or not block.endswith(b"\n") or not is_sound(pieces):
        raise NotPlain
    lines = b'"'.join(pieces[::2]).decode().split("\n")
    lines.pop()
    if _may_be_marked(block, lines, pieces[1::2]):
        raise NotPlain
    return [line.split(",") for line in lines]


def rest_of_row(handle: IO[bytes]) -> bytes:
    """Read on to the end of the line on which an open quoted cell ends.

    Raises
    ------
    NotPlain
        Where it does not end.
    """
    lines: list[bytes] = []
    quotes = 1
    while quotes % 2:
        line = handle.readline()
        if not line:
            raise NotPlain
        quotes += line.count(b'"')
        lines.append(line)
    return b"".join(lines)


def _may_be_marked(block: bytes, lines: list[str], quoted: list[bytes]) -> bool:
    """Whether a line is blank or may be a conflict marker, also inside a quoted cell."""
    if not _DOUBTFUL.isdisjoint({line[:1] for line in lines}):
        return True
    return b"\n" in b"".join(quoted) and any(mark in block for mark in CONFLICT)
