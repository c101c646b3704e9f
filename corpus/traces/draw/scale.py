"""Where each event stands along the time axis: to scale, but no two events of one lane on top of each other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby
from math import inf
from typing import Final, NamedTuple

STEP: Final = 1.0
"""Least distance of two events of one lane; all lengths along the axis are in this unit."""
PAUSE: Final = 0.4
"""Share of the axis that one pause may take; a longer one is cut and marked."""


class Scale(NamedTuple):
    """A time axis.

    Attributes
    ----------
    x : list of float
        Place of each event, from 0.
    ticks : list of (float, float)
        Place and time of each moment at which something happens, in order.
    cuts : list of (float, float)
        Where a long pause is cut short: from place, to place.
    width : float
        The last place.
    true : bool
        Whether equal lengths are equal times everywhere.
    """

    x: list[float]
    ticks: list[tuple[float, float]]
    cuts: list[tuple[float, float]]
    width: float
    true: bool

    def along(self, time: float) -> float:
        """Return the place of any time: between those of the moments around it, at most two steps after the last."""
        moments = [moment for _, moment in self.ticks]
        after = bisect_right(moments, time)
        if after == 0:
            return self.ticks[0][0]
        place, moment = self.ticks[after - 1]
        if after < len(moments):
            share = (time - moment) / (moments[after] - moment)
            return place + share * (self.ticks[after][0] - place)
        span = moment - moments[0]
        return place + min(2 * STEP, (time - moment) * (place / span if span else 1.0))


def scale(
    times: Sequence[float], lanes: Sequence[int], order: Sequence[int], edges: Sequence[tuple[int, int]]
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
    arranged = sorted(order, key=lambda event: times[event])
    span = times[arranged[-1]] - times[arranged[0]]
    target = min(max(14.0, 0.8 * len(arranged)), 400.0)
    rate = target / span if span > 0 else 0.0
    rate = rate if rate < inf else 0.0  # a span that is next to nothing
    causes: dict[int, list[int]] = {}
    for source, effect in edges:
        if times[source] == times[effect]:
            causes.setdefault(effect, []).append(source)
    x = [0.0] * len(times)
    last: dict[int, float] = {}
    ticks: list[tuple[float, float]] = []
    cuts: list[tuple[float, float]] = []
    before, right, true = times[arranged[0]], -0.15, True
    for moment, group in groupby(arranged, key=lambda event: times[event]):
        events = list(group)
        shift = _shifts(events, lanes, causes)
        wanted = (moment - before) * rate
        start = (ticks[-1][0] if ticks else 0.0) + min(wanted, PAUSE * target)
        if wanted > PAUSE * target and len(arranged) > 6:
            cuts.append((right, start))
        place = max([start, right + 0.15, *(last[lanes[e]] + STEP - shift[e] for e in events if lanes[e] in last)])
        true = true and abs(place - start) < 0.5 and not cuts
        for event in events:
            x[event] = last[lanes[event]] = place + shift[event]
        ticks.append((place, moment))
        before, right = moment, max(x[event] for event in events)
    return Scale(x, ticks, cuts, max(x), true)


def _shifts(events: Sequence[int], lanes: Sequence[int], causes: dict[int, list[int]]) -> dict[int, float]:
    """Set events of one moment side by side: those of one lane, and effects after their causes."""
    shift: dict[int, float] = {}
    taken: dict[int, float] = {}
    for event in events:
        after = [
            shift[cause] + STEP for cause in causes.get(event, ()) if cause in shift and lanes[cause] == lanes[event]
        ]
        after += [shift[cause] + STEP / 2 for cause in causes.get(event, ()) if cause in shift]
        place = max([0.0, taken.get(lanes[event], -STEP) + STEP, *after])
        shift[event] = taken[lanes[event]] = place
    return shift
