"""The recorder of a run: events on one clock, the order each agent acted in, every loss.

A format walks its source in time order and tells what each agent did. For each agent, the recorder
keeps the events that its next step depends on, and so finds the edges. It names agents and calls,
joins results to their calls, and sets ids, relative times and edge types when it is finished.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import groupby
from operator import attrgetter
from typing import Any, Self

from corpus.traces.convert.format import (
    AMBIGUOUS,
    DROPPED,
    INFERRED,
    MISSING,
    Conversion,
    LossList,
    Redaction,
)
from corpus.traces.convert.messages import words_of
from corpus.traces.convert.usage import NO_USAGE, Usage
from corpus.traces.lookup import JsonObject, iso_time

#: The agent that represents all people of a run.
USER = "user"
# After one of these, the next event of the agent depends on it alone; other events of one step are
# siblings (the parallel calls of one model call do not depend on each other).
_HEADS = frozenset(
    {"orchestrator_decision", "aggregate", "message", "human_intervention", "safety_event"}
)
_WRITTEN = frozenset({"assistant", "reasoning", "tokens", "tool", "tool_call"})
# The role of the content of an event; that of others is what an agent wrote.
_CONTENT_ROLES = {
    "human_intervention": "user",
    "spawn": "user",
    "tool_call": "tool_call",
    "tool_result": "tool",
}
#: A tool or an agent may answer nothing, which is known where the source states it.
_MAY_BE_EMPTY = ("tool_result", "return")
# What is in no count weighs most for whoever reads a loss report, then what no source states.
_LOSS_ORDER = {MISSING: 0, INFERRED: 1, DROPPED: 2, AMBIGUOUS: 3}
_KEY_ORDER = ("role", "from", "to", "tool", "content_ref", "trusted")
_PEOPLE = frozenset({"user", "human"})


@dataclass(eq=False, slots=True)
class QueuedEvent:
    """An event that waits for its place and its id, or model steps that are in no event yet.

    Attributes
    ----------
    kind, agent : str
        The event type and who acts.
    time : float
        Seconds since 1970.
    keys : dict
        Further keys of the event.
    marks : set of str
        Keys that the source does not state; ``event`` for the whole event.
    usage : Usage
        Tokens of the model calls that the event represents.
    is_untimed : bool
        Whether its time is that of the event before, for want of one of its own.
    is_answered : bool
        Of a call, whether its answer is an event; a second one repeats it.
    causes : dict of QueuedEvent to bool
        What it depends on, and whether that is inferred.
    """

    kind: str
    agent: str
    time: float
    keys: JsonObject = field(default_factory=dict)
    marks: set[str] = field(default_factory=set)
    usage: Usage = NO_USAGE
    is_untimed: bool = False
    is_answered: bool = False
    causes: dict[QueuedEvent, bool] = field(default_factory=dict)

    def as_event(self, name: str, start: float) -> JsonObject:
        """Return the event as it is written in the trace, with its time counted from `start`."""
        event: JsonObject = {
            "id": name,
            "t": _seconds_since(self.time, start),
            "type": self.kind,
            "agent": self.agent,
        }
        keys = {**self.keys, **self.usage.keys()}
        # What it refers to beside its own content, which it needs not name twice.
        contents = {}
        for role, names in keys.pop("x_contents", {}).items():
            others = [one for one in names if one != keys.get("content_ref")]
            if others:
                contents[role] = others
        if contents:
            keys["x_contents"] = contents
        for key in keys.keys() & {"x_end", "x_step_t", "x_step_end"}:
            keys[key] = _seconds_since(keys[key], start)
        for key in (*_KEY_ORDER, *sorted(keys.keys() - set(_KEY_ORDER))):
            if key in keys:
                event[key] = keys[key]
        if "event" in self.marks:
            event["x_inferred"] = True
        elif self.marks:
            event["x_inferred"] = sorted(self.marks)
        return event


def _seconds_since(time: float, start: float) -> float:
    return max(0.0, round(time - start, 6))


def edge_type(before: QueuedEvent, after: QueuedEvent, order: str) -> str:
    """Name the edge between two events from their types.

    Parameters
    ----------
    before, after : QueuedEvent
        The cause and the effect.
    order : str
        Type of an edge between two events of one agent: ``causal`` or ``temporal``.
    """
    if "safety_event" in (before.kind, after.kind):
        return "safety_flow"
    if after.kind == "tool_result" and before.kind == "tool_call":
        return "tool_dependency"
    if after.kind == "spawn" and before.kind == "orchestrator_decision":
        return "spawn"
    # A result belongs to the environment, even where it is written as an event of its agent.
    if before.agent == after.agent and before.kind != "tool_result":
        return order
    if before.kind == "return":
        return "aggregate" if after.kind == "aggregate" else "return"
    if before.kind in ("spawn", "message"):
        return before.kind
    return order if before.agent == after.agent else "causal"


def words_of_task(content: object) -> str:
    """Return what a run was asked to do as one text, the same for the same words.

    Parts that are no texts count as they are, whatever the order of their keys.

    Examples
    --------
    >>> words_of_task([{"type": "text", "text": "tea"}]), words_of_task([{"b": 1, "a": 2}])
    ('tea', '[{"a": 2, "b": 1}]')
    """
    if isinstance(content, str):
        return content
    words, _ = words_of(content)
    return words if isinstance(words, str) else json.dumps(words, sort_keys=True)


def in_time(parts: Iterable[Sequence[Any]]) -> list[Any]:
    """Return the rows of several parts of a source by their ``time``.

    A row without a time stays behind the one before it.
    """
    stamped: list[tuple[float, int, Any]] = []
    for rows in parts:
        now = next((row.time for row in rows if row.time is not None), 0.0)
        for row in rows:
            if row.time is not None:
                now = row.time
            stamped.append((now, len(stamped), row))
    return [row for _, _, row in sorted(stamped)]


def in_order(events: Sequence[QueuedEvent]) -> list[QueuedEvent]:
    """Return events by time, a cause before its effect where both have one time."""
    order: list[QueuedEvent] = []
    for _, group in groupby(sorted(events, key=attrgetter("time")), key=attrgetter("time")):
        moment = list(group)
        # Other edges agree with the clock anyway, or are left out later.
        order += _by_cause(moment) if len(moment) > 1 else moment
    return order


def _by_cause(moment: list[QueuedEvent]) -> list[QueuedEvent]:
    """Return the events of one moment, a cause before its effect."""
    places = {event: place for place, event in enumerate(moment)}
    sorter = TopologicalSorter[QueuedEvent]()
    for event in moment:
        sorter.add(event, *filter(places.__contains__, event.causes))
    try:
        sorter.prepare()
    except CycleError:
        # The edges of one moment run in a circle: nothing but the order of rows is left.
        return moment
    ready: list[tuple[int, QueuedEvent]] = []
    order = []
    while sorter.is_active():
        for event in sorter.get_ready():
            heappush(ready, (places[event], event))
        _, event = heappop(ready)
        order.append(event)
        sorter.done(event)
    return order


def guess_topology(events: Sequence[JsonObject]) -> str:
    """Name the topology that the spawns and messages of a run draw.

    ``unknown`` where they draw none.

    One spawning agent is centralized, spawned agents that spawn are hierarchical, agents that only
    hand over to each other are a swarm, spawns and handovers between other agents are mixed.
    Guessed receivers do not count.
    """
    spawner = {}
    peers = set()
    for event in events:
        sender, receiver = event["agent"], event.get("to")
        marks = event.get("x_inferred", ())
        if event["type"] == "spawn" and receiver is not None:
            spawner[receiver] = sender
        elif event["type"] == "message" and marks is not True and "to" not in marks:
            pair = frozenset((sender, receiver or sender))
            if len(pair) == 2 and not pair & _PEOPLE:
                peers.add(pair)
    # A sub-agent and its parent write to each other without handing over.
    peers -= set(map(frozenset, spawner.items()))
    if not spawner:
        return "swarm" if peers else "unknown"
    if peers:
        return "mixed"
    return "hierarchical" if spawner.keys() & spawner.values() else "centralized"


class UniqueNames:
    """Gives each name once.

    Parameters
    ----------
    taken : str
        Names that are never given.
    """

    def __init__(self, *taken: str) -> None:
        self._given = set(taken)
        # The last number of a name is kept: counting up from 1 each time takes a minute for 10,000.
        self._last_number: Counter[str] = Counter()

    def free(self, wanted: str, mark: str, *, ranks: bool = False) -> str:
        """Return the wanted name, with a mark and the next free number where it is given already.

        With `ranks`, the first one has its number, too.

        Examples
        --------
        >>> names = UniqueNames("user")
        >>> names.free("critic", "#"), names.free("critic", "#"), names.free("user", "#")
        ('critic', 'critic#2', 'user#2')
        >>> names.free("Explore", "-", ranks=True), names.free("Explore", "-", ranks=True)
        ('Explore-1', 'Explore-2')
        """
        first = f"{wanted}{mark}1" if ranks else wanted
        name = first
        while name in self._given:
            self._last_number[first] += 1
            name = f"{wanted}{mark}{self._last_number[first] + 1}"
        self._given.add(name)
        return name


@dataclass(slots=True)
class _Lane:
    """What one agent's events depend on.

    Attributes
    ----------
    base : dict of QueuedEvent to bool
        The events that every event of the running step depends on, and whether that is inferred.
    frontier : dict of QueuedEvent to bool
        Likewise, the events that the next step will depend on.
    waiting : QueuedEvent or None
        Model steps that the next event takes up; else they become this one.
    last_step : QueuedEvent or None
        The last event that took up steps; late usage is added to it.
    early : dict of str to list of str
        Contents that the next step is given.
    period : dict of str to float
        When the step lasted whose acts are being added, as keys of these, where the source tells.
    undone : Undone or None
        What there was before the turns that a person took back, while these are being added.
    is_compacted : bool
        Whether its context was compacted since its last step.
    """

    base: dict[QueuedEvent, bool] = field(default_factory=dict)
    frontier: dict[QueuedEvent, bool] = field(default_factory=dict)
    waiting: QueuedEvent | None = None
    last_step: QueuedEvent | None = None
    early: dict[str, list[str]] = field(default_factory=dict)
    period: dict[str, float] = field(default_factory=dict)
    undone: _Undone | None = None
    is_compacted: bool = False

    @property
    def seen(self) -> tuple[dict[QueuedEvent, bool], dict[QueuedEvent, bool]]:
        """Copies of what its events depend on."""
        return dict(self.base), dict(self.frontier)


@dataclass(slots=True)
class _Undone:
    """The state before turns that a person took back.

    Attributes
    ----------
    first : int
        Place of the first event of these turns.
    agent, people : tuple of dict
        What the agent, and the people of the run, had seen.
    """

    first: int
    agent: tuple[dict[QueuedEvent, bool], dict[QueuedEvent, bool]]
    people: tuple[dict[QueuedEvent, bool], dict[QueuedEvent, bool]]


class Recorder:
    """The growing trace of one run; each format reads its source in a subclass.

    Parameters
    ----------
    trace_id, system : str
        Id of the run, and the format that it is recorded in.
    redaction : Redaction
        What may leave the source.
    unit : str
        What the times count where `has_clock` is false: turns or steps.
    place : str
        Where the losses of the whole run are noted.

    Attributes
    ----------
    order : str
        Edge type between two events of one agent: ``causal`` where the source chains them, else
        ``temporal``.
    metrics : dict of str to float
        Further metrics of the trace.
    task : str
        What the run was asked to do; empty until a converter finds it.
    task_id : str
        Id of the task in the source; without one it is the hash of `task`.
    run : dict
        Where the trace comes from, for ``x_run``.
    has_clock : bool
        Whether the source has times; without, all times are marked as inferred.
    stop_reason : str
        Why the run stopped, for ``x_stop_reason``.
    period : tuple of (float, float) or None
        When the run began and ended, where the source tells; else its events do.
    losses : LossList
        What was noted so far.
    """

    def __init__(
        self,
        trace_id: str,
        system: str,
        redaction: Redaction,
        place: str = "",
        *,
        has_clock: bool = True,
        unit: str = "turns",
    ) -> None:
        self.redaction = redaction
        self.place = place
        self.order = "causal" if has_clock else "temporal"
        self.metrics: dict[str, float] = {}
        self.task = ""
        self.task_id = ""
        self.run: JsonObject = {"format": system}
        self.has_clock = has_clock
        self.stop_reason = ""
        self.period: tuple[float, float] | None = None
        self.losses = LossList()
        self._trace_id = redaction.token(trace_id) or "unnamed"
        self.events: list[QueuedEvent] = []
        self._lanes: dict[str, _Lane] = defaultdict(_Lane)
        self._last_time: float | None = None
        self._time: float | None = None
        self._heard_people = False
        # An agent may be called so in the source, and must not act as the people of the run.
        self._agent_names = UniqueNames(USER)
        self._call_ids = UniqueNames()
        self._unnamed_calls = 0
        self._calls: dict[tuple[str, str], deque[QueuedEvent]] = defaultdict(deque)
        if not has_clock:
            self.inferred(f"there is no clock; t counts the {unit}")

    def __len__(self) -> int:
        return len(self.events)

    @property
    def tokens(self) -> int:
        """Tokens on the events and the waiting steps so far."""
        return sum(one.usage.total for one in self._events_and_steps())

    def _events_and_steps(self) -> Iterator[QueuedEvent]:
        yield from self.events
        for lane in self._lanes.values():
            if lane.waiting is not None:
                yield lane.waiting

    def at(self, time: float | None, place: str = "") -> Self:
        """Set when, and at which place of the source, all happens that is added from now on."""
        self._time = time
        self.place = place or self.place
        return self

    def _new_event(self, kind: str, agent: str) -> QueuedEvent:
        """Return an event of this moment, which is not among the events yet."""
        if self._time is None:
            return QueuedEvent(kind, agent, self._last_time or 0.0, is_untimed=True)
        if self._last_time is None:
            # At the first known time is what came before it; in 1970 the run would have begun.
            for one in self._events_and_steps():
                one.time = self._time
        self._last_time = self._time
        return QueuedEvent(kind, agent, self._time)

    def clock(self, written: object, number: int) -> float | None:
        """Return the time that a source writes; without a clock, the number of the turn."""
        return iso_time(written) if self.has_clock else float(number)

    def step(
        self,
        agent: str,
        usage: Usage = NO_USAGE,
        until: float | None = None,
        *,
        guessed: bool = False,
        calls: int = 1,
    ) -> None:
        """Begin a model step of `agent`: what follows depends on all that it has seen so far.

        Of some sources it is several calls of the model.

        A step of another model that still waits gets an event of its own, so that the tokens of an
        event are of one model.
        """
        lane = self._lanes[agent]
        if lane.waiting is not None and not lane.waiting.usage.fits(usage):
            self.settle(agent)
        self.close(agent)
        begun = self._new_event("orchestrator_decision", agent)
        if lane.waiting is None:
            if guessed:
                begun.marks.add("t")
            begun.keys = {"x_steps": 0, "x_contents": lane.early}
            if lane.is_compacted:
                begun.keys["x_compacted"] = True
            lane.waiting, lane.early, lane.is_compacted = begun, {}, False
        lane.waiting.keys["x_end"] = until
        lane.waiting.keys["x_steps"] += calls
        lane.waiting.usage = lane.waiting.usage.plus(usage)

    def next_step(self, agent: str, usage: Usage = NO_USAGE, calls: int = 1) -> None:
        """Begin a model step; one that waits without an action becomes a decision first."""
        self.settle(agent)
        self.step(agent, usage, calls=calls)

    def spend(self, agent: str, usage: Usage) -> bool:
        """Put tokens on the waiting step of `agent`, else on its last one.

        Return whether there is one.
        """
        lane = self._lanes[agent]
        step = lane.waiting or lane.last_step
        if step is not None:
            self._add_usage(step, usage)
        return step is not None

    def keep(self, agent: str, **contents: object) -> None:
        """Refer from a model step of `agent` to contents, by their role.

        The step is the one that waits; without one, what a model wrote belongs to the last step and
        what it was given to the next. The roles are those of
        :class:`~corpus.traces.contents.Content`.
        """
        lane = self._lanes[agent]
        if "assistant" in contents:
            contents["assistant"], thoughts = words_of(contents["assistant"])
            contents["reasoning"] = contents.get("reasoning") or thoughts
        for role, written in contents.items():
            name = self.redaction.content(written, role)
            if name is None:
                continue
            kept = lane.early
            step = lane.waiting or (lane.last_step if role in _WRITTEN else None)
            if step is not None:
                kept = step.keys.setdefault("x_contents", {})
            if name not in kept.setdefault(role, []):
                kept[role].append(name)

    def add(
        self,
        kind: str,
        agent: str,
        marks: Iterable[str] = (),
        usage: Usage = NO_USAGE,
        /,
        content: object = None,
        **keys: Any,
    ) -> QueuedEvent:
        """Add an event in which `agent` acts; it takes up the steps that wait for one.

        Return the event.
        """
        event = self._append(kind, agent, marks, content, keys)
        self._add_usage(event, usage)
        lane = self._lanes[agent]
        if waiting := lane.waiting:
            until = waiting.keys.pop("x_end")
            event.keys |= waiting.keys
            self._add_usage(event, waiting.usage)
            # Where the source states both ends of the steps.
            if until is not None and not (waiting.marks or waiting.is_untimed):
                lane.period = {"x_step_t": waiting.time, "x_step_end": until}
            lane.last_step, lane.waiting = event, None
        event.keys |= lane.period
        self._connect(event, lane)
        return event

    def _connect(self, event: QueuedEvent, lane: _Lane) -> None:
        """Let an event depend on what its agent has seen, and what follows on the event."""
        # Calls of one step are made together: each depends on what the step has seen, none on
        # another.
        for source, inferred in lane.base.items():
            self.link(source, event, inferred=inferred)
        if event.kind in _HEADS:
            lane.base = {event: False}
            lane.frontier = {event: False}
            lane.period = {}
        else:
            for source in lane.base:
                lane.frontier.pop(source, None)
            lane.frontier[event] = False

    def answer(
        self,
        call: QueuedEvent,
        kind: str,
        marks: Iterable[str] = (),
        content: object = None,
        **keys: Any,
    ) -> QueuedEvent:
        """Add what answers the event `call`.

        It takes the place of the call in the order of the agent that called.
        """
        call.is_answered = True
        keys["tool"] = call.keys.get("tool", "")
        event = self._append(kind, call.agent, marks, content, keys)
        self.link(call, event)
        self.replace(call.agent, call, event)
        return event

    def replace(
        self, agent: str, old: QueuedEvent, new: QueuedEvent, *, inferred: bool = False
    ) -> None:
        """Let the next step of `agent` depend on `new` rather than on `old`."""
        frontier = self._lanes[agent].frontier
        frontier.pop(old, None)
        frontier[new] = frontier.pop(new, False) or inferred

    def close(self, agent: str) -> None:
        """Let the next event of `agent` depend on everything that it has seen."""
        lane = self._lanes[agent]
        lane.base = dict(lane.frontier)
        lane.period = {}

    def seed(self, agent: str, event: QueuedEvent, *, inferred: bool = False) -> None:
        """Let the first or next step of `agent` depend on an event of another one.

        That is a spawn or a message.
        """
        lane = self._lanes[agent]
        lane.frontier.setdefault(event, inferred)
        lane.base.setdefault(event, inferred)

    def settle(
        self,
        agent: str,
        marks: Iterable[str] = ("type",),
        kind: str = "orchestrator_decision",
        why: str = "a model step without a visible action counts as a decision",
    ) -> QueuedEvent | None:
        """Give the waiting step of `agent`, if any, an event of its own.

        Parameters
        ----------
        agent : str
            Whose step.
        marks : iterable of str
            What is inferred about the event; with marks, `why` is noted as a loss.
        kind : str
            Type of the event.
        why : str
            What the loss report tells.

        Returns
        -------
        QueuedEvent or None
            The event, or ``None`` where no step was waiting.
        """
        lane = self._lanes[agent]
        event = lane.waiting
        if event is None:
            return None
        event.kind = kind
        event.marks.update(marks)
        if marks:
            self.inferred(why, agent)
        # An end that is none is left out: the event has no duration.
        if (event.keys["x_end"] or 0.0) <= event.time:
            del event.keys["x_end"]
        lane.last_step, lane.waiting = event, None
        self.events.append(event)
        self._connect(event, lane)
        return event

    def link(self, source: QueuedEvent, target: QueuedEvent, *, inferred: bool = False) -> None:
        """Add the edge between two events."""
        if source != target:
            target.causes.setdefault(source, inferred)

    def undo(self, agent: str, is_undone: bool) -> None:
        """Note whether a person takes back what `agent` is asked and does from now on.

        It was spent, and stays in the trace as ``x_undone``. What comes later depends on what the
        agent had seen before.
        """
        lane, people = self._lanes[agent], self._lanes[USER]
        if is_undone == (lane.undone is not None):
            return
        self.settle(agent)
        if is_undone:
            lane.undone = _Undone(len(self.events), lane.seen, people.seen)
            return
        assert lane.undone is not None
        tokens = 0
        for event in self.events[lane.undone.first :]:
            if event.agent == agent or (event.agent == USER and event.keys.get("to") == agent):
                event.keys["x_undone"] = True
                tokens += event.usage.total
        lane.base, lane.frontier = lane.undone.agent
        people.base, people.frontier = lane.undone.people
        lane.undone = None
        self.dropped("turns that a person took back, which are in no later context")
        if tokens:
            self.dropped(
                "tokens of turns that a person took back, counted all the same", count=tokens
            )

    def compact(self, agent: str, summary: object = None) -> None:
        """Note that the context of `agent` was replaced by a summary of it."""
        self.settle(agent)
        self.keep(agent, user=summary)
        self._lanes[agent].is_compacted = True

    def new_call_id(self) -> str:
        """Return an id for a call that has none in the source."""
        self._unnamed_calls += 1
        return f"call-{self._unnamed_calls}"

    def agent(self, name: str) -> str:
        """Return how the trace calls an agent that has one name throughout."""
        return self.redaction.name(name, "agent")

    def new_agent(self, wanted: str) -> str:
        """Name a new agent: the wanted name, with ``#2`` and so on where others have it."""
        return self._agent_names.free(self.agent(wanted), "#")

    def ranked_agent(self, role: str) -> str:
        """Name a new agent by its role and its rank among the agents of that role."""
        return self._agent_names.free(self.agent(role), "-", ranks=True)

    def prompt(self, agent: str, content: object, role: str = "") -> QueuedEvent:
        """Add what a person asks of `agent`: the task of the run the first time.

        Return the event.
        """
        # What was taken back is not what the run was asked to do.
        is_undone = self._lanes[agent].undone is not None
        if not (self.task or self._heard_people or is_undone or role == "interrupt"):
            role = role or "task"
            # Without content the task is unknown, and no later prompt takes its place.
            if content:
                self.task = words_of_task(content)
        self._heard_people = self._heard_people or not is_undone
        role = role or "user"
        event = self.add("human_intervention", USER, content=content, role=role, to=agent)
        self.seed(agent, event)
        return event

    def interrupt(self, agent: str, content: object = None) -> QueuedEvent:
        """Add that a person stopped `agent` in what it was doing. Return the event.

        Its causes are the last events of the agent, not what the person did before: the work that
        led to the interruption is part of the run, not waste. A run that begins with one continues
        another: what its task was is in the file of that.
        """
        self.settle(agent)
        if causes := self._lanes[agent].frontier:
            self._lanes[USER] = _Lane(dict.fromkeys(causes, False), dict.fromkeys(causes, False))
        return self.prompt(agent, content, "interrupt")

    def tool_call(
        self,
        agent: str,
        tool: str,
        call_id: str,
        asked: object,
        marks: Iterable[str] = (),
        usage: Usage = NO_USAGE,
    ) -> QueuedEvent:
        """Add a call of a tool. Return the event.

        It is answered itself (:meth:`tool_result`) or by its id (:meth:`result`).
        """
        # Models number their calls anew for each agent, some for each step; in a trace, an id joins
        # one call with one result.
        name = self._call_ids.free(self.redaction.token(call_id or self.new_call_id()), ".")
        event = self.add(
            "tool_call", agent, marks, usage, content=asked, tool=tool or "tool", x_call_id=name
        )
        for wanted in {call_id, ""}:
            self._calls[agent, wanted].append(event)
        return event

    def tool_result(
        self,
        call: QueuedEvent,
        content: object,
        *,
        failed: bool = False,
        refused: bool = False,
        marks: Iterable[str] = (),
    ) -> QueuedEvent:
        """Add the answer of a tool to the event `call`. Return the event.

        With `refused`, a person or a permission rule stopped the call, and a safety event comes
        between.
        """
        call_id = call.keys.get("x_call_id")
        if refused:
            call = self.answer(call, "safety_event")
        failure = failed or None
        return self.answer(call, "tool_result", marks, content, x_call_id=call_id, x_error=failure)

    def spawn(
        self,
        agent: str,
        child: str,
        call_id: str,
        asked: object = None,
        role: str = "",
        marks: Iterable[str] = (),
        *,
        guessed: bool = False,
    ) -> QueuedEvent:
        """Add that `agent` starts `child`, whose first step depends on it.

        Return the event.

        With `guessed`, the source does not state which sub-agent the call started.
        """
        event = self.add(
            "spawn", agent, marks, content=asked, role=role, to=child, x_call_id=call_id
        )
        self.seed(child, event, inferred=guessed)
        return event

    def message(
        self,
        sender: str,
        receiver: str,
        content: object,
        marks: Iterable[str] = (),
        *,
        guessed: bool = False,
        **keys: Any,
    ) -> QueuedEvent:
        """Add a message, which the next step of the receiver depends on.

        Return the event.
        """
        keys |= {"from": sender, "to": receiver}
        event = self.add("message", sender, marks, content=content, **keys)
        self.seed(receiver, event, inferred=guessed)
        return event

    def hand_back(
        self,
        agent: str,
        receiver: str,
        content: object,
        marks: Iterable[str] = (),
        usage: Usage = NO_USAGE,
        **keys: Any,
    ) -> QueuedEvent:
        """Add that `agent` is done and returns to `receiver`. Return the event."""
        self.close(agent)
        keys |= {"from": agent, "to": receiver}
        event = self.add("return", agent, marks, usage, content=content, **keys)
        # The next prompt of the person follows from the answer; an agent is given a return where
        # it reads it, which may be much later.
        if receiver == USER:
            self.seed(USER, event)
        return event

    def return_of(
        self,
        spawn: QueuedEvent,
        content: object,
        marks: Iterable[str] = (),
        usage: Usage = NO_USAGE,
        *,
        failed: bool = False,
    ) -> QueuedEvent:
        """Let the agent that an event started, or asked again, return to the agent of that event.

        The parent is given it by :meth:`replace`, where it reads it.
        """
        keys = {"x_call_id": spawn.keys.get("x_call_id"), "x_error": failed or None}
        return self.hand_back(spawn.keys["to"], spawn.agent, content, marks, usage, **keys)

    def called(self, agent: str, call_id: str) -> QueuedEvent | None:
        """Return the oldest call of an agent that has this id, an open one where there is one.

        Without an id it is the oldest of all. Some models give the calls of one answer the same id;
        their results come in the same order.
        """
        calls = self._calls[agent, call_id]
        while len(calls) > 1 and calls[0].is_answered:
            calls.popleft()
        return next(iter(calls), None)

    def result(
        self,
        agent: str,
        call_id: str,
        content: object,
        *,
        failed: bool = False,
        refused: bool = False,
    ) -> QueuedEvent | None:
        """Add the answer to a call of an agent: by its id, else to the oldest that is open.

        Return the event of the call, or None where there is none that waits.
        """
        call = self.called(agent, call_id)
        if call is None:
            self.missing("a tool result whose call is not in the input")
            return None
        if call.is_answered:
            self.dropped("a second result of one tool call")
            return None
        if not call_id:
            self.inferred("a tool result without a call id answers the oldest")
        self.tool_result(call, content, failed=failed, refused=refused)
        return call

    def end_of_talk(self) -> None:
        """Note at the end that no tokens are stated, and that a call waits for its result."""
        if self.tokens == 0:
            self.dropped("usage is not recorded; tokens are 0 for unknown")
        # Whatever a source states: a call without its result is not where a run ends by itself.
        for event in self.events:
            if event.kind == "tool_call" and not event.is_answered:
                self.stop_reason = "truncated"

    def miss_unspent(self, what: str, usages: Iterable[Usage], place: str = "") -> None:
        """Note those of the tokens that a source states which no event has."""
        unspent = sum(usage.total for usage in usages) - self.tokens
        if unspent > 0:
            self.missing(what, place, unspent)

    def missing(self, what: str, place: str = "", count: int = 1) -> None:
        """Note calls, agents or tokens that the source tells of and no event has."""
        self.losses.add(MISSING, place or self.place, what, count)

    def dropped(self, what: str, place: str = "", count: int = 1) -> None:
        """Note what the trace has less than its source; equal losses are counted."""
        self.losses.add(DROPPED, place or self.place, what, count)

    def inferred(self, what: str, place: str = "", count: int = 1) -> None:
        """Note what the trace states and its source does not."""
        self.losses.add(INFERRED, place or self.place, what, count)

    def ambiguous(self, what: str, place: str = "") -> None:
        """Note one reading of several."""
        self.losses.add(AMBIGUOUS, place or self.place, what)

    def unknown(
        self, what: str, kind: str, place: str = "", count: int = 1, role: str = "type"
    ) -> None:
        """Note what has a kind that means nothing here; `role` is what the kind is one of."""
        self.dropped(f"{what} {self.redaction.name(kind, role)}", place, count)

    def finish(self) -> Conversion:
        """Order the events, name them, and return the trace with its losses."""
        # By name, since the order of the lanes follows from how the recorder wrote its rows.
        for agent in sorted(self._lanes):
            self.undo(agent, False)
            self.settle(agent)
        for one in self.events:
            # Without a clock all times are missing: one loss, noted at the beginning.
            if one.is_untimed and self.has_clock:
                self.inferred("a missing time is that of the event before", one.agent)
            if one.is_untimed or not self.has_clock:
                one.marks.add("t")
        # Not in the order of the walk: answers may come with a time before what was added first.
        ordered = in_order(self.events)
        edges = self._named_edges(ordered)
        start = seconds = 0.0
        for one in ordered[:1]:
            start = one.time
        if self.period is not None:
            began, ended = self.period
            start = min(start, began)
            seconds = round(ended - began, 6)
            self.run["clock"] = "spans"
        events = []
        totals: Counter[str] = Counter()
        last: JsonObject = {}
        for place, one in enumerate(ordered, start=1):
            model = self.redaction.model(one.usage.model)
            if model != one.usage.model:
                one.usage = one.usage._replace(model=model)
            event = one.as_event(f"e{place}", start)
            events.append(event)
            totals[one.kind] += 1
            for key in ("x_tokens", "x_steps"):
                totals[key] += event.get(key, 0)
            seconds = max(seconds, event["t"], event.get("x_end", 0))
            # A run that ends by itself ends with the last answer to the user.
            is_answer = one.kind == "return" and event.get("to") == USER
            if is_answer or self.stop_reason not in ("implicit", "explicit"):
                last = event
        if events:
            # The schema allows no further keys at the root of a trace, but at events.
            events[0]["x_run"] = {key: value for key, value in self.run.items() if value != ""}
            if self.stop_reason:
                (last or events[-1])["x_stop_reason"] = self.stop_reason
        trace = {
            "trace_id": self._trace_id,
            "task_id": self.redaction.token(self.task_id)
            or self.redaction.content(self.task, "user")
            or "unknown",
            "system": self.run["format"],
            "topology": guess_topology(events),
            "events": events,
            "edges": edges,
            "rewards": {},
            "costs": {
                "tokens": totals["x_tokens"],
                "wall_clock_s": seconds if self.has_clock else 0,
                "tool_calls": totals["tool_call"],
                "messages": totals["message"],
            },
            "metrics": {"corpus.steps": totals["x_steps"], **self.metrics},
        }
        losses = sorted(self.losses.values(), key=lambda loss: (_LOSS_ORDER[loss.kind], loss.what))
        return Conversion(trace, tuple(losses))

    def _add_usage(self, event: QueuedEvent, usage: Usage) -> None:
        if not event.usage.fits(usage):
            self.ambiguous(
                "an event has tokens of several models; its model is left out", event.agent
            )
        event.usage = event.usage.plus(usage)

    def _append(
        self, kind: str, agent: str, inferred: Iterable[str], content: object, keys: JsonObject
    ) -> QueuedEvent:
        event = self._new_event(kind, agent)
        event.marks.update(inferred)
        role, may_be_empty = _CONTENT_ROLES.get(kind, "assistant"), kind in _MAY_BE_EMPTY
        keys["content_ref"] = self.redaction.content(content, role, may_be_empty=may_be_empty)
        event.keys = {key: value for key, value in keys.items() if value not in (None, "")}
        for key in event.keys.keys() & {"role", "tool"}:
            event.keys[key] = self.redaction.name(event.keys[key], key)
        if "x_call_id" in event.keys:
            event.keys["x_call_id"] = self.redaction.token(event.keys["x_call_id"])
        self.events.append(event)
        return event

    def _named_edges(self, ordered: Sequence[QueuedEvent]) -> list[dict[str, str]]:
        places: dict[QueuedEvent, int] = {}
        edges = []
        for place, after in enumerate(ordered, start=1):
            places[after] = place
            for before in sorted(after.causes, key=lambda cause: places.get(cause, 0)):
                if before not in places:
                    what = "an effect is older than its cause; the edge is left out"
                    self.ambiguous(what, "edges")
                    continue
                source = f"e{places[before]}"
                # An event that is inferred as such needs no mark for each of its edges.
                if after.causes[before] and not after.marks & {"event", "type"}:
                    after.marks.add(f"edge:{source}")
                kind = edge_type(before, after, self.order)
                edges.append({"src": source, "dst": f"e{place}", "type": kind})
        return edges
