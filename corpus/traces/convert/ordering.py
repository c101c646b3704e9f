"""The order of events in a finished trace, the edges between them.

And the topology that they draw.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpus.traces.convert.usage import NO_USAGE, Usage
from corpus.traces.lookup import JsonObject

_KEY_ORDER = ("role", "from", "to", "tool", "content_ref", "trusted")
_PEOPLE = frozenset({"user", "human"})


@dataclass(eq=False, slots=True)
class QueuedEvent:
    """An event that waits for its place and its id.

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
    is_answered : bool
        Of a call, whether its answer is an event; a second one repeats it.
    """

    kind: str
    agent: str
    time: float
    keys: JsonObject
    marks: set[str] = field(default_factory=set)
    usage: Usage = NO_USAGE
    is_answered: bool = False

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


def in_order(
    events: Sequence[QueuedEvent], edges: Iterable[tuple[QueuedEvent, QueuedEvent]]
) -> list[QueuedEvent]:
    """Return events by time.

    A cause before its effect where both have one time.

    An edge against the clock is not obeyed.
    """
    places = {event: place for place, event in enumerate(events)}
    effects: dict[QueuedEvent, list[QueuedEvent]] = defaultdict(list)
    causes_left: Counter[QueuedEvent] = Counter()
    for cause, effect in edges:
        # Other edges agree with the clock anyway, or are left out later.
        if cause.time == effect.time:
            effects[cause].append(effect)
            causes_left[effect] += 1
    ready = [(event.time, place) for event, place in places.items() if not causes_left[event]]
    heapq.heapify(ready)
    order = []
    while ready:
        _, place = heapq.heappop(ready)
        order.append(events[place])
        for effect in effects[events[place]]:
            causes_left[effect] -= 1
            if not causes_left[effect]:
                heapq.heappush(ready, (effect.time, places[effect]))
    if len(order) < len(events):
        # The edges of one moment run in a circle: only the clock is left to go by.
        return sorted(events, key=lambda event: event.time)
    return order


def guess_topology(events: Sequence[JsonObject]) -> str:
    """Name the topology that the spawns and messages of a run draw.

    ``unknown`` where they draw none.

    One spawning agent is centralized, spawned agents that spawn are hierarchical, agents that only
    hand over to each other are a swarm, spawns and handovers between other agents are mixed.
    Guessed receivers do not count.
    """
    spawner = {}
    for event in events:
        if event["type"] == "spawn" and "to" in event:
            spawner[event["to"]] = event["agent"]
    # A sub-agent and its parent write to each other without handing over.
    families = set(map(frozenset, spawner.items()))
    peers = _message_pairs(events) - families
    if not spawner:
        return "swarm" if peers else "unknown"
    if peers:
        return "mixed"
    return "hierarchical" if spawner.keys() & spawner.values() else "centralized"


def _message_pairs(events: Sequence[JsonObject]) -> set[frozenset[str]]:
    """Return the pairs of agents, people left out, between which the source states a message."""
    pairs = set()
    for event in events:
        marks = event.get("x_inferred", ())
        if event["type"] != "message" or marks is True or "to" in marks:
            continue
        sender = event["agent"]
        pair = frozenset((sender, event.get("to", sender)))
        if len(pair) == 2 and not pair & _PEOPLE:
            pairs.add(pair)
    return pairs
