"""When entries were first public, by month, for the timeline of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from corpus.model.dates import (
    BEFORE,
    UNDATED,
    PartialDate,
    month_name,
    month_number,
    months_between,
    place,
)


class Months(NamedTuple):
    """The bars of the timeline, and the bar and date of each entry.

    Attributes
    ----------
    bars : tuple of str
        In order. A bar is a month (``2025-08``), ``before-2024-12`` for everything older than the
        first month, or ``undated``.
    bar_of, dates : tuple of str
        One for each entry. A date is as exact as it is known, empty where it is not.
    """

    bars: tuple[str, ...]
    bar_of: tuple[str, ...]
    dates: tuple[str, ...]


def months(public: Sequence[PartialDate | None], cutoff: str, number: int) -> Months:
    """Put every entry into a bar.

    Parameters
    ----------
    public : sequence of PartialDate or None
        When each entry was first public.
    cutoff : str
        Its month is the last bar, unless an entry is younger; may be empty.
    number : int
        How many months have a bar each; fewer where all entries are younger.

    Examples
    --------
    >>> from corpus.model.dates import parse_date
    >>> dates = [parse_date("2024-03"), parse_date("1999"), None, parse_date("2024-01-31")]
    >>> found = months(dates, "2024-04-02", 3)
    >>> found.bars
    ('before-2024-02', '2024-02', '2024-03', '2024-04', 'undated')
    >>> found.bar_of
    ('2024-03', 'before-2024-02', 'undated', 'before-2024-02')
    >>> found.dates
    ('2024-03', '1999', '', '2024-01-31')
    """
    dates = tuple(date.text if date else "" for date in public)
    known = sorted(date.month for date in public if date and date.month)
    if not known:
        return Months((), (UNDATED,) * len(dates), dates)
    last = max(known[-1], cutoff[: len("YYYY-MM")])
    earliest = month_name(month_number(last) - number + 1)
    first = max(earliest, known[0])
    before = f"before-{first}"
    bar_of = tuple(_bar(date, first, last, before) for date in public)
    bars = list(months_between(first, last))
    if before in bar_of:
        bars.insert(0, before)
    if UNDATED in bar_of:
        bars.append(UNDATED)
    return Months(tuple(bars), bar_of, dates)


def _bar(date: PartialDate | None, first: str, last: str, before: str) -> str:
    if date is None:
        return UNDATED
    if place(date.text, first, last) == BEFORE:
        return before
    # A year names no bar, wherever it lies.
    return date.month or UNDATED
