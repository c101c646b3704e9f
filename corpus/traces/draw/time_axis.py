"""Where each event is on the time axis: to scale, or stretched where events of a lane crowd."""

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

STEP = 1.0
"""Least distance of two events of one lane; the unit of the axis."""
PAUSE = 0.4
"""Share of all shorter pauses together, to which a longer pause is cut."""
#: Between fewer moments, a long pause is the picture and is not cut.
_CUT_FROM = 7

_SHORTEST = 14.0
_LONGEST = 400.0
_STEPS_PER_EVENT = 0.8
#: Space between the events of one moment and the next moment.
_AFTER_MOMENT = 0.15


@dataclass(frozen=True)
class TimeAxis:
    """A time axis.

    Attributes
    ----------
    moments, positions : list of float
        The times at which something happens, in order, and where on the axis each is, from 0.
    cuts : list of (float, float)
        Where a long pause is cut short: from position, to position.
    x : list of float
        Position of each event.
    stretched : bool
        Whether events that crowd were set further apart than their times.
    """

    moments: list[float]
    positions: list[float]
    cuts: list[tuple[float, float]]
    x: list[float]
    stretched: bool = False

    def along(self, time: float) -> float:
        """Return the position of any time.

        It lies between the moments around it, and at most two steps after the last.
        """
        after = bisect_right(self.moments, time)
        if after == 0:
            return self.positions[0]
        start = self.positions[after - 1]
        moment = self.moments[after - 1]
        if after < len(self.moments):
            share = (time - moment) / (self.moments[after] - moment)
            return start + share * (self.positions[after] - start)
        span = self.moments[-1] - self.moments[0]
        rate = start / span if span else 1.0
        return start + min(2 * STEP, (time - moment) * rate)


def axis_to_scale(times: Sequence[float], events: int) -> TimeAxis:
    """Place events to scale, except where a long pause is cut; events may coincide.

    Parameters
    ----------
    times
        Time of each event, and other times that occur.
    events
        How many there are: the more, the longer the axis.
    """
    moments = sorted(set(times))
    gaps = [after - before for before, after in pairwise(moments)]
    longest = math.inf
    active = sum(sorted(gaps)[: int(len(gaps) * 0.95)])
    if len(gaps) >= _CUT_FROM and active > 0:
        longest = active * PAUSE
    reached = [0.0]
    for gap in gaps:
        reached.append(reached[-1] + min(gap, longest))
    length = min(max(_SHORTEST, _STEPS_PER_EVENT * events), _LONGEST)
    unit = reached[-1] / length
    if not 0 < unit < math.inf:
        # A run of one moment, or one longer than a double can tell.
        return TimeAxis(moments, [0.0] * len(moments), [], [0.0] * len(times))
    # 17 / (17 / 14) is more than 14.
    positions = [min(position / unit, length) for position in reached]
    pauses = zip(pairwise(positions), gaps, strict=True)
    cuts = [ends for ends, gap in pauses if gap > longest]
    position_of = dict(zip(moments, positions, strict=True))
    return TimeAxis(moments, positions, cuts, list(map(position_of.__getitem__, times)))


def stretched_axis(
    times: Sequence[float],
    lanes: Sequence[int],
    order: Sequence[int],
    edges: Iterable[tuple[int, int]],
) -> TimeAxis:
    """Place events to scale as far as no two of one lane overlap, and with long pauses cut.

    Parameters
    ----------
    times, lanes
        Time and lane of each event.
    order
        All events, a cause before its effect.
    edges
        Source and target of each edge.
    """
    scale = axis_to_scale(times, len(times))
    # The causes of each event that happen at the same moment.
    causes: dict[int, list[int]] = {}
    for source, effect in edges:
        if times[source] == times[effect]:
            causes.setdefault(effect, []).append(source)
    x = [0.0] * len(times)
    last: dict[int, float] = {}
    positions = []
    cuts = []
    before = place = 0.0
    right = -_AFTER_MOMENT
    stretched = False
    # The sort is stable, so that causes stay before effects of the same moment.
    arranged = sorted(order, key=times.__getitem__)
    of_moments = groupby(arranged, key=times.__getitem__)
    for here, (_, group) in zip(scale.positions, of_moments, strict=True):
        wanted = place + here - before
        place = max(wanted, right + _AFTER_MOMENT)
        # Events of one moment are side by side: those of one lane, and effects after causes.
        shift: dict[int, float] = {}
        free: dict[int, float] = {}
        for event in group:
            lane = lanes[event]
            shift[event] = free.get(lane, 0.0)
            for cause in causes.get(event, ()):
                # Of a cycle, one cause comes after its effect.
                if cause in shift:
                    shift[event] = max(shift[event], shift[cause] + STEP / 2)
            free[lane] = shift[event] + STEP
            if lane in last:
                place = max(place, last[lane] + STEP - shift[event])
        stretched |= place - wanted >= STEP / 2
        if (before, here) in scale.cuts:
            cuts.append((right, place))
        for event, aside in shift.items():
            x[event] = last[lanes[event]] = place + aside
        positions.append(place)
        before = here
        right = place + max(shift.values())
    return TimeAxis(scale.moments, positions, cuts, x, stretched)
