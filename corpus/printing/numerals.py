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
    mantissa, _, exponent = str(number).partition("e")
    if not exponent:
        return mantissa
    # Only below 0.0001: a great float is whole. The digits are moved and not formatted again, which
    # may round the last one to another.
    sign = "-" if number < 0 else ""
    digits = mantissa.lstrip("-").replace(".", "")
    zeros = "0" * (-int(exponent) - 1)
    return f"{sign}0.{zeros}{digits}"


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
