"""Arrow's values made from buffers, and the distinct cells of a column.

`pyarrow` imports pandas with the first Python value that it converts (`pa.array`, `pa.scalar`, or
`pc.equal(column, "")`). That is a third of a check that needs nothing else of pandas, such as that
of every change. Values made from buffers are the same and need none.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def strings(texts: Iterable[str]) -> Any:
    """Return texts as an Arrow array of strings without nulls.

    Examples
    --------
    >>> strings(["fen", "", "Ödland"]).to_pylist()
    ['fen', '', 'Ödland']
    """
    return encoded_strings(list(map(str.encode, texts)))


def encoded_strings(encoded: Sequence[bytes]) -> Any:
    """Return texts in UTF-8 as an Arrow array of strings without nulls."""
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


def repeated_values(values: Any) -> Any:
    """Return the values that an Arrow array has several times, each once.

    Examples
    --------
    >>> repeated_values(strings(["fen", "moss", "fen"])).to_pylist()
    ['fen']
    """
    counts = pc.value_counts(values)
    return counts.field(0).filter(pc.greater(counts.field(1), integer(1)))


def coded_cells(cells: Any) -> tuple[list[str], Any]:
    """Return the distinct texts of a chunked array, and which of them each row has.

    Examples
    --------
    >>> cells, codes = coded_cells(pa.chunked_array([strings(["fen", "moss", "fen"])]))
    >>> cells, codes.tolist()
    (['fen', 'moss'], [0, 1, 0])
    """
    coded = pc.dictionary_encode(cells.combine_chunks())
    # From Arrow's buffer: its own way would import pandas.
    codes = np.frombuffer(coded.indices.buffers()[1], np.int32, len(coded))
    return coded.dictionary.to_pylist(), codes
