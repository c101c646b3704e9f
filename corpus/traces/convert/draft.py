"""A trace in the making: events on one clock, the order each agent acted in, and a note of every loss.

A converter walks its source in time order and says what each agent did; the draft keeps, for each agent, the events
that its next step depends on, and so finds the edges. Ids, relative times and edge types are set when it is finished.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, Conversion, Loss
from corpus.traces.convert.ordering import Entry, edge_type, in_order
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.shape import guess_topology

_HEADS = frozenset({"orchestrator_decision", "aggregate", "message", "human_intervention", "safety_event"})
_MARKED = ("event", "type")


@dataclass(slots=True)
class _Steps:
    """Model steps of an agent that no event stands for yet."""

    since: float
    until: float | None
    guessed: bool
    steps: int = 0
    tokens: int = 0


class Draft:
    """The growing trace of one run.

    Attributes
    ----------
    redaction : Redaction
        What may leave the source.
    order : str
        Edge type between two events of one agent: ``causal`` where the source chains them, else ``temporal``.
    """

    def __init__(self, trace_id: str, system: str, redaction: Redaction, order: str = "causal") -> None:
        self.redaction = redaction
        self.order = order
        self.metrics: dict[str, float] = {}
        self.rewards: dict[str, float] = {}
        self.costs: dict[str, float] = {}
        self.task = ""
        self.run: dict[str, Any] = {"format": system}
        self.has_clock = True
        self.stop_reason = ""
        self._trace_id = redaction.token(trace_id)
        self._system = system
        self._entries: list[Entry] = []
        self._edges: dict[tuple[int, int], tuple[str, bool]] = {}
        self._frontier: dict[str, list[int]] = {}
        self._base: dict[str, list[int]] = {}
        self._pending: dict[str, _Steps] = {}
        self._answered: set[int] = set()
        self._stepped: dict[str, int] = {}
        self._losses: dict[tuple[str, str], list[Any]] = {}
        self._guessed: set[tuple[int, str]] = set()
        self._now = 0.0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def tokens(self) -> int:
        """Tokens on the events and the waiting steps so far."""
        waiting = sum(steps.tokens for steps in self._pending.values())
        spent: list[int] = [entry.keys.get("x_tokens", 0) for entry in self._entries]
        return waiting + sum(spent)

    def entry(self, handle: int) -> Entry:
        """Return the event that `handle` stands for."""
        return self._entries[handle]

    def time(self, written: float | None) -> tuple[float, bool]:
        """Return a usable time, and whether it had to be taken from the event before."""
        if written is None:
            return self._now, True
        self._now = written
        return written, False

    def step(
        self,
        agent: str,
        time: float | None,
        tokens: int = 0,
        until: float | None = None,
        *,
        guessed: bool = False,
    ) -> None:
        """Begin a model step of `agent`: what follows depends on all that it has seen so far."""
        moment, missing = self.time(time)
        self._base[agent] = self._frontier.get(agent, [])
        self._frontier[agent] = list(self._base[agent])
        waiting = self._pending.setdefault(agent, _Steps(moment, until, guessed or missing))
        waiting.until = until
        waiting.steps += 1
        waiting.tokens += tokens

    def spend(self, agent: str, tokens: int) -> bool:
        """Put tokens on the step of `agent` that waits, else on its last one; say whether there is one."""
        if agent in self._pending:
            self._pending[agent].tokens += tokens
        elif agent in self._stepped:
            keys = self._entries[self._stepped[agent]].keys
            keys["x_tokens"] = keys.get("x_tokens", 0) + tokens
        else:
            return False
        return True

    def add(self, kind: str, agent: str, time: float | None, inferred: Iterable[str] = (), /, **keys: Any) -> int:
        """Add an event in which `agent` acts; it takes up the steps that wait for one. Return its handle."""
        handle = self._append(kind, agent, time, inferred, keys)
        entry = self._entries[handle]
        if agent in self._pending:
            waiting = self._pending.pop(agent)
            entry.keys["x_steps"] = waiting.steps
            self._stepped[agent] = handle
            if waiting.tokens:
                entry.keys["x_tokens"] = entry.keys.get("x_tokens", 0) + waiting.tokens
        base = self._base.setdefault(agent, [])
        for source in base:
            self.link(source, handle, inferred=(source, agent) in self._guessed)
        if kind in _HEADS:
            self._base[agent] = self._frontier[agent] = [handle]
        else:
            before = self._frontier.setdefault(agent, [])
            self._frontier[agent] = [one for one in before if one not in base] + [handle]
        return handle

    def answer(self, call: int, kind: str, agent: str, time: float | None, **keys: Any) -> int:
        """Add what answers the event `call`: it takes the place of the call in the order of the agent that called."""
        inferred = keys.pop("inferred", ())
        self._answered.add(call)
        handle = self._append(kind, agent, time, inferred, keys)
        self.link(call, handle)
        self.replace(self._entries[call].agent, call, handle)
        return handle

    def answered(self, call: int) -> bool:
        """Whether the event `call` has its answer; a second one would be a repetition of the recorder."""
        return call in self._answered

    def replace(self, agent: str, old: int, new: int, *, inferred: bool = False) -> None:
        """Let the next step of `agent` depend on `new` rather than on `old`."""
        if inferred:
            self._guessed.add((new, agent))
        kept = [one for one in self._frontier.get(agent, []) if one not in (old, new)]
        self._frontier[agent] = [*kept, new]

    def close(self, agent: str) -> None:
        """Let the next event of `agent` depend on everything that it has seen."""
        self._base[agent] = list(self._frontier.get(agent, []))

    def seed(self, agent: str, handle: int, *, inferred: bool = False) -> None:
        """Let the first or next step of `agent` depend on an event of somebody else (a spawn, a message)."""
        if inferred:
            self._guessed.add((handle, agent))
        if handle not in self._frontier.setdefault(agent, []):
            self._frontier[agent].append(handle)
        self._base.setdefault(agent, [])
        if handle not in self._base[agent]:
            self._base[agent] = [*self._base[agent], handle]

    def settle(
        self,
        agent: str,
        marks: Iterable[str] = ("type",),
        kind: str = "orchestrator_decision",
        why: str = "a model step without a visible action counts as a decision",
    ) -> int | None:
        """Give the waiting step of `agent`, if any, an event of its own; with marks, the losses say `why`."""
        if agent not in self._pending:
            return None
        waiting = self._pending[agent]
        marks = {*marks}
        if marks:
            self.lose(INFERRED, agent, why)
        if waiting.guessed:
            marks.add("t")
        until = waiting.until if waiting.until is not None and waiting.until > waiting.since else None
        return self.add(kind, agent, waiting.since, marks, x_end=until)

    def link(self, source: int, target: int, kind: str = "", *, inferred: bool = False) -> None:
        """Say that one event happened before another; without `kind` the type follows from the two events."""
        if source != target:
            self._edges.setdefault((source, target), (kind, inferred))

    def lose(self, kind: str, place: str, what: str, count: int = 1) -> None:
        """Note a loss; equal ones are counted, with the first place kept."""
        known = self._losses.setdefault((kind, what), [place, 0])
        known[1] += count

    def finish(self) -> Conversion:
        """Order the events, name them, and return the trace with its losses."""
        for agent in sorted(self._pending):
            self.settle(agent)
        order = in_order(self._entries, self._edges)
        ids = {handle: f"e{place}" for place, handle in enumerate(order, start=1)}
        start = self._entries[order[0]].time if order else 0.0
        edges = self._named_edges(order, ids)
        events = [self._entries[handle].as_event(ids[handle], start) for handle in order]
        if events:
            events[0]["x_run"] = self.run
            if self.stop_reason:
                self._last(events)["x_stop_reason"] = self.stop_reason
        return Conversion(self._trace(events, edges), self._notes())

    def _last(self, events: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the event that the run ends with: the last answer to the user, where the run ends by itself."""
        answers = (event for event in reversed(events) if event["type"] == "return" and event.get("to") == "user")
        return next(answers, events[-1]) if self.stop_reason in ("implicit", "explicit") else events[-1]

    def _append(self, kind: str, agent: str, time: float | None, inferred: Iterable[str], keys: dict[str, Any]) -> int:
        moment, guessed = self.time(time)
        marks = {*inferred, "t"} if guessed or not self.has_clock else set(inferred)
        if guessed and self.has_clock:
            self.lose(INFERRED, agent, "a missing time is that of the event before")
        kept = {key: value for key, value in keys.items() if value not in (None, "")}
        self._entries.append(Entry(kind, agent, moment, kept, marks))
        return len(self._entries) - 1

    def _named_edges(self, order: list[int], ids: dict[int, str]) -> list[dict[str, str]]:
        place = {handle: position for position, handle in enumerate(order)}
        edges = []
        for (source, target), (kind, inferred) in sorted(
            self._edges.items(), key=lambda item: (place[item[0][1]], place[item[0][0]])
        ):
            if place[source] > place[target]:
                self.lose(AMBIGUOUS, "edges", "an effect is older than its cause; the edge is left out")
                continue
            before, after = self._entries[source], self._entries[target]
            if inferred and not after.marks.intersection(_MARKED):
                after.marks.add(f"edge:{ids[source]}")
            edges.append({"src": ids[source], "dst": ids[target], "type": kind or edge_type(before, after, self.order)})
        return edges

    def _trace(self, events: list[dict[str, Any]], edges: list[dict[str, str]]) -> dict[str, Any]:
        counts = {kind: sum(event["type"] == kind for event in events) for kind in ("tool_call", "message")}
        steps = sum(event.get("x_steps", 0) for event in events)
        end = max((event.get("x_end", event["t"]) for event in events), default=0.0)
        return {
            "trace_id": self._trace_id or "unnamed",
            "task_id": Redaction().content(self.task) or "unknown",
            "system": self._system,
            "topology": guess_topology(events),
            "events": events,
            "edges": edges,
            "rewards": self.rewards,
            "costs": {
                "tokens": sum(event.get("x_tokens", 0) for event in events),
                "wall_clock_s": end if self.has_clock else 0,
                "tool_calls": counts["tool_call"],
                "messages": counts["message"],
                **self.costs,
            },
            "metrics": {"corpus.steps": steps, **self.metrics},
        }

    def _notes(self) -> tuple[Loss, ...]:
        rank = {INFERRED: 0, DROPPED: 1, AMBIGUOUS: 2}
        notes = [Loss(kind, place, what, count) for (kind, what), (place, count) in self._losses.items()]
        return tuple(sorted(notes, key=lambda loss: (rank[loss.kind], loss.what)))
