"""A trace seen as a run: who took part, who made whom, when each was there, and where the run ends.

Everything is computed once, when first asked for, and shared by the checks, the metrics, the labels and the drawing.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from msgspec import UNSET

from corpus.traces.calls import Pairs, pair
from corpus.traces.graph import Graph
from corpus.traces.model import Trace

OUTSIDE = frozenset(("human_intervention", "safety_event"))
"""Event types whose agent need not be a member of the team."""


class Life(NamedTuple):
    """When an agent was there: from its spawn (or first event) to its last event, in the trace's time."""

    start: float
    end: float


class Run:
    """One valid trace and what follows from it; events are meant by their position in the trace.

    Attributes
    ----------
    trace : Trace
        The trace itself.
    events : list of Event
        Its events.
    times, kinds, actors : list of float, list of str, list of str
        Time, type and agent of each event.
    index : dict of str to int
        Position of each event by its id.
    ends : tuple of (list of int, list of int)
        Sources and targets of the declared edges, in the order of the trace.
    graph : Graph
        The happened-before graph of the declared edges.
    by_kind : dict of str to list of int
        Events of each type, by time.
    spawns : list of int
        The spawn events, by time.
    first : dict of str to int
        First event of each acting agent or tool.
    tools : frozenset of str
        Names that only answer calls: tools recorded as the agent of their result.
    main : str
        The agent that began: the first to act that is no tool and not merely human or guard.
    parents : dict of str to str
        Who spawned each agent (its first spawn); the main agent has no parent.
    end : int
        The event the run ends with: the last one with ``x_stop_reason``, else the last one of the main agent that is
        no despawn and neither human nor safety event, else the last one.
    finish : float
        When the last event was over.

    Raises
    ------
    KeyError
        Where an edge names no event.
    """

    def __init__(self, trace: Trace) -> None:
        events = trace.events
        self.trace = trace
        self.events = events
        self.times = [event.t for event in events]
        self.kinds = kinds = [event.type for event in events]
        self.actors = actors = [event.agent for event in events]
        self.index = dict(zip([event.id for event in events], range(len(events)), strict=True))
        position, edges = self.index.__getitem__, trace.edges
        self.ends = (
            list(map(position, [edge.src for edge in edges])),
            list(map(position, [edge.dst for edge in edges])),
        )
        self.graph = Graph(self.times, *self.ends)
        order = self.graph.by_time
        self.by_kind: dict[str, list[int]] = {}
        for place in order:
            self.by_kind.setdefault(kinds[place], []).append(place)
        self.spawns = self.by_kind.get("spawn", [])
        self._acting = actors if isinstance(order, range) else [actors[i] for i in order]
        self.first = dict(zip(reversed(self._acting), reversed(order), strict=True))
        self.tools = self._only("tool_result")
        self.main = next(
            (actors[i] for i in order if kinds[i] not in OUTSIDE and actors[i] not in self.tools), actors[order[0]]
        )
        self.parents = self._parents()
        self.end = self._end()
        ends = [event.x_end for event in events if event.x_end is not UNSET]
        self.finish = max(max(self.times), *ends) if ends else max(self.times)

    def _end(self) -> int:
        events, kinds, actors, main = self.events, self.kinds, self.actors, self.main
        order = self.graph.by_time
        for place in reversed(order):
            if events[place].x_stop_reason is not UNSET:
                return place
        for place in reversed(order):
            if actors[place] == main and kinds[place] != "despawn" and kinds[place] not in OUTSIDE:
                return place
        return order[-1]

    def _only(self, *wanted: str) -> frozenset[str]:
        """Return the agents all of whose events are of the types `wanted`."""
        actors, by_kind = self.actors, self.by_kind
        if by_kind.keys().isdisjoint(wanted):
            return frozenset()
        others = {actors[i] for kind, places in by_kind.items() if kind not in wanted for i in places}
        return frozenset({actors[i] for kind in wanted for i in by_kind.get(kind, ())} - others)

    def _parents(self) -> dict[str, str]:
        parents: dict[str, str] = {}
        for place in self.spawns:
            event = self.events[place]
            if event.to is not UNSET and event.to and event.to != self.main:
                parents.setdefault(event.to, event.agent)
        return parents

    @cached_property
    def outsiders(self) -> frozenset[str]:
        """Agents of human and safety events that do nothing else: users, reviewers, guards."""
        return self._only(*OUTSIDE)

    @cached_property
    def last(self) -> dict[str, int]:
        """Last event of each acting agent or tool, by time."""
        return dict(zip(self._acting, self.graph.by_time, strict=True))

    @cached_property
    def agents(self) -> list[str]:
        """Members of the team in the order of the spawn tree: each agent, then those it spawned, by time."""
        acting = {name: None for name in reversed(self.first) if name not in self.tools and name not in self.outsiders}
        members = list(dict.fromkeys([self.main, *self.parents, *acting]))
        children: dict[str, list[str]] = {}
        for child, parent in self.parents.items():
            children.setdefault(parent, []).append(child)
        listed: dict[str, None] = {}
        for root in [name for name in members if name not in self.parents] + members:
            stack = [root]
            while stack:
                name = stack.pop()
                if name not in listed:
                    listed[name] = None
                    stack.extend(reversed(children.get(name, ())))
        return list(listed)

    @cached_property
    def depths(self) -> dict[str, int]:
        """Number of spawns between the root of the tree and each agent."""
        depths: dict[str, int] = {}
        for agent in self.agents:
            depths[agent] = depths.get(self.parents.get(agent, ""), -1) + 1
        return depths

    @cached_property
    def roots(self) -> dict[str, str]:
        """The agent at the root of each agent's spawn tree."""
        roots: dict[str, str] = {}
        for agent in self.agents:
            roots[agent] = roots.get(self.parents.get(agent, ""), agent)
        return roots

    @cached_property
    def lives(self) -> dict[str, Life]:
        """When each member of the team was there; a despawn or a message to it counts as no act of its own."""
        times = self.times
        start = {name: times[place] for name, place in self.first.items()}
        end = {name: times[place] for name, place in self.last.items()}
        for event in self.events:
            if event.x_end is not UNSET:
                end[event.agent] = max(end[event.agent], event.x_end)
        for place in (*self.spawns, *self.by_kind.get("despawn", ())):
            name, moment = self.events[place].to, times[place]
            if name is not UNSET:
                start[name] = min(start.get(name, moment), moment)
                end[name] = max(end.get(name, moment), moment)
        return {name: Life(start[name], end[name]) for name in self.agents}

    def until(self, place: int) -> float:
        """When an event was over: its ``x_end``, or its time."""
        event = self.events[place]
        return event.t if event.x_end is UNSET else max(event.t, event.x_end)

    @cached_property
    def useful(self) -> bytearray:
        """Marks the end and each event with a path of edges to it."""
        return self.graph.ancestors(self.end)

    @cached_property
    def pairs(self) -> Pairs:
        """Calls with their results."""
        return pair(self.events, self.by_kind, self.ends, self.graph.rank)
