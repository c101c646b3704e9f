"""Dates that are as exact as what is known: a year, a month or a day."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

# Compiled when the first date is read, as re keeps it: a count of terms reads none.
_FORM = r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?"


class PartialDate(NamedTuple):
    """A date with its precision (year, month or day); `start` is the first possible day."""

    start: date
    precision: str

    @property
    def month(self) -> str:
        """``YYYY-MM``, or an empty string where only the year is known."""
        # Not strftime, which writes the year 999 with three digits on some systems.
        return "" if self.precision == "year" else self.start.isoformat()[:7]


@lru_cache(maxsize=4096)  # tests of ranges ask for the same few bounds again and again
def parse_date(text: str) -> PartialDate:
    """Read YYYY, YYYY-MM or YYYY-MM-DD.

    Raises
    ------
    ValueError
        For any other form, and for a day that does not exist.

    Examples
    --------
    >>> parse_date("2026-03")
    PartialDate(start=datetime.date(2026, 3, 1), precision='month')
    """
    match = re.fullmatch(_FORM, text)
    if match is None:
        raise ValueError(f"{text!r} is not YYYY, YYYY-MM or YYYY-MM-DD")
    year, month, day = match.groups()
    precision = "year"
    if month:
        precision = "month"
    if day:
        precision = "day"
    start = date(int(year), int(month or 1), int(day or 1))
    return PartialDate(start, precision)
