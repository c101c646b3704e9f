"""Seconds of a run: when agents were there and busy, on the critical path, and waiting.

A recorder of spans states when a model step or a tool call began and ended. A recorder of rows
states one time, at which the row was written: the work behind it began when the last of its causes
was over.
"""

import math
from bisect import bisect
from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

from msgspec import UNSET

from corpus.traces.run import OUTSIDE, Life, Run

#: When something began and ended.
TimeSpan: TypeAlias = tuple[float, float]


def timing(run: Run, weights: list[float]) -> tuple[dict[str, float], float | None, float | None]:
    """Return the seconds of a run; nothing is known without a clock, or recorded busy times.

    Parameters
    ----------
    run
        What to measure.
    weights
        Model steps of each event.

    Returns
    -------
    busy : dict of str to float
        Seconds in which each agent was busy; an agent whose times are not recorded is left out.
    union : float or None
        Seconds in which at least one agent was busy.
    critical : float or None
        Busy seconds on the heaviest path of edges.
    """
    seconds = [0.0] * len(run.events)
    of_agents: dict[str, list[TimeSpan]] = {}
    if run.has_clock:
        for place, agent, start, end in intervals(run, weights):
            seconds[place] = end - start
            of_agents.setdefault(agent, []).append((start, end))
    everyone = []
    busy: dict[str, float] = {}
    for agent, spans in of_agents.items():
        joined = merged(spans)
        busy[agent] = _length(joined)
        everyone += joined
    if not everyone:
        return busy, None, None
    return busy, _length(merged(everyone)), run.graph.heaviest(seconds)


def intervals(run: Run, weights: list[float]) -> Iterator[tuple[int, str, float, float]]:
    """Yield for each event whose work is known its place, the agent, and when it began and ended.

    Parameters
    ----------
    run
        What to measure.
    weights
        Model steps of each event.
    """
    events = run.events
    times = run.times
    calls = run.pairs.calls
    ends = list(map(run.until, range(len(events))))
    # Most events infer nothing, which is faster to see than what they infer.
    inferring = (place for place, one in enumerate(events) if one.x_inferred is not UNSET)
    inferred = {place for place in inferring if events[place].infers("t")}
    # The cause of each event that was over last.
    latest = [-1] * len(events)
    for source, target in run.graph.edges():
        if latest[target] < 0 or ends[source] > ends[latest[target]]:
            latest[target] = source
    for place, event in enumerate(events):
        # The time of a tool is that of its caller, which waits for it.
        call = calls.get(place, place)
        cause = latest[place]
        end = ends[place]
        if event.x_step_t is not UNSET and event.x_step_end is not UNSET:
            start = event.x_step_t
            # A model that streams is still writing when the tool that it asked for begins.
            end = min(event.x_step_end, max(event.t, start))
        # What a person or a guard does is not work of the team.
        elif run.kinds[place] in OUTSIDE or place in inferred or call in inferred:
            continue
        elif call != place:
            start = times[call]
        elif event.x_end is not UNSET and not event.infers("x_end"):
            start = event.t
        # An event without a model step, such as a spawn in the middle of one, takes no time itself.
        elif weights[place] and cause >= 0 and cause not in inferred:
            start = ends[cause]
        else:
            continue
        if start <= end:
            yield place, run.actors[call], start, end


def merged(spans: list[TimeSpan], gap: float = 0) -> list[TimeSpan]:
    """Return the times that lie in at least one of some spans, as spans more than `gap` apart.

    Examples
    --------
    >>> merged([(5, 6), (0, 2), (1, 3)])
    [(0, 3), (5, 6)]
    """
    # Spans of one agent are nearly in order, which makes sorting them cheap.
    spans.sort()
    found = []
    first, last = spans[0]
    for start, end in spans:
        if start > last + gap:
            found.append((first, last))
            first = start
            last = end
        elif end > last:
            last = end
    found.append((first, last))
    return found


def _length(spans: list[TimeSpan]) -> float:
    return summed([end - start for start, end in spans])


def width(lives: Collection[Life]) -> tuple[float, int]:
    """Return the mean over time and the peak of the number of active agents.

    An agent that ends at the moment when another begins does not overlap with it. A run without
    duration has its peak as its mean.

    Examples
    --------
    >>> width([Life(0, 6), Life(1, 5), Life(1, 3), Life(5, 6)])
    (2.1666666666666665, 3)
    """
    starts = sorted(life.start for life in lives)
    # One that was active for a moment only is there at this moment.
    ends = sorted(max(life.end, math.nextafter(life.start, math.inf)) for life in lives)
    peak = max(bisect(starts, start) - bisect(ends, start) for start in starts)
    duration = max(life.end for life in lives) - starts[0]
    if not duration:
        return float(peak), peak
    return summed(life.end - life.start for life in lives) / duration, peak


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
