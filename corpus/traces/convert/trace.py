"""The trace of a run that was walked: events in order with ids and times, edges, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from corpus.traces.convert.edges import AgentSteps
from corpus.traces.convert.events import USER, QueuedEvent, edge_type, in_order
from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, MISSING, Conversion
from corpus.traces.lookup import JsonObject

# What is in no count weighs most for whoever reads a loss report, then what no source states.
_LOSS_ORDER = (MISSING, INFERRED, DROPPED, AMBIGUOUS)
_PEOPLE = frozenset({"user", "human"})


@dataclass(eq=False)
class TracedRun(AgentSteps):
    """A run and what is known of it as a whole, until it is written as a trace.

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

    metrics: dict[str, float] = field(default_factory=dict, init=False)
    task: str = field(default="", init=False)
    task_id: str = field(default="", init=False)
    run: JsonObject = field(default_factory=dict, init=False)
    stop_reason: str = field(default="", init=False)
    period: tuple[float, float] | None = field(default=None, init=False)

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
