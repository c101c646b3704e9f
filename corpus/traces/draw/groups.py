"""Agents that share a row of a picture: those of one role, depth and spawner.

A run of three agents has a row for each. A run of three hundred has rows such as
``48 × searcher``, so that the picture fits a page and every agent is still counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from itertools import chain
from typing import NamedTuple

from msgspec import UNSET

from corpus.traces.draw.ink import plain
from corpus.traces.run import Run

_NAME = 40
_NOTE = 22
#: What numbers and separators leave of a name such as ``worker-12``.
_NUMBERED = re.compile(r"(?<![\s_.:#/-])[\s_.:#/-]*+(?<!\d)\d++$")


class AgentGroup(NamedTuple):
    """The agents of one row.

    Attributes
    ----------
    members : tuple of str
        Their names, in the order of the spawn tree.
    name : str
        The agent, or how many there are of which role.
    note : str
        The role of one agent, or the spawner that all have; may be empty.
    depth : int
        Spawns above the first of them.
    """

    members: tuple[str, ...]
    name: str
    note: str
    depth: int

    @property
    def many(self) -> bool:
        """Whether several agents share the row."""
        return len(self.members) > 1


class _Facts:
    """What grouping asks of an agent."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.roles = _roles(run)
        self.people = frozenset(run.outsiders).difference(run.agents)
        self.spawners = frozenset(run.parents.values())

    def kind(self, name: str) -> str:
        """Return the role of an agent, else its name without a number."""
        role = self.roles.get(name, "")
        if role:
            return role
        return _NUMBERED.sub("", plain(name, _NAME)) or "agent"

    def parent(self, name: str) -> str:
        return self.run.parents.get(name, "")

    def depth(self, name: str) -> int:
        return self.run.depths.get(name, 0)


def _roles(run: Run) -> dict[str, str]:
    """Return the role in which each agent was spawned."""
    roles: dict[str, str] = {}
    for place in run.spawns:
        event = run.events[place]
        role = event.role
        if event.to is not UNSET and role is not UNSET and role:
            roles.setdefault(event.to, plain(role, _NOTE))
    return roles


def grouped(run: Run, names: list[str], most: int) -> list[AgentGroup]:
    """Return at most `most` groups that hold every name once.

    Agents have a row each where they fit. Else agents of one role, depth and spawner share a row;
    where these are still too many, the spawner no longer counts, then the role does not.

    Parameters
    ----------
    run
        The run.
    names
        Members, people and tools to be shown, in the order of the rows.
    most
        Rows that there may be, at least 2.
    """
    facts = _Facts(run)
    if len(names) <= most:
        return [_group(facts, [name]) for name in names]
    rows: list[list[str]] = []
    for key in _keys(facts):
        by_key: dict[Hashable, list[str]] = {}
        for name in names:
            by_key.setdefault(key(name), []).append(name)
        rows = list(by_key.values())
        if len(rows) <= most:
            break
    if len(rows) > most:
        rest = chain.from_iterable(rows[most - 1 :])
        rows = [*rows[: most - 1], list(rest)]
    return [_group(facts, row) for row in rows]


def _keys(facts: _Facts) -> list[Callable[[str], Hashable]]:
    """Return what agents of one row have in common, from most to least."""

    def alone(name: str) -> Hashable:
        # The agent that everything began with is never one of many.
        return name if name == facts.run.main else None

    def outside(name: str) -> Hashable:
        return "people" if name in facts.people else None

    def of_spawner(name: str) -> Hashable:
        return facts.parent(name), facts.kind(name), facts.depth(name)

    def with_spawners(name: str) -> Hashable:
        if name in facts.spawners or name in facts.people:
            return name
        return alone(name), of_spawner(name)

    def by_spawner(name: str) -> Hashable:
        return alone(name), outside(name), of_spawner(name)

    def by_role(name: str) -> Hashable:
        role_above = facts.kind(facts.parent(name))
        role = (role_above, facts.kind(name), facts.depth(name))
        return alone(name), outside(name), role

    def by_depth(name: str) -> Hashable:
        return alone(name), outside(name), facts.depth(name)

    return [with_spawners, by_spawner, by_role, by_depth]


def _group(facts: _Facts, members: list[str]) -> AgentGroup:
    first = members[0]
    depth = min(facts.depth(name) for name in members)
    if len(members) == 1:
        role = facts.roles.get(first, "")
        # A name such as searcher-3 tells the role already.
        note = "" if first.startswith(role) else role
        return AgentGroup((first,), plain(first, _NAME), note, depth)
    kinds = {facts.kind(name) for name in members}
    spawners = {facts.parent(name) for name in members}
    kind = "agents"
    if len(kinds) == 1:
        kind = kinds.pop()
    elif facts.people.issuperset(members):
        kind = "people"
    notes = []
    if any(spawners):
        notes.append(f"depth {depth}")
    if len(spawners) == 1 and any(spawners):
        notes.append(f"by {plain(spawners.pop(), _NOTE)}")
    name = f"{len(members):,} × {kind}"
    return AgentGroup(tuple(members), name, ", ".join(notes), depth)
