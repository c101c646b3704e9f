"""How many agents of a run are there at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable

from corpus.traces.run import Life


def width(lives: Iterable[Life]) -> tuple[float, int]:
    """Return the mean over time and the peak of the number of agents that are there.

    An agent that ends when another begins makes room for it. A run without duration has its peak as its mean.

    Examples
    --------
    >>> width([Life(0, 6), Life(1, 5), Life(1, 3), Life(5, 6)])
    (2.1666666666666665, 3)
    """
    known = list(lives)
    moments = [(life.end, 0, -1) for life in known if life.end > life.start]
    moments += [(life.start, 1, 1) for life in known]
    moments += [(life.end, 2, -1) for life in known if life.end == life.start]
    there = peak = 0
    for _, _, change in sorted(moments):
        there += change
        peak = max(peak, there)
    duration = max(life.end for life in known) - min(life.start for life in known)
    mean = summed(life.end - life.start for life in known) / duration if duration else float(peak)
    return mean, peak


def summed(values: Iterable[float]) -> float:
    """Return the exact sum, rounded once; infinity where a trace states more than a number can hold.

    Examples
    --------
    >>> summed([0.1] * 10), summed([1.7e308, 1.7e308])
    (1.0, inf)
    """
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf
