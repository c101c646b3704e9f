"""Seconds of a run: when each agent was busy, on the critical path, and waiting for stragglers.

A recorder of spans states when an event began and ended. A recorder of rows states one time, at
which the row was written: the work behind it began when the last of its causes was over.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from corpus.traces.measures.steps import stages
from corpus.traces.measures.width import summed
from corpus.traces.model import Event
from corpus.traces.run import OUTSIDE, Run


class Interval(NamedTuple):
    """A time in which an agent was busy, in seconds from the start of the run."""

    agent: str
    start: float
    end: float


class Timing(NamedTuple):
    """The seconds of a run.

    Attributes
    ----------
    busy : dict of str to float
        Seconds in which each agent was busy; an agent whose times are not recorded is left out.
    union : float
        Seconds in which at least one agent was busy.
    critical : float
        Busy seconds on the heaviest path of edges.
    """

    busy: dict[str, float]
    union: float
    critical: float


def has_clock(run: Run) -> bool:
    """Whether the source states the time of any event; else times are made up, such as turns."""
    return not all(map(is_time_inferred, run.events))


def is_time_inferred(event: Event) -> bool:
    """Whether the source does not state when an event began."""
    marks = event.x_inferred
    if marks is UNSET or marks is False:
        return False
    return marks is True or "t" in marks


def known_seconds(run: Run) -> float | None:
    """Return ``costs.wall_clock_s``; None where it is 0 and the run has no clock."""
    seconds = run.trace.costs["wall_clock_s"]
    if seconds == 0 and not has_clock(run):
        return None
    return seconds


def timing(run: Run, weights: list[float]) -> Timing | None:
    """Return the seconds of a run; None where no busy time is recorded.

    Parameters
    ----------
    run
        What to measure.
    weights
        Model steps of each event.
    """
    found = intervals(run, weights)
    if not any(found):
        return None
    seconds = [0.0] * len(found)
    of_agents: dict[str, list[tuple[float, float]]] = {}
    for place, interval in enumerate(found):
        if interval is not None:
            seconds[place] = interval.end - interval.start
            of_agents.setdefault(interval.agent, []).append(interval[1:])
    everyone = []
    for spans in of_agents.values():
        everyone += spans
    busy = {agent: covered(spans) for agent, spans in of_agents.items()}
    return Timing(busy, covered(everyone), run.graph.heaviest(seconds))


def intervals(run: Run, weights: list[float]) -> list[Interval | None]:
    """Return when the work of each event was done; None where it has none or it is unknown.

    Parameters
    ----------
    run
        What to measure.
    weights
        Model steps of each event.
    """
    times = run.times
    ready = _ready(run)
    call_of = {result: call for call, result in run.pairs.answers.items()}
    found: list[Interval | None] = []
    for place, event in enumerate(run.events):
        start: float | None = None
        end = run.until(place)
        agent = event.agent
        if event.type in OUTSIDE or is_time_inferred(event):
            start = None
        elif place in call_of:
            call = run.events[call_of[place]]
            agent = call.agent
            if not is_time_inferred(call):
                start = times[call_of[place]]
        elif event.x_end is not UNSET and not _is_end_inferred(event):
            start = event.t
        elif weights[place]:
            start = ready[place]
        if start is None or start > end:
            found.append(None)
        else:
            found.append(Interval(agent, start, end))
    return found


def _is_end_inferred(event: Event) -> bool:
    marks = event.x_inferred
    return isinstance(marks, list) and "x_end" in marks


def _ready(run: Run) -> list[float | None]:
    """Return for each event when the last of its causes was over.

    None where it has no cause, or where the time of that cause is inferred.
    """
    latest: list[float | None] = [None] * len(run.events)
    cause = [-1] * len(run.events)
    # Once for each event, since there are more edges than events.
    ends = [run.until(place) for place in range(len(run.events))]
    for source, target in zip(run.graph.sources, run.graph.targets, strict=True):
        over = ends[source]
        known = latest[target]
        if known is None or over > known:
            latest[target] = over
            cause[target] = source
    for place, source in enumerate(cause):
        if source >= 0 and is_time_inferred(run.events[source]):
            latest[place] = None
    return latest


def covered(spans: list[tuple[float, float]]) -> float:
    """Return the seconds that lie in at least one of some spans.

    Examples
    --------
    >>> covered([(0, 2), (5, 6), (1, 3)])
    4.0
    """
    lengths: list[float] = []
    reached = float("-inf")
    for start, end in sorted(spans):
        if end > reached:
            lengths.append(end - max(start, reached))
            reached = end
    return summed(lengths)


def straggler_share(run: Run) -> float | None:
    """Return which share of its stages a run waits for the last sub-agent alone.

    A stage lasts from the first spawn of a group of two or more sub-agents to the last event of the
    slowest; from the last event of the second slowest on, only that one is waited for.
    """
    waited: list[float] = []
    lasted: list[float] = []
    for groups in stages(run).values():
        for group in groups:
            if len(group) < 2:
                continue
            lives = [run.lives[agent] for agent in group]
            *_, second, last = sorted(life.end for life in lives)
            waited.append(last - second)
            lasted.append(last - min(life.start for life in lives))
    whole = summed(lasted)
    return summed(waited) / whole if whole else None
