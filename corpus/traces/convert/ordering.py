"""The order of events in a finished trace, and what kind of edge runs between two of them."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_KEY_ORDER = ("role", "from", "to", "tool", "content_ref", "trusted")


@dataclass(slots=True)
class Entry:
    """An event before it has an id: its type, agent, time in seconds since 1970, further keys and inferred keys."""

    kind: str
    agent: str
    time: float
    keys: dict[str, Any]
    marks: set[str] = field(default_factory=set)

    def as_event(self, name: str, start: float) -> dict[str, Any]:
        """Return the event as it stands in the trace, with its time counted from `start`."""
        event: dict[str, Any] = {"id": name, "t": _since(self.time, start), "type": self.kind, "agent": self.agent}
        for key in _KEY_ORDER:
            if key in self.keys:
                event[key] = self.keys[key]
        for key in sorted(self.keys.keys() - set(_KEY_ORDER)):
            event[key] = _since(self.keys[key], start) if key == "x_end" else self.keys[key]
        if self.marks:
            event["x_inferred"] = True if "event" in self.marks else sorted(self.marks)
        return event


def _since(time: float, start: float) -> float:
    return max(0.0, round(time - start, 6))


def edge_type(before: Entry, after: Entry, order: str) -> str:
    """Name the edge between two events from their types; `order` is the type between two events of one agent."""
    if "safety_event" in (before.kind, after.kind):
        return "safety_flow"
    if after.kind == "tool_result" and before.kind == "tool_call":
        return "tool_dependency"
    if after.kind == "spawn" and before.kind == "orchestrator_decision":
        return "spawn"
    if before.agent == after.agent and before.kind != "tool_result":
        return order
    if before.kind == "return":
        return "aggregate" if after.kind == "aggregate" else "return"
    if before.kind in ("spawn", "message"):
        return before.kind
    return order if before.agent == after.agent else "causal"


def in_order(entries: Sequence[Entry], edges: Mapping[tuple[int, int], object]) -> list[int]:
    """Return the positions of `entries` by time, a cause before its effect where both have one time.

    An edge against the clock is not obeyed.
    """
    after: dict[int, list[int]] = {}
    missing = [0] * len(entries)
    for source, target in edges:
        if entries[source].time == entries[target].time:
            after.setdefault(source, []).append(target)
            missing[target] += 1
    ready = [(entry.time, handle) for handle, entry in enumerate(entries) if not missing[handle]]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        _, handle = heapq.heappop(ready)
        order.append(handle)
        for target in after.get(handle, ()):
            missing[target] -= 1
            if not missing[target]:
                heapq.heappush(ready, (entries[target].time, target))
    if len(order) < len(entries):
        order = sorted(range(len(entries)), key=lambda handle: (entries[handle].time, handle))
    return order
