"""What each agent has seen, so that its next event depends on it; and its model steps.

Also when things happen in a source, and what is lost of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any, Self

from corpus.traces.convert.events import USER, QueuedEvent
from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, MISSING, LossList, Redaction
from corpus.traces.convert.messages import words_of
from corpus.traces.convert.usage import NO_USAGE, Usage
from corpus.traces.lookup import JsonObject, iso_time

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
    undone : tuple or None
        While turns are added that a person took back: the place of their first event, and what
        the agent and the people of the run had seen before.
    is_compacted : bool
        Whether its context was compacted since its last step.
    """

    base: dict[QueuedEvent, bool] = field(default_factory=dict)
    frontier: dict[QueuedEvent, bool] = field(default_factory=dict)
    waiting: QueuedEvent | None = None
    last_step: QueuedEvent | None = None
    early: dict[str, list[str]] = field(default_factory=dict)
    period: dict[str, float] = field(default_factory=dict)
    undone: tuple[int, _Lane, _Lane] | None = None
    is_compacted: bool = False

    def copy(self) -> _Lane:
        """Return a lane whose next events depend on the same."""
        return _Lane(dict(self.base), dict(self.frontier))


@dataclass(eq=False)
class AgentSteps:
    """The events of a run so far with what they depend on, the moment that is read, and the losses.

    Attributes
    ----------
    trace_id, system : str
        Id of the run, and the format that it is recorded in.
    redaction : Redaction
        What may leave the source.
    place : str
        Where the losses of the whole run are noted.
    has_clock : bool
        Whether the source has times; without, all times are marked as inferred.
    unit : str
        What the times count where `has_clock` is false: turns or steps.
    order : str
        Edge type between two events of one agent: ``causal`` where the source chains them, else
        ``temporal``.
    """

    trace_id: str
    system: str
    redaction: Redaction
    place: str = ""
    _: KW_ONLY
    has_clock: bool = True
    unit: str = "turns"
    order: str = "causal"
    losses: LossList = field(default_factory=LossList)
    events: list[QueuedEvent] = field(default_factory=list)
    _time: float | None = None
    _last_time: float | None = None
    _lanes: dict[str, _Lane] = field(default_factory=partial(defaultdict, _Lane))

    def __post_init__(self) -> None:
        if not self.has_clock:
            self.order = "temporal"
            self.inferred(f"there is no clock; t counts the {self.unit}")

    def __len__(self) -> int:
        return len(self.events)

    def at(self, time: float | None, place: str = "") -> Self:
        """Set when, and at which place of the source, all happens that is added from now on."""
        self._time = time
        self.place = place or self.place
        return self

    def clock(self, written: object, number: int) -> float | None:
        """Return the time that a source writes; without a clock, the number of the turn."""
        return iso_time(written) if self.has_clock else float(number)

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

    @property
    def tokens(self) -> int:
        """Tokens on the events and the waiting steps so far."""
        return sum(one.usage.total for one in self._events_and_steps())

    def _events_and_steps(self) -> Iterator[QueuedEvent]:
        yield from self.events
        for lane in self._lanes.values():
            if lane.waiting is not None:
                yield lane.waiting

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

    def step(
        self,
        agent: str,
        usage: Usage = NO_USAGE,
        until: float | None = None,
        *,
        guessed: bool = False,
        calls: int = 1,
        failed: bool = False,
    ) -> None:
        """Begin a model step of `agent`: what follows depends on all that it has seen so far.

        Of some sources it is several calls of the model; a call may have failed.

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
        if failed:
            lane.waiting.keys["x_error"] = True
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

    def follow(self, agent: str, other: str) -> None:
        """Let the next event of `agent` depend on what `other` has seen alone, if on anything."""
        if causes := dict.fromkeys(self._lanes[other].frontier, False):
            self._lanes[agent] = _Lane(causes, dict(causes))

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
            lane.undone = len(self.events), lane.copy(), people.copy()
            return
        assert lane.undone is not None
        first, own, others = lane.undone
        tokens = 0
        for event in self.events[first:]:
            if event.agent == agent or (event.agent == USER and event.keys.get("to") == agent):
                event.keys["x_undone"] = True
                tokens += event.usage.total
        lane.base, lane.frontier, lane.undone = own.base, own.frontier, None
        people.base, people.frontier = others.base, others.frontier
        self.dropped("turns that a person took back, which are in no later context")
        if tokens:
            what = "tokens of turns that a person took back, counted all the same"
            self.dropped(what, count=tokens)

    def compact(self, agent: str, summary: object = None) -> None:
        """Note that the context of `agent` was replaced by a summary of it."""
        self.settle(agent)
        self.keep(agent, user=summary)
        self._lanes[agent].is_compacted = True

    def miss_unspent(self, what: str, usages: Iterable[Usage], place: str = "") -> None:
        """Note those of the tokens that a source states which no event has."""
        unspent = sum(usage.total for usage in usages) - self.tokens
        if unspent > 0:
            self.missing(what, place, unspent)

    def _add_usage(self, event: QueuedEvent, usage: Usage) -> None:
        if not event.usage.fits(usage):
            what = "an event has tokens of several models; its model is left out"
            self.ambiguous(what, event.agent)
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
