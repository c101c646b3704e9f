"""Arrow's values made from buffers, and the distinct cells of a column.

`pyarrow` imports pandas with the first Python value that it converts (`pa.array`, `pa.scalar`, or
`pc.equal(column, "")`). That is a third of a check that needs nothing else of pandas, such as that
of every change. Values made from buffers are the same and need none.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

#: For 0 to 8 bytes, those of a word that count; a factor that spreads words (Knuth's MMIX).
_MASKS = np.array([(1 << (8 * length)) - 1 for length in range(9)], np.uint64)
_FACTOR = np.uint64(6364136223846793005)


def strings(texts: Iterable[str]) -> Any:
    """Return texts as an Arrow array of strings without nulls.

    Examples
    --------
    >>> strings(["fen", "", "Ödland"]).to_pylist()
    ['fen', '', 'Ödland']
    """
    encoded = list(map(str.encode, texts))
    return string_array(b"".join(encoded), list(map(len, encoded)))


def string_array(content: Any, lengths: Any) -> Any:
    """Return texts as an Arrow array: all their bytes in UTF-8, and how many each has."""
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return pa.StringArray.from_buffers(len(lengths), pa.py_buffer(offsets), pa.py_buffer(content))


def string(text: str) -> Any:
    """Return a text as an Arrow scalar, to compare a column with it or to join it to its cells.

    Examples
    --------
    >>> string("fen").as_py()
    'fen'
    """
    return strings([text])[0]


def integers(numbers: Any) -> Any:
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
    """Return the values that an array of strings has several times, each once.

    Three words of each and its length are compared first, a third of the time: of most columns no
    two are equal.

    Examples
    --------
    >>> repeated_values(strings(["fen", "moss", "fen"])).to_pylist()
    ['fen']
    """
    # Behind the last value is one more, so that a word can be read from everywhere.
    chunks = values.chunks if isinstance(values, pa.ChunkedArray) else [values]
    padded = pa.concat_arrays([*chunks, strings([" " * 8])])
    values = padded[:-1]
    offsets = np.frombuffer(padded.buffers()[1], np.int32, len(padded))
    starts: Any = offsets[:-1]
    lengths: Any = np.diff(offsets)
    content = padded.buffers()[2]
    words = np.ndarray(content.size - 7, "<u8", content, strides=(1,))
    prints = lengths.astype(np.uint64)
    for places in (starts, starts + lengths // 2, starts + np.maximum(lengths - 8, 0)):
        rest = np.minimum(starts + lengths - places, 8)
        prints = (prints ^ words[places] & _MASKS[rest]) * _FACTOR
    ordered = np.sort(prints)
    doubtful = np.isin(prints, ordered[1:][ordered[1:] == ordered[:-1]])
    counts = pc.value_counts(values.take(integers(np.flatnonzero(doubtful))))
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
