"""The recorder of a run: what a format tells that agents, tools and people did.

A format walks its source in time order. Times, losses and the order each agent acted in are kept by
:mod:`.edges`; at the end the trace is written: events in order with ids and times, edges, counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from corpus.traces.convert.edges import AgentSteps
from corpus.traces.convert.events import USER, QueuedEvent, edge_type, in_order
from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, MISSING, Conversion
from corpus.traces.convert.messages import words_of_task
from corpus.traces.convert.names import UniqueNames
from corpus.traces.convert.usage import NO_USAGE, Usage
from corpus.traces.lookup import JsonObject

# What is in no count weighs most for whoever reads a loss report, then what no source states.
_LOSS_ORDER = (MISSING, INFERRED, DROPPED, AMBIGUOUS)
_PEOPLE = frozenset({"user", "human"})


@dataclass(eq=False, kw_only=True)
class Recorder(AgentSteps):
    """A run and what is known of it as a whole; each format reads its source in a subclass.

    Attributes
    ----------
    metrics : dict of str to float
        Further metrics of the trace.
    task : str
        What the run was asked to do; empty until a converter finds it.
    task_id : str
        Id of the task in the source; without one it is the hash of `task`.
    run : dict
        Where the trace comes from, for ``x_run``.
    stop_reason : str
        Why the run stopped, for ``x_stop_reason``.
    period : tuple of (float, float) or None
        When the run began and ended, where the source tells; else its events do.
    """

    metrics: dict[str, float] = field(default_factory=dict)
    task: str = ""
    task_id: str = ""
    run: JsonObject = field(default_factory=dict)
    stop_reason: str = ""
    period: tuple[float, float] | None = None
    _heard_people: bool = False
    # An agent may be called so in the source, and must not act as the people of the run.
    _agent_names: UniqueNames = field(default_factory=partial(UniqueNames, USER))
    _call_ids: UniqueNames = field(default_factory=UniqueNames)
    _unnamed_calls: int = 0
    _calls: dict[tuple[str, str], deque[QueuedEvent]] = field(
        default_factory=partial(defaultdict, deque)
    )

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
        self.follow(USER, agent)
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
        tool: str = "",
    ) -> QueuedEvent:
        """Add that `agent` starts `child`, whose first step depends on it.

        Return the event.

        With `guessed`, the source does not state which sub-agent the call started. `tool` is the
        name by which the model called it.
        """
        keys = {"role": role, "to": child, "x_call_id": call_id, "tool": tool}
        event = self.add("spawn", agent, marks, content=asked, **keys)
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
        start = ordered[0].time if ordered else 0.0
        seconds = 0.0
        if self.period is not None:
            began, ended = self.period
            start = min(start, began)
            seconds = round(ended - began, 6)
            self.run["clock"] = "spans"
        events = []
        totals: Counter[str] = Counter()
        last: JsonObject = {}
        for place, one in enumerate(ordered, start=1):
            if one.usage.model:
                one.usage = replace(one.usage, model=self.redaction.model(one.usage.model))
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
            run = {"format": self.system, **self.run}
            events[0]["x_run"] = {key: value for key, value in run.items() if value != ""}
            if self.stop_reason:
                (last or events[-1])["x_stop_reason"] = self.stop_reason
        trace = {
            "trace_id": self.redaction.token(self.trace_id) or "unnamed",
            "task_id": self.redaction.token(self.task_id)
            or self.redaction.content(self.task, "user")
            or "unknown",
            "system": self.system,
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
        losses = sorted(
            self.losses.values(), key=lambda loss: (_LOSS_ORDER.index(loss.kind), loss.what)
        )
        return Conversion(trace, tuple(losses))

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
