"""Checks of what a trace declares against what its events and edges show: edge types, costs, topology."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from corpus.traces import trace_rules as rules
from corpus.traces.measures.width import summed
from corpus.traces.model import EDGE_TYPES, EVENT_TYPES
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run

CALLS: Final = ("tool_call", "tool_result")
COUNTED: Final = (("tool_calls", "tool_call"), ("messages", "message"))


def _fits(kind: str, source: str, target: str) -> bool:
    """Whether an edge of type `kind` may run from a `source` to a `target` event."""
    if kind == "spawn":
        return "spawn" in (source, target)
    if kind == "message":
        return source == "message"
    if kind == "tool_dependency":
        return source in CALLS or target in CALLS
    if kind == "return":
        return "return" in (source, target) or (source, target) == CALLS
    if kind == "aggregate":
        return target == "aggregate"
    if kind == "safety_flow":
        return bool({source, target} & {"safety_event", "human_intervention"})
    return True


FITTING: Final = frozenset(
    (kind, source, target)
    for kind in EDGE_TYPES
    for source in EVENT_TYPES
    for target in EVENT_TYPES
    if _fits(kind, source, target)
)


def edge_types(run: Run) -> Iterator[Problem]:
    """OT111: edges whose type does not go with the events at their ends."""
    types, kind_at = [edge.type for edge in run.trace.edges], run.kinds.__getitem__
    sources, targets = run.ends
    if FITTING.issuperset(zip(types, map(kind_at, sources), map(kind_at, targets), strict=True)):
        return
    ends = zip(types, map(kind_at, sources), map(kind_at, targets), strict=True)
    for place, (kind, source, target) in enumerate(ends):
        if (kind, source, target) not in FITTING:
            yield Problem(rules.EDGE_ENDS, f"/edges/{place}/type", kind, {"source": source, "target": target})


def costs(run: Run) -> Iterator[Problem]:
    """OT112: declared tool calls, messages and tokens against those of the events."""
    declared = run.trace.costs
    for name, kind in COUNTED:
        if name in declared and declared[name] != (number := len(run.by_kind.get(kind, ()))):
            yield _differs(name, declared[name], number)
    tokens = [event.x_tokens for event in run.events if event.x_tokens is not UNSET]
    if tokens and not math.isclose(declared["tokens"], total := summed(tokens), rel_tol=1e-6):
        yield _differs("tokens", declared["tokens"], total)


def _differs(name: str, declared: float, counted: float) -> Problem:
    return Problem(rules.COSTS_DIFFER, f"/costs/{name}", f"{declared:g}", {"name": name, "counted": f"{counted:g}"})


def topology(run: Run) -> Iterator[Problem]:
    """OT117: a declared topology that the spawn tree or the messages rule out."""
    declared = run.trace.topology
    if declared is UNSET:
        return
    fault = ""
    if declared == "centralized" and (spawners := len(set(run.parents.values()))) > 1:
        fault = f"{spawners} agents spawn others"
    elif declared == "hierarchical" and run.parents and max(run.depths.values()) < 2:
        fault = "no spawned agent spawns another"
    elif declared in ("debate", "swarm", "planner_executor_critic") and len(run.agents) < 2:
        fault = "one agent does everything"
    elif declared == "debate" and not run.by_kind.get("message"):
        fault = "no agent sends a message"
    if fault:
        yield Problem(rules.TOPOLOGY, "/topology", declared, {"fault": fault})
