"""Checks on order: cycles, time along edges, events that nothing leads to, events after the end, the wall clock."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from corpus.traces import trace_rules as rules
from corpus.traces.reading.structure import Problem
from corpus.traces.run import OUTSIDE, Run

SLACK = 1.01
"""How far the declared wall clock may stay below the times of the events: rounding."""
LONGEST = 1.5
"""How far it may exceed them: start-up and shut-down are not events."""

CALLING = frozenset(("tool_call", "spawn"))
"""Events of which one model step may make several."""


def order(run: Run) -> Iterator[Problem]:
    """OT101: one cycle, named by up to five of its events. OT102: edges whose target began before their source."""
    if run.graph.timely:
        return
    cycle, times = run.graph.cycle, run.times
    if cycle:
        ids = [run.events[place].id for place in cycle]
        shown = " -> ".join([*ids[:5], *(["…"] if len(ids) > 5 else []), ids[0]])
        yield Problem(rules.CYCLE, f"/events/{cycle[0]}", ids[0], {"cycle": shown})
    for place, (source, target) in enumerate(zip(*run.ends, strict=True)):
        if times[source] > times[target]:
            edge = run.trace.edges[place]
            ends: dict[str, object] = {"source": edge.src, "target": edge.dst}
            when: dict[str, object] = {"before": times[source], "after": times[target]}
            yield Problem(rules.BACKWARD_TIME, f"/edges/{place}", edge.dst, ends | when)


def ends(run: Run) -> Iterator[Problem]:
    """OT118: events that end before they begin; they count as ending where they begin."""
    for place, event in enumerate(run.events):
        if event.x_end is not UNSET and event.x_end < event.t:
            expected: dict[str, object] = {"name": "x_end", "expected": "a time from t on"}
            yield Problem(rules.ADDED_KEY, f"/events/{place}/x_end", f"{event.x_end:g}", expected)


def reach(run: Run) -> Iterator[Problem]:
    """OT110: events that no path leads to from a start.

    Starts are the first event, each human intervention, and the first event of each agent that nothing spawned; the
    calls and spawns with which such an agent begins are made at once.
    """
    starts = [run.graph.by_time[0], *run.by_kind.get("human_intervention", ()), *_beginnings(run)]
    if len({*starts, *run.graph.targets}) == len(run.events):
        return  # what something leads to is reached, since in a graph without cycles its cause was reached before
    mark = run.graph.reached(starts)
    place = mark.find(0)
    while place >= 0:
        yield Problem(rules.UNREACHABLE, f"/events/{place}", run.events[place].id, {})
        place = mark.find(0, place + 1)


def _beginnings(run: Run) -> Iterator[int]:
    """Yield the first event of each agent that nothing spawned, and where it is a call or spawn, those after it."""
    beginning = {name for name in run.first if name not in run.parents and name not in run.tools}
    for place in run.graph.by_time:
        actor, calls = run.actors[place], run.kinds[place] in CALLING
        if actor in beginning:
            if calls or place == run.first[actor]:
                yield place
            if not calls:
                beginning.discard(actor)
        if not beginning:
            return


def after_end(run: Run) -> Iterator[Problem]:
    """OT116: events later than the end, other than despawns and what humans and guards do."""
    limit = run.times[run.end]
    late = []
    for place in reversed(run.graph.by_time):
        if run.times[place] <= limit:
            break
        if run.kinds[place] != "despawn" and run.kinds[place] not in OUTSIDE:
            late.append(place)
    for place in reversed(late):
        places: dict[str, object] = {"end": run.events[run.end].id, "limit": limit}
        yield Problem(rules.AFTER_END, f"/events/{place}/t", f"{run.times[place]:g}", places)


def wall_clock(run: Run) -> Iterator[Problem]:
    """OT115: a wall clock shorter than the events, or far longer; not where the source had no clock."""
    span = run.finish - min(run.times)
    declared = run.trace.costs["wall_clock_s"]
    if declared * SLACK >= span and declared <= span * LONGEST + 1:
        return
    if any(isinstance(event.x_inferred, list) and "t" in event.x_inferred for event in run.events):
        return
    yield Problem(rules.WALL_CLOCK, "/costs/wall_clock_s", f"{declared:g}", {"span": f"{span:g}"})
