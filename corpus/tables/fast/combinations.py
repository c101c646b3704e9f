"""How many rows there are of each combination of numbered cells."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

#: The most that an int64 holds.
_LARGEST = (1 << 63) - 1


def count_combinations(codes: list[Any], sizes: list[int]) -> dict[tuple[int, ...], int]:
    """Count the distinct combinations of codes.

    The codes of a row are mixed into one number, in a system whose base changes with the digit.

    Parameters
    ----------
    codes : list of numpy.ndarray
        Per column: an integer per row, from 0; one column and one row or more.
    sizes : list of int
        Per column: a number that is larger than each of its codes.
    """
    if math.prod(sizes) > _LARGEST:
        return Counter(zip(*(column.tolist() for column in codes), strict=True))
    mixed = codes[0].astype(np.int64)
    for column, size in zip(codes[1:], sizes[1:], strict=True):
        mixed *= size
        mixed += column
    rest, counts = np.unique(mixed, return_counts=True)
    digits = []
    for size in reversed(sizes):
        rest, digit = np.divmod(rest, size)
        digits.append(digit.tolist())
    digits.reverse()
    return dict(zip(zip(*digits, strict=True), counts.tolist(), strict=True))
