"""Checks on agents and calls: spawned and returned in order, known by name, every call answered."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from corpus.traces import trace_rules as rules
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run

ANYONE = frozenset(("user", "human", "all", ""))
"""Receivers and senders outside the team that need not act in the trace."""


def _at(place: int, key: str = "") -> str:
    return f"/events/{place}/{key}" if key else f"/events/{place}"


def lifetimes(run: Run) -> Iterator[Problem]:
    """OT103: events before the first spawn or after the last despawn of their agent; one finding an agent and side."""
    spawned: dict[str | UnsetType, float] = {}
    for place in run.spawns:
        event = run.events[place]
        spawned.setdefault(event.to, event.t)
    for agent, limit in spawned.items():
        first = run.first.get(agent) if isinstance(agent, str) else None
        if first is not None and agent != run.main and run.times[first] < limit:
            yield _outside(run, first, "before its spawn", limit)
    ended: dict[str | UnsetType, float] = {}
    for place in run.by_kind.get("despawn", ()):
        event = run.events[place]
        ended[event.agent if event.to is UNSET else event.to] = event.t
    born_again = {event.to: event.t for event in (run.events[place] for place in run.spawns)} if ended else {}
    for agent, limit in ended.items():
        last = run.last.get(agent) if isinstance(agent, str) else None
        if last is not None and run.times[last] > limit and born_again.get(agent, -1) < limit:
            yield _outside(run, last, "after its despawn", limit)


def _outside(run: Run, place: int, when: str, limit: float) -> Problem:
    agent = run.actors[place]
    return Problem(rules.OUTSIDE_LIFE, _at(place), agent, {"agent": agent, "when": when, "limit": limit})


def open_calls(run: Run) -> Iterator[Problem]:
    """OT104 and OT105: results nobody asked for, calls nobody answered."""
    for rule, places in (
        (rules.RESULT_WITHOUT_CALL, run.pairs.lone_results),
        (rules.CALL_WITHOUT_RESULT, run.pairs.open_calls),
    ):
        for place in places:
            tool = run.events[place].tool
            yield Problem(
                rule, _at(place), "" if tool is UNSET else tool, {"tool": "a tool" if tool is UNSET else tool}
            )


def returns(run: Run) -> Iterator[Problem]:
    """OT106, OT108 and OT113: returns to someone else, spawns that neither return nor are ended, spawns of nobody."""
    returned: set[object] = {
        event.agent if event.to is UNSET else event.to
        for event in (run.events[place] for place in run.by_kind.get("despawn", ()))
    }
    parents = run.parents
    for place in run.by_kind.get("return", ()):
        event = run.events[place]
        returned.add(event.agent)
        returned.add(event.from_)
        parent = parents.get(event.agent)
        if parent is not None and event.to is not UNSET and event.to != parent:
            places: dict[str, object] = {"agent": event.agent, "parent": parent}
            yield Problem(rules.FOREIGN_RETURN, _at(place, "to"), event.to, places)
    for place in run.spawns:
        target = run.events[place].to
        if target is UNSET or not target:
            yield Problem(rules.NO_TARGET, _at(place), "", {})
        elif target not in returned:
            returned.add(target)
            yield Problem(rules.NEVER_RETURNED, _at(place, "to"), target, {})


def names(run: Run) -> Iterator[Problem]:
    """OT109 and OT114: names that nobody bears, and senders that are not the acting agent."""
    senders, receivers = [event.from_ for event in run.events], [event.to for event in run.events]
    known = {*run.first, *run.parents, *ANYONE, UNSET}
    for key, column in (("from", senders), ("to", receivers)):
        if not known.issuperset(column):
            for name in dict.fromkeys(name for name in column if name not in known):
                places: dict[str, object] = {"fault": "neither acts nor is spawned in this trace"}
                yield Problem(rules.UNKNOWN_AGENT, _at(column.index(name), key), str(name), places)
    if run.parents:
        team = {*run.parents, run.main, *run.tools, *_handed_to(run)}
        for name, place in run.first.items():
            if name not in team and name not in run.outsiders:
                fault: dict[str, object] = {"fault": "acts, but nothing spawned it or handed over to it"}
                yield Problem(rules.UNKNOWN_AGENT, _at(place, "agent"), name, fault)
    for place, sender in enumerate(senders):
        if sender is not UNSET and sender != run.actors[place]:
            yield Problem(rules.FROM_DIFFERS, _at(place, "from"), sender, {"agent": run.actors[place]})


def _handed_to(run: Run) -> Iterator[str]:
    """Yield the agents to which a message was sent before they acted: a team may hand over instead of spawning."""
    for place in run.by_kind.get("message", ()):
        to = run.events[place].to
        if isinstance(to, str) and to in run.first and run.times[place] <= run.times[run.first[to]]:
            yield to
