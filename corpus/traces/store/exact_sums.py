"""Sums and ranks of numbers, the same to the last digit in whatever order and pieces they come.

Floating-point addition depends on the order. Here a sum is an integer in units of the smallest
double, and a rank is found by counting the leading bits of the numbers, sixteen more in each of
four passes: both are whole numbers, so that pieces can be added in any order, and neither needs the
numbers to be kept.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

#: The smallest double is 2 to the minus `UNIT`.
UNIT: Final = 1074
DIGIT: Final = 16
PASSES: Final = 4
_LOW: Final = 26
_SIGN: Final = np.uint64(1 << 63)


def exact_sum(values: Floats) -> int:
    """Return the sum in units of the smallest double.

    Examples
    --------
    >>> rounded(exact_sum(np.array([1e16, 1.0, -1e16])))
    1.0
    """
    if not len(values):
        return 0
    fractions, exponents = np.frexp(values)
    whole = np.ldexp(fractions, 53).astype(np.int64)
    lowest = int(exponents.min())
    places = exponents - lowest
    # Each half is below 2 to the 27, so that some 67 million of them add up without rounding in a
    # double.
    high_half = whole >> _LOW
    low_half = whole & ((1 << _LOW) - 1)
    high = np.bincount(places, weights=high_half.astype(np.float64))
    low = np.bincount(places, weights=low_half.astype(np.float64))
    total = 0
    (occupied,) = np.nonzero((high != 0) | (low != 0))
    for place in occupied.tolist():
        part = (int(high[place]) << _LOW) + int(low[place])
        shift = place + lowest - 53 + UNIT
        if shift >= 0:
            total += part << shift
        else:
            # Exact as well: of a subnormal number, only zero bits are shifted out.
            total += part >> -shift
    return total


def rounded(total: int) -> float:
    """Return an exact sum as the nearest double; infinity where it is too large for one."""
    try:
        return float(Fraction(total, 1 << UNIT))
    except OverflowError:
        return math.inf


def ordered_bits(values: Floats) -> NDArray[np.uint64]:
    """Return each number as 64 bits that sort as the numbers do.

    Examples
    --------
    >>> bits = ordered_bits(np.array([-2.0, -1.0, 0.0, 1e-300, 3.0]))
    >>> bool((bits[1:] > bits[:-1]).all())
    True
    """
    bits = (values + 0.0).view(np.uint64)
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


def value_of(bits: int) -> float:
    """Return the number that has these ordered bits."""
    if bits >> 63:
        plain = bits & ~(1 << 63)
    else:
        plain = ~bits & ((1 << 64) - 1)
    # The eight bytes read as a double, not converted to one.
    number = np.array([plain], np.uint64).view(np.float64)
    return float(number[0])


Histogram: TypeAlias = dict[int, int]


def histogram(values: Floats, prefix: int, level: int) -> Histogram:
    """Count numbers by their next sixteen bits.

    Parameters
    ----------
    values
        The numbers.
    prefix, level
        Only numbers whose first `level` times sixteen bits are `prefix` count.
    """
    bits = ordered_bits(values)
    if level:
        leading = bits >> np.uint64(64 - DIGIT * level)
        bits = bits[leading == np.uint64(prefix)]
    shift = np.uint64(64 - DIGIT * (level + 1))
    lowest_digit = np.uint64((1 << DIGIT) - 1)
    digits = (bits >> shift) & lowest_digit
    found, counts = np.unique(digits, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def add_counts(counts: dict[int, int], more: dict[int, int]) -> None:
    """Add counts to counts."""
    for key, number in more.items():
        counts[key] = counts.get(key, 0) + number


class Rank(NamedTuple):
    """The number at position `left` (from 0) among those whose bits begin with `prefix`."""

    prefix: int
    left: int

    def narrowed(self, counts: Histogram) -> Rank:
        """Return the same number with sixteen bits more known."""
        left = self.left
        for digit in sorted(counts):
            if left < counts[digit]:
                return Rank(self.prefix << DIGIT | digit, left)
            left -= counts[digit]
        raise ValueError("fewer numbers than the rank needs")
