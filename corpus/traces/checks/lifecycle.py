"""Check agents and calls: spawned and returned in order, known by name, every call answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from corpus.model.finding import Rule
from corpus.traces import trace_rules as rules
from corpus.traces.reading.pointer_lines import pointer
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run, ended_agent

#: Receivers and senders outside the team that need not act in the trace.
ANYONE = frozenset(("user", "human", "all", ""))


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
        last_despawn[ended_agent(event)] = event.t
    for agent, limit in last_despawn.items():
        last = run.last.get(agent)
        # An agent that is spawned again after its despawn may act again.
        was_spawned_again = last_spawn.get(agent, -1) >= limit
        if last is not None and run.times[last] > limit and not was_spawned_again:
            yield _outside(run, last, "after its despawn", limit)


def _outside(run: Run, place: int, when: str, limit: float) -> Problem:
    agent = run.actors[place]
    path = pointer("events", place)
    return Problem.at(rules.OUTSIDE_LIFE, path, agent, agent=agent, when=when, limit=limit)


def open_calls(run: Run) -> Iterator[Problem]:
    """OT104 and OT105: results without a call, calls without a result."""
    yield from _unpaired(run, rules.RESULT_WITHOUT_CALL, run.pairs.lone_results)
    yield from _unpaired(run, rules.CALL_WITHOUT_RESULT, run.pairs.open_calls)


def _unpaired(run: Run, rule: Rule, places: Sequence[int]) -> Iterator[Problem]:
    for place in places:
        path = pointer("events", place)
        tool = run.events[place].tool
        if tool is UNSET:
            yield Problem.at(rule, path, tool="a tool")
        else:
            yield Problem.at(rule, path, tool, tool=tool)


def returns(run: Run) -> Iterator[Problem]:
    """OT106, OT108, OT113: returns to another agent, spawns that never return, spawns of nobody."""
    returned: set[object] = set()
    for place in run.by_kind.get("despawn", ()):
        returned.add(ended_agent(run.events[place]))
    for place in run.by_kind.get("return", ()):
        event = run.events[place]
        # A sender other than the acting agent is one finding already (OT114), and no second one.
        returned.update((event.agent, event.from_))
        agent = run.returning(event)
        parent = run.parents.get(agent)
        if parent is None or event.to is UNSET:
            continue
        if event.to != parent:
            path = pointer("events", place, "to")
            yield Problem.at(rules.FOREIGN_RETURN, path, event.to, agent=agent, parent=parent)
    for place in run.spawns:
        target = run.events[place].to
        if target is UNSET or not target:
            yield Problem.at(rules.NO_TARGET, pointer("events", place))
        elif target not in returned:
            # An agent that is spawned twice is reported once.
            returned.add(target)
            yield Problem.at(rules.NEVER_RETURNED, pointer("events", place, "to"), target)


def names(run: Run) -> Iterator[Problem]:
    """OT109 and OT114: names that no agent has, and senders other than the acting agent."""
    senders = [event.from_ for event in run.events]
    receivers = [event.to for event in run.events]
    known = {*run.first, *run.parents, *ANYONE, UNSET}
    columns = {"from": senders, "to": receivers}
    for key, column in columns.items():
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
            path = pointer("events", place, "from")
            yield Problem.at(rules.FROM_DIFFERS, path, sender, agent=actor)


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
            path = pointer("events", place, "agent")
            yield Problem.at(rules.UNKNOWN_AGENT, path, name, fault=fault)


def _receivers_before_acting(run: Run) -> Iterator[str]:
    """Yield the agents that were sent a message before they acted: a team may hand over."""
    for place in run.by_kind.get("message", ()):
        receiver = run.events[place].to
        if not isinstance(receiver, str) or receiver not in run.first:
            continue
        first = run.first[receiver]
        if run.times[place] <= run.times[first]:
            yield receiver
