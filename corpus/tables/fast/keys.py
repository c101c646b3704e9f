"""Whether the keys of a large pool are unique, without keeping them where they rise."""

from __future__ import annotations

from typing import Any

import numpy as np

from corpus.tables.fast.codes import word_of

#: A key of more bytes is compared in another way: most of the words would be padding.
_LONGEST_KEY = 120

#: The first and the last key of some rows.
KeyEnds = tuple[bytes, bytes]


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
