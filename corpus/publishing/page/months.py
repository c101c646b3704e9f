"""When entries were first public, by month, for the timeline of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from corpus.model.dates import PartialDate

UNDATED = "undated"
_SHOWN = {"year": 4, "month": 7, "day": 10}


class Months(NamedTuple):
    """The bars of the timeline: `bars` in order; `bar_of` and `dates`, one for each entry.

    A bar is a month (``2025-08``), ``before-2024-12`` for everything older than the first month, or ``undated``. A
    date is as exact as it is known, empty where it is not.
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
        How many months are told apart; fewer where all entries are younger.

    Examples
    --------
    >>> from corpus.model.dates import parse_date
    >>> months([parse_date("2024-03"), parse_date("1999"), None, parse_date("2024-01-31")], "2024-04-02", 3)
    Months(bars=('before-2024-02', '2024-02', '2024-03', '2024-04', 'undated'), bar_of=('2024-03', 'before-2024-02', \
'undated', 'before-2024-02'), dates=('2024-03', '1999', '', '2024-01-31'))
    """
    dates = tuple(date.start.isoformat()[: _SHOWN[date.precision]] if date else "" for date in public)
    known = sorted(date.month for date in public if date and date.month)
    if not known:
        return Months((), (UNDATED,) * len(dates), dates)
    window = _window(max(known[-1], cutoff[:7]), number)
    window = window[window.index(max(window[0], known[0])) :]
    before = f"before-{window[0]}"
    bar_of = tuple(_bar(date, window[0], before) for date in public)
    bars = (*[before] * (before in bar_of), *window, *[UNDATED] * (UNDATED in bar_of))
    return Months(bars, bar_of, dates)


def _bar(date: PartialDate | None, first: str, before: str) -> str:
    if date is None:
        return UNDATED
    if date.month >= first:
        return date.month
    return before if date.month or f"{date.start:%Y}" < first[:4] else UNDATED


def _window(newest: str, number: int) -> list[str]:
    """Return `number` months that end with `newest`."""
    last = int(newest[:4]) * 12 + int(newest[5:7]) - 1
    return [f"{index // 12:04d}-{index % 12 + 1:02d}" for index in range(last - number + 1, last + 1)]
