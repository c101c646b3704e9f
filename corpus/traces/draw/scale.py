"""Where each event is on the time axis: to scale, but no two events of one lane overlap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import Final, NamedTuple

STEP: Final = 1.0
"""Least distance of two events of one lane; all lengths along the axis are in this unit."""
PAUSE: Final = 0.4
"""Share of the axis that one pause may take; a longer one is cut and marked."""

_SHORTEST: Final = 14.0
_LONGEST: Final = 400.0
_STEPS_PER_EVENT: Final = 0.8

#: Space between the events of one moment and the next moment.
_AFTER_MOMENT: Final = 0.15

#: In a smaller run, a long pause is the picture and is not cut.
_CUT_FROM: Final = 7


class Scale(NamedTuple):
    """A time axis.

    Attributes
    ----------
    x : list of float
        Position of each event, from 0.
    ticks : list of (float, float)
        Position and time of each moment at which something happens, in order.
    cuts : list of (float, float)
        Where a long pause is cut short: from position, to position.
    width : float
        The last position.
    true : bool
        Whether equal lengths are equal times everywhere.
    """

    x: list[float]
    ticks: list[tuple[float, float]]
    cuts: list[tuple[float, float]]
    width: float
    true: bool

    def along(self, time: float) -> float:
        """Return the position of any time.

        It lies between the moments around it, and at most two steps after the last.
        """
        # By a key: a list of the moments for each call took minutes for a run of 100,000 events.
        after = bisect_right(self.ticks, time, key=itemgetter(1))
        start, first = self.ticks[0]
        if after == 0:
            return start
        place, moment = self.ticks[after - 1]
        if after < len(self.ticks):
            next_place, next_moment = self.ticks[after]
            share = (time - moment) / (next_moment - moment)
            return place + share * (next_place - place)
        span = moment - first
        rate = place / span if span else 1.0
        return place + min(2 * STEP, (time - moment) * rate)


def scale(
    times: Sequence[float],
    lanes: Sequence[int],
    order: Sequence[int],
    edges: Sequence[tuple[int, int]],
) -> Scale:
    """Place the events of a run.

    Parameters
    ----------
    times, lanes
        Time and lane of each event.
    order
        All events, a cause before its effect.
    edges
        Source and target of each edge.
    """
    # The sort is stable, so that causes stay before effects of the same moment.
    arranged = sorted(order, key=lambda event: times[event])
    length = _length(len(arranged))
    span = times[arranged[-1]] - times[arranged[0]]
    rate = _rate(span, length)
    causes = _simultaneous_causes(times, edges)
    x = [0.0] * len(times)
    last: dict[int, float] = {}
    ticks: list[tuple[float, float]] = []
    cuts: list[tuple[float, float]] = []
    before = times[arranged[0]]
    place = 0.0
    right = -_AFTER_MOMENT
    true = True
    for moment, group in groupby(arranged, key=lambda event: times[event]):
        events = list(group)
        shift = _shifts(events, lanes, causes)
        wanted = (moment - before) * rate
        longest = PAUSE * length
        start = place + min(wanted, longest)
        if wanted > longest and len(arranged) >= _CUT_FROM:
            cuts.append((right, start))
        place = max(start, right + _AFTER_MOMENT)
        for event in events:
            lane = lanes[event]
            if lane in last:
                place = max(place, last[lane] + STEP - shift[event])
        true = true and abs(place - start) < 0.5 and not cuts
        for event in events:
            x[event] = place + shift[event]
            last[lanes[event]] = x[event]
        ticks.append((place, moment))
        before = moment
        right = max(x[event] for event in events)
    return Scale(x, ticks, cuts, max(x), true)


def linear_scale(times: Sequence[float]) -> Scale:
    """Place the events of a run so that equal lengths are equal times; events may coincide."""
    length = _length(len(times))
    moments = sorted(set(times))
    first = moments[0]
    rate = _rate(moments[-1] - first, length)
    ticks = [((moment - first) * rate, moment) for moment in moments]
    x = [(time - first) * rate for time in times]
    return Scale(x, ticks, [], max(x), True)


def _length(events: int) -> float:
    """Return the length of the axis for a number of events, within bounds."""
    wanted = _STEPS_PER_EVENT * events
    return min(max(_SHORTEST, wanted), _LONGEST)


def _rate(span: float, length: float) -> float:
    """Return the length of one second; 0 where the run takes no time, or next to none."""
    if span <= 0:
        return 0.0
    rate = length / span
    return rate if rate < inf else 0.0


def _simultaneous_causes(
    times: Sequence[float], edges: Sequence[tuple[int, int]]
) -> dict[int, list[int]]:
    """Return the causes of each event that happen at the same moment."""
    causes: dict[int, list[int]] = {}
    for source, effect in edges:
        if times[source] == times[effect]:
            causes.setdefault(effect, []).append(source)
    return causes


def _shifts(
    events: Sequence[int], lanes: Sequence[int], causes: Mapping[int, Sequence[int]]
) -> dict[int, float]:
    """Set events of one moment side by side: those of one lane, and effects after causes."""
    shift: dict[int, float] = {}
    taken: dict[int, float] = {}
    for event in events:
        lane = lanes[event]
        place = 0.0
        if lane in taken:
            place = max(place, taken[lane] + STEP)
        for cause in causes.get(event, ()):
            if cause not in shift:  # an edge of a cycle
                continue
            distance = STEP if lanes[cause] == lane else STEP / 2
            place = max(place, shift[cause] + distance)
        shift[event] = place
        taken[lane] = place
    return shift
