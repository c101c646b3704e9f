"""Check what a trace declares against its events and edges: edge types, costs, topology, trust."""

import math
from collections.abc import Iterator
from itertools import product
from operator import attrgetter

from msgspec import UNSET

from corpus.traces import trace_rules as rules
from corpus.traces.measures.timing import summed
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.model import DISJOINT_KINDS, EDGE_TYPES, EVENT_TYPES
from corpus.traces.reading.pointer_lines import pointer
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run

CALLS = ("tool_call", "tool_result")
#: Events of which one is at an end of an edge, by the type of the edge.
_ENDS = {
    "spawn": ("spawn",),
    "return": ("return",),
    "tool_dependency": CALLS,
    "safety_flow": ("safety_event", "human_intervention"),
}
#: Topologies that need two agents to be what they are called.
_OF_SEVERAL = ("debate", "swarm", "planner_executor_critic")
_parts = attrgetter(*(f"x_tokens_{kind}" for kind in DISJOINT_KINDS))
#: Costs that the events count, and the event type that does.
COUNTED = (("tool_calls", "tool_call"), ("messages", "message"))


def _may_run(kind: str, source: str, target: str) -> bool:
    """Whether an edge of type `kind` may run from a `source` to a `target` event."""
    if kind == "message":
        return source == "message"
    if kind == "aggregate":
        return target == "aggregate"
    # The result of a call is returned, too.
    is_answer = kind == "return" and (source, target) == CALLS
    return is_answer or not {source, target}.isdisjoint(_ENDS.get(kind, EVENT_TYPES))


#: Every combination of edge type, source type and target type that fits.
FITTING = frozenset(
    combination
    for combination in product(EDGE_TYPES, EVENT_TYPES, EVENT_TYPES)
    if _may_run(*combination)
)


def edge_types(run: Run) -> Iterator[Problem]:
    """OT111: edges whose type does not fit the events at their ends."""
    types = [edge.type for edge in run.trace.edges]
    kind_at = run.kinds.__getitem__
    sources, targets = run.ends
    # One pass in C for the traces that are right, which is nearly all.
    combinations = zip(types, map(kind_at, sources), map(kind_at, targets), strict=True)
    if FITTING.issuperset(combinations):
        return
    for place, kind in enumerate(types):
        source = run.kinds[sources[place]]
        target = run.kinds[targets[place]]
        if (kind, source, target) not in FITTING:
            yield Problem.at(
                rules.EDGE_ENDS, f"/edges/{place}/type", kind, source=source, target=target
            )


def costs(run: Run) -> Iterator[Problem]:
    """OT112: declared tool calls, messages and tokens that differ from those of the events."""
    declared = run.trace.costs
    for name, kind in COUNTED:
        number = len(run.by_kind.get(kind, ()))
        if name in declared and declared[name] != number:
            yield _differs(name, declared[name], number)
    tokens = [event.x_tokens for event in run.events if event.x_tokens is not UNSET]
    # Producers that count tokens only in all state none on events.
    if tokens:
        total = summed(tokens)
        if not math.isclose(declared["tokens"], total, rel_tol=1e-6):
            yield _differs("tokens", declared["tokens"], total)


def negative_costs(run: Run) -> Iterator[Problem]:
    """OT119: costs below 0 under a name that the schema does not know; others are errors."""
    for name, cost in run.trace.costs.items():
        if cost < 0:
            path = pointer("costs", name)
            yield Problem.at(rules.NEGATIVE_COST, path, f"{cost:g}", name=name)


def token_kinds(run: Run) -> Iterator[Problem]:
    """OT120: events whose kinds of tokens add up to more than all tokens."""
    for place, event in enumerate(run.events):
        parts = sum(filter(None, _parts(event)))
        tokens = event.x_tokens or 0.0
        if parts > tokens and not math.isclose(parts, tokens, rel_tol=1e-6):
            stated = "not stated" if event.x_tokens is UNSET else f"{tokens:g}"
            yield Problem.at(rules.KINDS_EXCEED, f"/events/{place}", f"{parts:g}", tokens=stated)


def _differs(name: str, declared: float, counted: float) -> Problem:
    path = pointer("costs", name)
    return Problem.at(rules.COSTS_DIFFER, path, f"{declared:g}", name=name, counted=f"{counted:g}")


def topology(run: Run) -> Iterator[Problem]:
    """OT117: a declared topology that the spawn tree or the messages rule out."""
    declared = run.trace.topology
    if declared is UNSET:
        return
    fault = ""
    spawners = len(set(run.parents.values()))
    if declared == "centralized" and spawners > 1:
        fault = f"{spawners} agents spawn others"
    elif declared == "hierarchical" and run.parents and max(run.depths.values()) < 2:
        fault = "no spawned agent spawns another"
    elif declared in _OF_SEVERAL and len(run.agents) < 2:
        fault = "one agent does everything"
    elif declared == "debate" and not run.by_kind.get("message"):
        fault = "no agent sends a message"
    if fault:
        yield Problem.at(rules.TOPOLOGY, "/topology", declared, fault=fault)


def unchecked_flow(run: Run) -> Iterator[Problem]:
    """OT107: each trusted event and each aggregate that untrusted content reaches unchecked."""
    flow = untrusted_flow(run)
    for place in flow.reached:
        event = run.events[place]
        source = run.events[flow.origin[place]].id
        kind = "aggregate"
        if event.type != "aggregate":
            kind = f"trusted {event.type}"
        yield Problem.at(
            rules.UNTRUSTED_FLOW, f"/events/{place}", event.id, source=source, kind=kind
        )
