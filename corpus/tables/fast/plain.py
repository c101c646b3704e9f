"""Counting the rows of a CSV file by the cells outside quotation marks, which is faster than `csv`.

Terms need no quotation marks. Where one has them all the same, or where anything about the file is
not plain, the strict reader must look at it.
"""

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import IO

from corpus.model.codebook import TableSpec
from corpus.model.table import MAX_CELL, Row, row_picker
from corpus.tables.content import MARKS, decode, is_valid_quoting

#: Bytes read at a time; small blocks find their memory warm.
_BLOCK = 1 << 16

#: How the lines of a conflict begin.
CONFLICT = tuple(map(str.encode, MARKS))

#: The first character of an empty line, which has none, and of a conflict marker.
_DOUBTFUL = frozenset(["", *(mark[0] for mark in MARKS)])


class NotPlain(Exception):
    """Raised where a file is not plain enough for a quick reader and needs the strict one."""


def plain_tally(path: str, spec: TableSpec, names: tuple[str, ...]) -> dict[Row, int] | None:
    """Count rows by their cells in some columns, block by block.

    Parameters
    ----------
    path : str
        The CSV file.
    spec : TableSpec
        Its declaration.
    names : tuple of str
        The columns.

    Returns
    -------
    dict of tuple of str to int, or None
        Cells -> number of rows; None where the file is not plain, has no rows or a duplicate key.
    """
    cells: Counter[Row] = Counter()
    keys: set[str | Row] = set()
    pick = row_picker(spec.positions(names))
    key = itemgetter(*spec.key_positions)
    number = 0
    try:
        # Three calls per block of some hundred rows; a loop over the rows would double the time.
        for rows in _blocks(path, spec):
            number += len(rows)
            keys.update(map(key, rows))
            cells.update(map(pick, rows))
    except (NotPlain, OSError):
        return None
    if not number or len(keys) < number:
        return None
    # A quotation mark is in the place of a quoted cell, whose text is not known here.
    for texts in (*keys, *cells):
        if '"' in "".join(texts):
            return None
    return dict(cells)


def _blocks(path: str, spec: TableSpec) -> Iterator[list[list[str]]]:
    """Yield the rows of a file, block by block; a quotation mark replaces each quoted cell."""
    with open(path, "rb") as handle:
        skip_header(handle, spec)
        while block := handle.read(_BLOCK):
            rows = _rows_of_block(block + handle.readline(), handle)
            if set(map(len, rows)) != {len(spec.columns)}:
                raise NotPlain
            yield rows


def _rows_of_block(block: bytes, handle: IO[bytes]) -> list[list[str]]:
    """Split a block, and what is missing of its last row, into cells.

    The text between quotation marks is cut out first, so that every comma that is left ends a cell
    and every line break a row.
    """
    pieces = block.split(b'"')
    if len(pieces) % 2 == 0:
        block += rest_of_row(handle)
        pieces = block.split(b'"')
    # A row ends in the block in which it begins, so any cell that is too long makes a block that
    # is.
    if len(block) > MAX_CELL:
        raise NotPlain
    _, findings = decode(block, "", is_table=False)
    if findings or not block.endswith(b"\n") or not is_valid_quoting(pieces):
        raise NotPlain
    lines = b'"'.join(pieces[::2]).decode().split("\n")
    lines.pop()
    if _may_be_marked(block, lines, pieces[1::2]):
        raise NotPlain
    return [line.split(",") for line in lines]


def skip_header(handle: IO[bytes], spec: TableSpec) -> None:
    """Read the header.

    Raises
    ------
    NotPlain
        Where it is not exactly the declared one.
    """
    header = (",".join(spec.header) + "\n").encode()
    if handle.read(len(header)) != header:
        raise NotPlain


def rest_of_row(handle: IO[bytes]) -> bytes:
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


def _may_be_marked(block: bytes, lines: list[str], quoted: list[bytes]) -> bool:
    """Return whether a line is empty or may be a conflict marker, also inside a quoted cell."""
    if not _DOUBTFUL.isdisjoint({line[:1] for line in lines}):
        return True
    has_breaks = b"\n" in b"".join(quoted)
    return has_breaks and any(mark in block for mark in CONFLICT)
