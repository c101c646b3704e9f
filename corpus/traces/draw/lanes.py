"""Agents that share a row of a picture: those of one role, depth and spawner.

A run of three agents has a row for each. A run of three hundred has rows such as
``48 × searcher``, so that the picture fits a page and every agent is still counted.
"""

import re
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import chain

from msgspec import UNSET

from corpus.traces.draw.ink import plain
from corpus.traces.run import Run

_NAME = 40
_NOTE = 22
#: What numbers and separators leave of a name such as ``worker-12``.
_NUMBERED = re.compile(r"(?<![\s_.:#/-])[\s_.:#/-]*+(?<!\d)\d++$")


@dataclass(frozen=True)
class Lane:
    """A row of a picture: one agent, or several of one role, depth and spawner.

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
    person : bool
        Whether somebody outside the team.
    wasted : int
        Agents of which nothing reached the end.
    start, end : float
        Its lifetime along the axis; 0 until events are placed.
    """

    members: tuple[str, ...]
    name: str
    note: str
    depth: int
    person: bool = False
    wasted: int = 0
    start: float = 0.0
    end: float = 0.0

    @property
    def many(self) -> bool:
        """Whether several agents share the row."""
        return len(self.members) > 1

    @property
    def title(self) -> str:
        """Name and note."""
        if self.note:
            return f"{self.name} ({self.note})"
        return self.name


def lanes_of(run: Run, most: int) -> tuple[list[Lane], list[int]]:
    """Return at most `most` lanes, people first, then the spawn tree; and each event's lane."""
    names, owners = shown_agents(run)
    lanes = grouped(run, names, most)
    row_of = rows_by_name(lanes)
    return lanes, list(map(row_of.__getitem__, owners))


def rows_by_name(lanes: list[Lane]) -> dict[str, int]:
    """Return the row of each agent."""
    row_of: dict[str, int] = {}
    for row, lane in enumerate(lanes):
        row_of |= dict.fromkeys(lane.members, row)
    return row_of


def shown_agents(run: Run) -> tuple[list[str], list[str]]:
    """Return who is shown, people first, then the spawn tree; and whose each event is.

    What a tool answers belongs to its caller.
    """
    outsiders = run.outsiders.difference(run.agents)
    people = sorted(outsiders, key=lambda name: run.graph.rank[run.first[name]])
    callers = {}
    for call, result in run.pairs.answers.items():
        callers[run.actors[result]] = run.actors[call]
    # A tool that nobody called, or only another tool, is nobody's and has a lane of its own.
    strays = sorted(tool for tool in run.tools if callers.get(tool, tool) in run.tools)
    names = dict.fromkeys([*people, *run.agents, *strays])
    owners = list(run.actors)
    calls = run.pairs.calls
    for event, actor in enumerate(run.actors):
        if actor in run.tools:
            owners[event] = callers.get(actor, actor)
            if event in calls:
                owners[event] = run.actors[calls[event]]
    return list(names), owners


def grouped(run: Run, names: list[str], most: int) -> list[Lane]:
    """Return at most `most` lanes that hold every name once.

    Agents have a lane each where they fit. Else agents of one role, depth and spawner share a lane;
    where these are still too many, the spawner no longer counts, then the role does not.

    Parameters
    ----------
    run
        The run.
    names
        Members, people and tools to be shown, in the order of the lanes.
    most
        Lanes that there may be, at least 2.
    """
    facts = _Facts(run)
    rows = [[name] for name in names]
    for keys in zip(*map(facts.shared, names), strict=True):
        if len(rows) <= most:
            break
        by_key: dict[Hashable, list[str]] = {}
        for name, key in zip(names, keys, strict=True):
            by_key.setdefault(key, []).append(name)
        rows = list(by_key.values())
    if len(rows) > most:
        rows[most - 1 :] = [list(chain(*rows[most - 1 :]))]
    return list(map(facts.lane, rows))


class _Facts:
    """What grouping asks of an agent."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.people = run.outsiders.difference(run.agents)
        #: The role in which each agent was spawned.
        self.roles: dict[str, str] = {}
        for place in run.spawns:
            event = run.events[place]
            if event.to is not UNSET and event.role:
                self.roles.setdefault(event.to, plain(event.role, _NOTE))

    def kind(self, name: str) -> str:
        """Return the role of an agent, else its name without a number."""
        role = self.roles.get(name, "")
        return role or _NUMBERED.sub("", plain(name, _NAME)) or "agent"

    def origin(self, name: str) -> tuple[int, str, str]:
        """Return depth, spawner and kind of an agent."""
        return self.run.depths.get(name, 0), self.run.parents.get(name, ""), self.kind(name)

    def shared(self, name: str) -> tuple[Hashable, ...]:
        """Return what an agent has in common with those of its row, from most to least."""
        depth, spawner, kind = self.origin(name)
        # The agent that everything began with is never one of many.
        apart = (name == self.run.main, name in self.people, depth)
        return (apart, kind, spawner), (apart, kind), apart

    def lane(self, members: list[str]) -> Lane:
        """Return the row of some agents, named after what they have in common."""
        first = members[0]
        person = first in self.run.outsiders
        depths, spawners, kinds = map(set, zip(*map(self.origin, members), strict=True))
        depth = min(depths)
        if len(members) == 1:
            role = self.roles.get(first, "")
            if first.startswith(role):
                # A name such as searcher-3 tells the role already.
                role = ""
            return Lane((first,), plain(first, _NAME), role, depth, person)
        kind = "agents"
        if len(kinds) == 1:
            kind = kinds.pop()
        elif self.people.issuperset(members):
            kind = "people"
        note = ""
        if any(spawners):
            note = f"depth {depth}"
            if len(spawners) == 1:
                note += f", by {plain(spawners.pop(), _NOTE)}"
        return Lane(tuple(members), f"{len(members):,} × {kind}", note, depth, person)
