"""Texts and numbers of Python as values of Arrow, without pandas.

`pyarrow` imports pandas with the first Python value that it converts (`pa.array`, `pa.scalar`, or
`pc.equal(column, "")`). That is a third of a check that needs nothing else of pandas, such as that
of every change. Values made from buffers are the same and need none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa


def strings(texts: Sequence[str]) -> Any:
    """Return texts as an Arrow array of strings without nulls.

    Examples
    --------
    >>> strings(["fen", "", "Ödland"]).to_pylist()
    ['fen', '', 'Ödland']
    """
    encoded = [text.encode() for text in texts]
    ends = accumulate(map(len, encoded), initial=0)
    offsets = np.fromiter(ends, np.int32, len(encoded) + 1)
    content = pa.py_buffer(b"".join(encoded))
    return pa.StringArray.from_buffers(len(encoded), pa.py_buffer(offsets), content)


def string(text: str) -> Any:
    """Return a text as an Arrow scalar, to compare a column with it or to join it to its cells.

    Examples
    --------
    >>> string("fen").as_py()
    'fen'
    """
    return strings([text])[0]


def integers(numbers: Sequence[int]) -> Any:
    """Return whole numbers as an Arrow array of 64 bits without nulls.

    Examples
    --------
    >>> integers(range(3)).to_pylist()
    [0, 1, 2]
    """
    values = np.asarray(numbers, np.int64)
    return pa.Array.from_buffers(pa.int64(), len(values), [None, pa.py_buffer(values)])


def integer(number: int) -> Any:
    """Return a whole number as an Arrow scalar.

    Examples
    --------
    >>> integer(3).as_py()
    3
    """
    return integers([number])[0]


def all_true(length: int) -> Any:
    """Return a mask of so many rows that keeps all of them.

    Examples
    --------
    >>> all_true(2).to_pylist()
    [True, True]
    """
    # A bit per row.
    bits = b"\xff" * (length // 8 + 1)
    return pa.Array.from_buffers(pa.bool_(), length, [None, pa.py_buffer(bits)])
