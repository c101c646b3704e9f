"""Numbers as digits: nothing is rounded away, and nothing is in powers of ten."""

from __future__ import annotations

from math import isfinite


def numeral(number: float) -> str:
    """Return a number with all of its digits; a whole one has no point.

    ``format(number, "g")`` keeps six digits, so that 1,000,001 and 1,000,002 would look the same.

    Examples
    --------
    >>> numeral(1_000_001), numeral(2.0), numeral(0.00001), numeral(float("nan"))
    ('1000001', '2', '0.00001', 'nan')
    """
    if not isfinite(number):
        return str(number)
    if number == int(number):
        return str(int(number))
    return f"{number:.{decimals(number)}f}"


def decimals(number: float) -> int:
    """Return how many decimal places a number has in its shortest form, such as 1 for 2.0.

    Examples
    --------
    >>> decimals(2.46), decimals(3), decimals(1e-05)
    (2, 0, 5)
    """
    digits, _, exponent = str(number).partition("e")
    places = len(digits.partition(".")[2])
    return max(0, places - int(exponent or 0))
