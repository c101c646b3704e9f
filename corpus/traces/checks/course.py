"""Check the course of a run: the order of events, its agents, and its calls.

Cycles, time along edges, reachability, the end and the wall clock; agents spawned and returned in
order and known by name; every call answered.
"""

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from corpus.model.finding import Rule
from corpus.traces import trace_rules as rules
from corpus.traces.reading.pointer_lines import pointer
from corpus.traces.reading.structure import Problem
from corpus.traces.run import OUTSIDE, Run

#: Receivers and senders outside the team that need not act in the trace.
ANYONE = frozenset(("user", "human", "all", ""))
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
        yield Problem.at(rules.CYCLE, f"/events/{cycle[0]}", ids[0], cycle=" -> ".join(named))
    ends_of_edges = zip(*run.ends, strict=True)
    for place, (source, target) in enumerate(ends_of_edges):
        before, after = run.times[source], run.times[target]
        if before > after:
            edge = run.trace.edges[place]
            yield Problem(
                rules.BACKWARD_TIME,
                f"/edges/{place}",
                edge.dst,
                {"source": edge.src, "target": edge.dst, "before": before, "after": after},
            )


def ends(run: Run) -> Iterator[Problem]:
    """OT118: events that end before they begin; they count as ending where they begin."""
    for place, event in enumerate(run.events):
        if event.x_end is not UNSET and event.x_end < event.t:
            path, value = f"/events/{place}/x_end", f"{event.x_end:g}"
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
    for place, mark in enumerate(run.graph.reached(starts)):
        if not mark:
            yield Problem.at(rules.UNREACHABLE, f"/events/{place}", run.events[place].id)


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
        value = f"{run.times[place]:g}"
        yield Problem.at(rules.AFTER_END, f"/events/{place}/t", value, end=end, limit=limit)


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
    yield Problem.at(rules.WALL_CLOCK, "/costs/wall_clock_s", f"{declared:g}", span=f"{span:g}")


def lifetimes(run: Run) -> Iterator[Problem]:
    """OT103: events of an agent before its first spawn or after its last despawn.

    There is one finding for each agent and side.
    """
    first_spawn: dict[str, float] = {}
    last_spawn: dict[str, float] = {}
    for place in run.spawns:
        event = run.events[place]
        if event.to is not UNSET:
            first_spawn.setdefault(event.to, event.t)
            last_spawn[event.to] = event.t
    for agent, limit in first_spawn.items():
        first = run.first.get(agent)
        if first is None or agent == run.main:
            continue
        if run.times[first] < limit:
            yield _outside(run, first, "before its spawn", limit)
    last_despawn: dict[str, float] = {}
    for place in run.by_kind.get("despawn", ()):
        event = run.events[place]
        last_despawn[run.ended(event)] = event.t
    for agent, limit in last_despawn.items():
        last = run.last.get(agent)
        # An agent that is spawned again after its despawn may act again.
        was_spawned_again = last_spawn.get(agent, -1) >= limit
        if last is not None and run.times[last] > limit and not was_spawned_again:
            yield _outside(run, last, "after its despawn", limit)


def _outside(run: Run, place: int, when: str, limit: float) -> Problem:
    agent = run.actors[place]
    return Problem.at(
        rules.OUTSIDE_LIFE, f"/events/{place}", agent, agent=agent, when=when, limit=limit
    )


def open_calls(run: Run) -> Iterator[Problem]:
    """OT104 and OT105: results without a call, calls without a result."""
    yield from _unpaired(run, rules.RESULT_WITHOUT_CALL, run.pairs.lone_results)
    yield from _unpaired(run, rules.CALL_WITHOUT_RESULT, run.pairs.open_calls)


def _unpaired(run: Run, rule: Rule, places: Sequence[int]) -> Iterator[Problem]:
    for place in places:
        tool = run.events[place].tool or ""
        yield Problem.at(rule, f"/events/{place}", tool, tool=tool or "a tool")


def returns(run: Run) -> Iterator[Problem]:
    """OT106, OT108, OT113: returns to another agent, spawns that never return, spawns of nobody."""
    returned: set[object] = set()
    for place in run.by_kind.get("despawn", ()):
        returned.add(run.ended(run.events[place]))
    for place in run.by_kind.get("return", ()):
        event = run.events[place]
        # A sender other than the acting agent is one finding already (OT114), and no second one.
        returned.update((event.agent, event.from_))
        agent = run.ended(event)
        parent = run.parents.get(agent)
        if parent is None or event.to is UNSET:
            continue
        if event.to != parent:
            yield Problem.at(
                rules.FOREIGN_RETURN, f"/events/{place}/to", event.to, agent=agent, parent=parent
            )
    for place in run.spawns:
        target = run.events[place].to
        if not target:
            yield Problem.at(rules.NO_TARGET, f"/events/{place}")
        elif target not in returned:
            # An agent that is spawned twice is reported once.
            returned.add(target)
            yield Problem.at(rules.NEVER_RETURNED, f"/events/{place}/to", target)


def names(run: Run) -> Iterator[Problem]:
    """OT109 and OT114: names that no agent has, and senders other than the acting agent."""
    senders = [event.from_ for event in run.events]
    known = {*run.first, *run.parents, *ANYONE, UNSET}
    for key, column in {"from": senders, "to": [event.to for event in run.events]}.items():
        # One pass in C for the traces that are right, which is nearly all.
        if known.issuperset(column):
            continue
        fault = "neither acts nor is spawned in this trace"
        unknown = [name for name in column if name not in known]
        for name in dict.fromkeys(unknown):
            path = pointer("events", column.index(name), key)
            yield Problem.at(rules.UNKNOWN_AGENT, path, str(name), fault=fault)
    yield from _strangers(run)
    for place, sender in enumerate(senders):
        actor = run.actors[place]
        if sender is not UNSET and sender != actor:
            yield Problem.at(rules.FROM_DIFFERS, f"/events/{place}/from", sender, agent=actor)


def _strangers(run: Run) -> Iterator[Problem]:
    """Yield the agents that act in a team to which they do not belong."""
    # Without a single spawn nobody is outside the team.
    if not run.parents:
        return
    team = {run.main, *run.parents, *run.tools, *run.outsiders}
    team.update(_receivers_before_acting(run))
    fault = "acts, but nothing spawned it or handed over to it"
    for name, place in run.first.items():
        if name not in team:
            yield Problem.at(rules.UNKNOWN_AGENT, f"/events/{place}/agent", name, fault=fault)


def _receivers_before_acting(run: Run) -> Iterator[str]:
    """Yield the agents that were sent a message before they acted: a team may hand over."""
    for place in run.by_kind.get("message", ()):
        receiver = run.events[place].to
        if not isinstance(receiver, str) or receiver not in run.first:
            continue
        first = run.first[receiver]
        if run.times[place] <= run.times[first]:
            yield receiver
