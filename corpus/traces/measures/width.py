"""How many agents of a run are active at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable

from corpus.traces.run import Life


def width(lives: Iterable[Life]) -> tuple[float, int]:
    """Return the mean over time and the peak of the number of active agents.

    An agent that ends at the moment when another begins does not overlap with it. A run without
    duration has its peak as its mean.

    Examples
    --------
    >>> width([Life(0, 6), Life(1, 5), Life(1, 3), Life(5, 6)])
    (2.1666666666666665, 3)
    """
    known = list(lives)
    # The middle number sorts changes of one moment: ends, then starts, then the ends of agents
    # that were active for this moment only.
    changes: list[tuple[float, int, int]] = []
    for life in known:
        changes.append((life.start, 1, 1))
        order_of_end = 0 if life.end > life.start else 2
        changes.append((life.end, order_of_end, -1))
    changes.sort()
    active = 0
    peak = 0
    for _, _, change in changes:
        active += change
        peak = max(peak, active)
    first = min(life.start for life in known)
    last = max(life.end for life in known)
    duration = last - first
    if not duration:
        return float(peak), peak
    lived = summed(life.end - life.start for life in known)
    return lived / duration, peak


def summed(values: Iterable[float]) -> float:
    """Return the exact sum, rounded once; infinity where it is too large for a double.

    Examples
    --------
    >>> summed([0.1] * 10), summed([1.7e308, 1.7e308])
    (1.0, inf)
    """
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf
