"""Check the order of events: cycles, time along edges, reachability, the end, the wall clock."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from corpus.traces import trace_rules as rules
from corpus.traces.reading.pointer_lines import pointer
from corpus.traces.reading.structure import Problem
from corpus.traces.run import OUTSIDE, Run

#: How far the declared wall clock may stay below the times of the events: rounding.
SLACK = 1.01
#: How far it may exceed them: start-up and shut-down are not events.
LONGEST = 1.5
#: Events of which one model step may make several.
CALLING = frozenset(("tool_call", "spawn"))
#: Events of a cycle that are named.
_SHOWN = 5


def order(run: Run) -> Iterator[Problem]:
    """OT101: one cycle. OT102: edges whose target began before their source."""
    if run.graph.timely:
        return
    cycle = run.graph.cycle
    if cycle:
        ids = [run.events[place].id for place in cycle]
        named = ids[:_SHOWN]
        if len(ids) > _SHOWN:
            named.append("…")
        named.append(ids[0])
        path = pointer("events", cycle[0])
        yield Problem.at(rules.CYCLE, path, ids[0], cycle=" -> ".join(named))
    ends_of_edges = zip(*run.ends, strict=True)
    for place, (source, target) in enumerate(ends_of_edges):
        before = run.times[source]
        after = run.times[target]
        if before > after:
            edge = run.trace.edges[place]
            yield Problem.at(
                rules.BACKWARD_TIME,
                pointer("edges", place),
                edge.dst,
                source=edge.src,
                target=edge.dst,
                before=before,
                after=after,
            )


def ends(run: Run) -> Iterator[Problem]:
    """OT118: events that end before they begin; they count as ending where they begin."""
    for place, event in enumerate(run.events):
        if event.x_end is not UNSET and event.x_end < event.t:
            path = pointer("events", place, "x_end")
            value = f"{event.x_end:g}"
            expected = "a time from t on"
            yield Problem.at(rules.ADDED_KEY, path, value, name="x_end", expected=expected)


def reach(run: Run) -> Iterator[Problem]:
    """OT110: events that no path leads to from a start.

    Starts are the first event, each human intervention, and the first event of each agent that
    nothing spawned, with the further calls and spawns that such an agent begins with.
    """
    humans = run.by_kind.get("human_intervention", ())
    starts = [run.graph.by_time[0], *humans, *_beginnings(run)]
    # In a graph without cycles, every target of an edge is reached if all others are starts.
    if len({*starts, *run.graph.targets}) == len(run.events):
        return
    mark = run.graph.reached(starts)
    place = mark.find(0)
    while place >= 0:
        yield Problem.at(rules.UNREACHABLE, pointer("events", place), run.events[place].id)
        place = mark.find(0, place + 1)


def _beginnings(run: Run) -> Iterator[int]:
    """Yield the first event of each agent that nothing spawned.

    Where that is a call or a spawn, the calls and spawns right after it follow: one model step
    makes them together.
    """
    beginning = set(run.first)
    beginning.difference_update(run.parents, run.tools)
    for place in run.graph.by_time:
        actor = run.actors[place]
        if actor in beginning:
            is_call = run.kinds[place] in CALLING
            if is_call or place == run.first[actor]:
                yield place
            if not is_call:
                beginning.discard(actor)
        if not beginning:
            return


def after_end(run: Run) -> Iterator[Problem]:
    """OT116: events later than the end, other than despawns, human and safety events."""
    limit = run.times[run.end]
    late = []
    # From the last event back, so that a run that ends in time costs nothing.
    for place in reversed(run.graph.by_time):
        if run.times[place] <= limit:
            break
        kind = run.kinds[place]
        if kind != "despawn" and kind not in OUTSIDE:
            late.append(place)
    end = run.events[run.end].id
    for place in reversed(late):
        path = pointer("events", place, "t")
        value = f"{run.times[place]:g}"
        yield Problem.at(rules.AFTER_END, path, value, end=end, limit=limit)


def wall_clock(run: Run) -> Iterator[Problem]:
    """OT115: a wall clock shorter than the events, or far longer; not where t was inferred."""
    span = run.finish - run.begin
    declared = run.trace.costs["wall_clock_s"]
    if declared * SLACK >= span and declared <= span * LONGEST + 1:
        return
    # Where the source had no clock, t counts events and not seconds.
    for event in run.events:
        if isinstance(event.x_inferred, list) and "t" in event.x_inferred:
            return
    path = pointer("costs", "wall_clock_s")
    yield Problem.at(rules.WALL_CLOCK, path, f"{declared:g}", span=f"{span:g}")
