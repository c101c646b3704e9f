"""The months that a timeline shows, in a figure and on the page."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MONTH = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])")

#: More months than this would be columns too narrow to read.
_LONGEST = 120


def month_number(month: str) -> int:
    """Return the number of a month (YYYY-MM) in a running count; ValueError for another form.

    Examples
    --------
    >>> month_number("2025-01") - month_number("2024-12")
    1
    """
    if not _MONTH.fullmatch(month):
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
    numbers = range(month_number(first), month_number(last) + 1)
    return tuple(month_name(number) for number in numbers)


def window_problem(window: Sequence[str]) -> str:
    """Return what is wrong with a window of two months (YYYY-MM), or an empty string.

    Examples
    --------
    >>> window_problem(["2025-03", "2025-01"])
    'must not end (2025-01) before it starts (2025-03)'
    """
    try:
        first, last = window
        months = month_number(last) - month_number(first) + 1
    except ValueError:
        return "must be two months, such as 2024-12 and 2026-05"
    if months < 1:
        return f"must not end ({last}) before it starts ({first})"
    if months > _LONGEST:
        return f"must not be longer than {_LONGEST} months"
    return ""
