"""A time axis from 0 to 1 with round times on it, for runs of any length."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

#: A pause longer than this share of all shorter ones together is cut to it.
_PAUSE: Final = 0.4
#: Between fewer moments, a long pause is the picture and is not cut.
_CUT_FROM: Final = 7
_CLOCK_STEPS: Final = (15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400)
#: Steps outside of these are no longer round in a double.
_SHORTEST: Final = 1e-12
_LONGEST: Final = 1e15


class TimeAxis:
    """A time axis, to scale except where a long pause is cut.

    Parameters
    ----------
    times : iterable of float
        All times that occur.
    linear : bool
        Whether equal lengths are equal times everywhere; then nothing is cut.

    Attributes
    ----------
    moments, positions : list of float
        The times in order, and where on the axis each is.
    cuts : list of (float, float)
        Where a long pause is cut short: from position, to position.
    """

    def __init__(self, times: Iterable[float], linear: bool) -> None:
        self.moments = sorted(set(times))
        gaps = [after - before for before, after in pairwise(self.moments)]
        longest = math.inf if linear else _longest_pause(gaps)
        reached = [0.0]
        cuts = []
        for gap in gaps:
            start = reached[-1]
            end = start + min(gap, longest)
            reached.append(end)
            if gap > longest:
                cuts.append((start, end))
        length = reached[-1]
        if not 0 < length < math.inf:
            # A run of one moment, or one longer than a double can tell.
            reached = [0.0] * len(reached)
            cuts = []
            length = 1.0
        self.positions = [position / length for position in reached]
        self.cuts = [(start / length, end / length) for start, end in cuts]

    @property
    def span(self) -> float:
        """Time from the first to the last moment."""
        return self.moments[-1] - self.moments[0]

    def along(self, time: float) -> float:
        """Return the position of a time; between two moments, it is between their positions."""
        after = bisect_right(self.moments, time)
        if after == 0:
            return 0.0
        if after == len(self.moments):
            return self.positions[-1]
        before = self.moments[after - 1]
        following = self.moments[after]
        start = self.positions[after - 1]
        end = self.positions[after]
        share = (time - before) / (following - before)
        return start + share * (end - start)

    def ticks(self, clock: bool, most: int = 9) -> list[tuple[float, float]]:
        """Return position and time of round times, about `most` of them.

        Parameters
        ----------
        clock
            Whether times are seconds, of which 60 are round as well.
        most
            How many there should be at most.
        """
        first = self.moments[0]
        last = self.moments[-1]
        step = _round_step((last - first) / most, clock)
        if not step:
            return [(0.0, first)]
        lowest = math.ceil(first / step)
        highest = math.floor(last / step)
        times = [number * step for number in range(lowest, highest + 1)]
        return [(self.along(time), time) for time in times]


def _longest_pause(gaps: Sequence[float]) -> float:
    """Return the length to which longer pauses are cut."""
    if len(gaps) < _CUT_FROM:
        return math.inf
    ordinary = sorted(gaps)[: int(len(gaps) * 0.95)]
    active = sum(ordinary)
    return active * _PAUSE if active > 0 else math.inf


def _round_step(least: float, clock: bool) -> float:
    """Return a round length of at least `least`; 0 where there is none."""
    if not _SHORTEST < least < _LONGEST:
        return 0.0
    if clock and 10 < least <= _CLOCK_STEPS[-1]:
        return float(next(step for step in _CLOCK_STEPS if step >= least))
    power = 10.0 ** math.floor(math.log10(least))
    for factor in (1, 2, 5):
        if power * factor >= least:
            return power * factor
    return power * 10
