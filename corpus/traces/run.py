"""A trace seen as a run: who took part and when, who spawned whom, what answers which call.

Everything is computed once, when first asked for, and shared by the checks, the measures, the
labels and the drawing.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from msgspec import UNSET

from corpus.traces.graph import Graph
from corpus.traces.model import Event, Trace

#: Event types whose agent need not be a member of the team.
OUTSIDE = frozenset(("human_intervention", "safety_event"))


class EventsByKind(dict[str, list[int]]):
    """Positions of the events of each type, by time; none of a type that is not in the run."""

    def __missing__(self, kind: str) -> list[int]:
        return []


class Life(NamedTuple):
    """When an agent took part: from its spawn or first event to its last, in the trace's time."""

    start: float
    end: float


class Pairs(NamedTuple):
    """Which result answers which call, by position, and what is left over."""

    answers: dict[int, int]
    open_calls: list[int]
    lone_results: list[int]

    @property
    def calls(self) -> dict[int, int]:
        """The call of each result."""
        return {result: call for call, result in self.answers.items()}


class Run:
    """One valid trace and what follows from it; events are identified by their position.

    Attributes
    ----------
    trace : Trace
        The trace itself.
    id : str
        Its id.
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
    by_kind : EventsByKind
        Events of each type, by time.
    spawns : list of int
        The spawn events, by time.
    first : dict of str to int
        First event of each acting agent or tool.
    tools : frozenset of str
        Names that only answer calls: tools recorded as the agent of their result.
    main : str
        The agent that began: the first to act that is not a tool and whose event is not a human or
        safety event.
    parents : dict of str to str
        Who spawned each agent (its first spawn); the main agent has no parent.
    end : int
        The event the run ends with: the last one with ``x_stop_reason``, else the last one of the
        main agent that is not a despawn, human or safety event, else the last one.
    has_spans : bool
        Whether the run was recorded as spans, which state when all began and ended.
    begin, finish : float
        When the first event began and the last one was over. A run whose ``x_run`` states the
        clock of spans begins at 0 and lasts for its wall clock: spans may begin before the first
        event and end after the last.

    Raises
    ------
    KeyError
        Where an edge names an event that does not exist.
    """

    def __init__(self, trace: Trace) -> None:
        events = trace.events
        self.trace = trace
        self.id = trace.trace_id
        self.events = events
        self.times = [event.t for event in events]
        self.kinds = [event.type for event in events]
        self.actors = [event.agent for event in events]
        self.index = {event.id: place for place, event in enumerate(events)}
        # `map` over the method of the dict halves the time that half a million edges take.
        position = self.index.__getitem__
        sources = list(map(position, map(attrgetter("src"), trace.edges)))
        targets = list(map(position, map(attrgetter("dst"), trace.edges)))
        self.ends = (sources, targets)
        self.graph = Graph(self.times, sources, targets)
        self.by_kind = EventsByKind()
        for place in self.graph.by_time:
            self.by_kind.setdefault(self.kinds[place], []).append(place)
        self.spawns = self.by_kind["spawn"]
        order = self.graph.by_time
        self._acting = [self.actors[place] for place in order]
        # Read backwards, so that the first event of an agent is the one that remains in the dict.
        self.first = dict(zip(reversed(self._acting), reversed(order), strict=True))
        self.tools = self._agents_of_only("tool_result")
        self.main = self._main()
        self.parents: dict[str, str] = {}
        # An agent that is spawned twice keeps its first parent.
        for event in self.of_kind("spawn"):
            if event.to and event.to != self.main:
                self.parents.setdefault(event.to, event.agent)
        self.end = self._end()
        # An end may be recorded before its event begins; the run is not over before its last event.
        self.finish = max([*self.times, *self.stated("x_end")])
        self.begin = min(self.times)
        source = events[0].x_run
        self.has_spans = isinstance(source, dict) and source.get("clock") == "spans"
        if self.has_spans:
            self.begin = 0.0
            self.finish = max(self.finish, trace.costs["wall_clock_s"])

    def _main(self) -> str:
        order = self.graph.by_time
        for place in order:
            actor = self.actors[place]
            # A recording may begin with what the user typed or a hook checked.
            if self.kinds[place] not in OUTSIDE and actor not in self.tools:
                return actor
        return self.actors[order[0]]

    def _end(self) -> int:
        order = self.graph.by_time
        # What the source states counts more than what the order of events suggests.
        for place in reversed(order):
            if self.events[place].x_stop_reason is not UNSET:
                return place
        for place in reversed(order):
            if self.actors[place] == self.main and self.kinds[place] not in (*OUTSIDE, "despawn"):
                return place
        return order[-1]

    def _agents_of_only(self, *wanted: str) -> frozenset[str]:
        """Return the agents all of whose events are of the types `wanted`."""
        if self.by_kind.keys().isdisjoint(wanted):
            return frozenset()
        of_wanted: set[str] = set()
        of_others: set[str] = set()
        for kind, places in self.by_kind.items():
            agents = of_wanted if kind in wanted else of_others
            agents.update([self.actors[place] for place in places])
        return frozenset(of_wanted - of_others)

    @cached_property
    def outsiders(self) -> frozenset[str]:
        """Agents of human and safety events that do nothing else: users, reviewers, guards."""
        return self._agents_of_only(*OUTSIDE)

    @cached_property
    def last(self) -> dict[str, int]:
        """Last event of each acting agent or tool, by time."""
        return dict(zip(self._acting, self.graph.by_time, strict=True))

    @cached_property
    def agents(self) -> list[str]:
        """Members of the team in the order of the spawn tree; the children of one agent by time."""
        members = {self.main: None, **dict.fromkeys(self.parents)}
        for name in reversed(self.first):
            if name not in self.tools and name not in self.outsiders:
                members[name] = None
        roots = [name for name in members if name not in self.parents]
        # All members follow the roots, since agents that spawned each other in a circle have no
        # root.
        return self.below([*roots, *members])

    def below(self, roots: Iterable[str]) -> list[str]:
        """Return some agents and everyone whom they spawned, in the order of the spawn tree."""
        children: dict[str, list[str]] = {}
        for child, parent in self.parents.items():
            children.setdefault(parent, []).append(child)
        listed: dict[str, None] = {}
        for root in roots:
            stack = [root]
            while stack:
                name = stack.pop()
                if name not in listed:
                    listed[name] = None
                    stack.extend(reversed(children.get(name, ())))
        return list(listed)

    @cached_property
    def roles(self) -> dict[str, str]:
        """The first role that is stated of each agent; a later one may be that of a message."""
        roles: dict[str, str] = {}
        for event in self.events:
            agent = event.to if event.type == "spawn" else event.agent
            if event.role and isinstance(agent, str):
                roles.setdefault(agent, event.role)
        return roles

    @cached_property
    def depths(self) -> dict[str, int]:
        """Number of spawns between the root of the tree and each agent."""
        depths: dict[str, int] = {}
        for agent in self.agents:
            depths[agent] = depths.get(self.parents.get(agent, ""), -1) + 1
        return depths

    @cached_property
    def branches(self) -> dict[str, str]:
        """The child of the main agent, or the agent without a parent, that each agent is below."""
        branches: dict[str, str] = {}
        for agent in self.agents:
            parent = self.parents.get(agent, self.main)
            branches[agent] = agent if parent == self.main else branches.get(parent, agent)
        return branches

    @cached_property
    def lives(self) -> dict[str, Life]:
        """When each member of the team took part; its spawns and despawns count as well."""
        times = self.times
        start = {name: times[place] for name, place in self.first.items()}
        end = {name: times[place] for name, place in self.last.items()}
        for event in self.events:
            agent = event.agent
            if event.x_end is not UNSET:
                end[agent] = max(end[agent], event.x_end)
            if event.x_step_t is not UNSET:
                start[agent] = min(start[agent], event.x_step_t)
        for event in self.of_kind("spawn", "despawn"):
            name = event.to
            if name is not UNSET:
                start[name] = min(start.get(name, event.t), event.t)
                end[name] = max(end.get(name, event.t), event.t)
        return {name: Life(start[name], end[name]) for name in self.agents}

    def of_kind(self, *kinds: str) -> list[Event]:
        """Return the events of some types, those of each by time."""
        places = chain.from_iterable(map(self.by_kind.__getitem__, kinds))
        return list(map(self.events.__getitem__, places))

    def stated(self, key: str) -> list[Any]:
        """Return the values of a key of those events that have it."""
        return [value for value in map(attrgetter(key), self.events) if value is not UNSET]

    def ended(self, event: Event) -> str:
        """Return the agent that a return or a despawn ends: the one that acts, or another it names.

        Some producers record a return at the parent that gets it, with the child as its sender.
        """
        if event.type == "despawn":
            return event.agent if event.to is UNSET else event.to
        sender = event.from_
        if isinstance(sender, str) and self.parents.get(sender) == event.agent:
            return sender
        return event.agent

    def until(self, place: int) -> float:
        """Return when an event was over: its ``x_end``, or its time."""
        event = self.events[place]
        if event.x_end is UNSET:
            return event.t
        return max(event.t, event.x_end)

    @cached_property
    def useful(self) -> bytearray:
        """Marks the end and each event with a path of edges to it."""
        return self.graph.ancestors(self.end)

    @cached_property
    def pairs(self) -> Pairs:
        """Calls with their results."""
        return _pairs(self)

    @cached_property
    def states_tokens(self) -> bool:
        """Whether any event states its tokens."""
        return bool(self.stated("x_tokens"))

    @cached_property
    def has_clock(self) -> bool:
        """Whether the source states the time of any event; else times may count turns."""
        return any(event.x_step_t is not UNSET or not event.infers("t") for event in self.events)


