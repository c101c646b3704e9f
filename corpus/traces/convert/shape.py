"""The topology of a converted run, as far as its events show one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def guess_topology(events: Sequence[dict[str, Any]]) -> str:
    """Name the topology that the spawns and messages of a run draw, ``unknown`` where they draw none.

    One spawning agent is centralized, spawned agents that spawn are hierarchical, agents that only hand over to
    each other are a swarm, spawns and hand-overs between other agents are mixed. Guessed receivers do not count.
    """
    spawner = {event["to"]: event["agent"] for event in events if event["type"] == "spawn" and "to" in event}
    family = {frozenset(pair) for pair in spawner.items()}
    people = {"user", "human"}
    peers = {
        frozenset((event["agent"], event["to"]))
        for event in events
        if event["type"] == "message" and event.get("to", event["agent"]) != event["agent"] and not _guessed(event)
    }
    peers = {pair for pair in peers - family if not pair & people}
    if not spawner:
        return "swarm" if peers else "unknown"
    if peers:
        return "mixed"
    deep = any(parent in spawner for parent in spawner.values())
    return "hierarchical" if deep else "centralized"


def _guessed(event: dict[str, Any]) -> bool:
    marks = event.get("x_inferred", ())
    return marks is True or "to" in marks
