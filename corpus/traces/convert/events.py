"""Events on their way into a trace, and the order that they are in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from itertools import groupby
from operator import attrgetter
from typing import Any

from corpus.traces.convert.usage import NO_USAGE, Usage
from corpus.traces.graph import earliest_first
from corpus.traces.lookup import JsonObject

#: The agent that represents all people of a run.
USER = "user"
_KEY_ORDER = ("role", "from", "to", "tool", "content_ref", "trusted")


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
    sorter = TopologicalSorter[int]()
    for event, place in places.items():
        sorter.add(place, *(places[cause] for cause in event.causes if cause in places))
    try:
        return [moment[place] for place in earliest_first(sorter)]
    except CycleError:
        # The edges of one moment run in a circle: nothing but the order of rows is left.
        return moment