def _pairs(run: Run) -> Pairs:
    """Pair tool calls with results: by ``x_call_id``, else by an edge.

    A call and a result that carry different ids are never a pair. An id may be unique for one agent
    only: of several calls that have it, one of the agent of the result counts, else the first.
    """
    events = run.events
    answers: dict[int, int] = {}
    calls = run.by_kind["tool_call"]
    # The calls of each id, the first one last.
    of_id: dict[object, list[int]] = {}
    for call in reversed(calls):
        of_id.setdefault(events[call].x_call_id, []).append(call)
    of_id.pop(UNSET, None)
    left: dict[int, Event] = {}
    for result in run.by_kind["tool_result"]:
        event = events[result]
        same = of_id.get(event.x_call_id)
        if same:
            own = (call for call in reversed(same) if events[call].agent == event.agent)
            call = next(own, same[-1])
            same.remove(call)
            answers[call] = result
        else:
            left[result] = event
    for call, result in zip(*run.ends, strict=True):
        asking = events[call]
        if result in left and call not in answers and asking.type == "tool_call":
            # Where both have an id, pairing by id has decided already.
            if UNSET in (asking.x_call_id, left[result].x_call_id):
                answers[call] = result
                del left[result]
    return Pairs(answers, [call for call in calls if call not in answers], list(left))
