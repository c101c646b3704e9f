"""Dates that are as exact as what is known: a year, a month or a day."""

import re
from calendar import monthrange
from datetime import date
from functools import lru_cache
from typing import NamedTuple

# Compiled when the first date is read, as re keeps it: a count of terms reads none.
_FORM = r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?"

_MONTH = r"[0-9]{4}-(?:0[1-9]|1[0-2])"

#: Where a date lies relative to two bounds; see :func:`place`.
INSIDE, BEFORE, AFTER, UNDATED = "inside", "before", "after", "undated"


_LENGTHS = {"year": len("YYYY"), "month": len("YYYY-MM"), "day": len("YYYY-MM-DD")}

#: The months in print, January first.
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class PartialDate(NamedTuple):
    """A date with its precision (year, month or day); `start` is the first possible day."""

    start: date
    precision: str

    @property
    def end(self) -> date:
        """The last possible day."""
        if self.precision == "day":
            return self.start
        month = 12 if self.precision == "year" else self.start.month
        return self.start.replace(month=month, day=monthrange(self.start.year, month)[1])

    @property
    def text(self) -> str:
        """As exact as it is known: ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``."""
        # Not strftime, which writes the year 999 with three digits on some systems.
        return self.start.isoformat()[: _LENGTHS[self.precision]]

    @property
    def month(self) -> str:
        """``YYYY-MM``, or an empty string where only the year is known."""
        return "" if self.precision == "year" else self.text[:7]


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
    return PartialDate(date(int(year), int(month or 1), int(day or 1)), precision)


def place(text: str, first: str, last: str) -> str:
    """Return where a date certainly lies: inside two bounds, before them or after them.

    Parameters
    ----------
    text : str
        A date.
    first, last : str
        Both belong to the span, with all their days; an empty one leaves its side open. Where one
        of the three is another text, the answer is ``undated``.

    Returns
    -------
    str
        ``inside``, ``before``, ``after``, or ``undated`` where the date is not known well enough
        to tell: a year that a bound divides is inside no more than it is outside.

    Examples
    --------
    >>> [place(text, "2024-12", "2026-05") for text in ("2025", "2026", "2026-05-31", "2023", "")]
    ['inside', 'undated', 'inside', 'before', 'undated']
    """
    try:
        earliest = parse_date(first).start if first else date.min
        latest = parse_date(last).end if last else date.max
        known = parse_date(text)
    except ValueError:
        return UNDATED
    if known.end < earliest:
        return BEFORE
    if known.start > latest:
        return AFTER
    is_inside = earliest <= known.start and known.end <= latest
    return INSIDE if is_inside else UNDATED


def month_number(month: str) -> int:
    """Return the number of a month (YYYY-MM) in a running count; ValueError for another form.

    Examples
    --------
    >>> month_number("2025-01") - month_number("2024-12")
    1
    """
    if not re.fullmatch(_MONTH, month):
        raise ValueError(f"{month!r} is not YYYY-MM")
    return int(month[:4]) * 12 + int(month[5:]) - 1


def month_name(number: int) -> str:
    """Return the month (YYYY-MM) with a number of :func:`month_number`.

    Examples
    --------
    >>> month_name(month_number("2024-12") + 1)
    '2025-01'
    """
    year, month = divmod(number, 12)
    return f"{year:04d}-{month + 1:02d}"


def months_between(first: str, last: str) -> tuple[str, ...]:
    """Return every month from `first` to `last`, both included.

    Examples
    --------
    >>> months_between("2024-11", "2025-01")
    ('2024-11', '2024-12', '2025-01')
    """
    return tuple(map(month_name, range(month_number(first), month_number(last) + 1)))
