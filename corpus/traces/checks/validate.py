"""Check a trace against every rule: first those of the schema, then those of a plausible run.

Of a run that is its course (the order of events, its agents and calls), and what the trace declares
beside its events and edges: costs, trust.
"""

import math
from collections.abc import Callable, Iterator
from itertools import islice
from operator import attrgetter
from typing import TypeAlias

from msgspec import UNSET

from corpus.model.finding import ERROR, WARNING, Finding, Rule
from corpus.traces.measures.timing import summed
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.model import DISJOINT_KINDS
from corpus.traces.reading.decoding import MOST, valid_run, with_lines
from corpus.traces.reading.pointer_lines import pointer
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run

CYCLE = Rule(
    "OT101",
    "event {value} happens before itself: {cycle}",
    "remove the edge that points back",
    WARNING,
    title="Causal cycle",
    reason="No event can happen before itself. Paths are computed over the edges that "
    "run forward in time.",
)
BACKWARD_TIME = Rule(
    "OT102",
    "edge {source} -> {target} goes from t={before} to t={after}",
    "check the clocks, or the direction of the edge",
    WARNING,
    title="Time runs backwards along an edge",
    reason="Most often the clocks of two machines disagree.",
)
RESULT_WITHOUT_CALL = Rule(
    "OT104",
    "no tool_call of {tool} is joined with this result",
    "add the call, or join the two with x_call_id or an edge",
    WARNING,
    title="tool_result without a tool_call",
    reason="Calls and results pair by x_call_id, else by an edge.",
)
CALL_WITHOUT_RESULT = Rule(
    "OT105",
    "the call of {tool} is still open at the end of the trace",
    "add the result, or the x_stop_reason of a run that was cut off",
    WARNING,
    title="tool_call without a tool_result",
    reason="An open call is work paid for and never used, or a trace cut short.",
)
UNTRUSTED_FLOW = Rule(
    "OT107",
    "untrusted content of {source} reaches this {kind} with no safety or human event between",
    "record the check that was made as a safety_event, or mark the event untrusted",
    WARNING,
    title="Untrusted content reaches a trusted event",
    reason="An indirect prompt injection takes this path.",
)
NEVER_RETURNED = Rule(
    "OT108",
    "agent {value} is spawned but never returns",
    "add the return, or the despawn where it was stopped",
    WARNING,
    title="Spawned and never returned",
    reason="What the agent did counts as waste. A despawn shows that it was ended on purpose.",
)
UNKNOWN_AGENT = Rule(
    "OT109",
    "{value} {fault}",
    "add the spawn, or correct the name",
    WARNING,
    title="Unknown agent",
    reason="A name spelled in two ways splits one agent into two.",
)
UNREACHABLE = Rule(
    "OT110",
    "no edge leads here, and the run does not start here",
    "add the edge from what caused it",
    WARNING,
    title="Event without a cause",
    reason="Starts are the first event, each human intervention, and of an agent that "
    "nothing spawned its first event, its calls and its spawns.",
)
COSTS_DIFFER = Rule(
    "OT112",
    "costs.{name} is {value}, the events count {counted}",
    "correct the cost, or the events that carry it",
    WARNING,
    title="Declared cost differs from the counted one",
    reason="Usage that is counted twice is the commonest cause.",
)
NO_TARGET = Rule(
    "OT113",
    "the spawn does not name the new agent",
    'name the new agent in "to"',
    WARNING,
    title="Spawn without a target",
    reason="Spawn tree, fan-out and lifetimes need the target.",
)
FROM_DIFFERS = Rule(
    "OT114",
    "from is {value}, but the acting agent is {agent}",
    "record an event at its sender: make the two equal",
    WARNING,
    title="from differs from agent",
    reason="Counts by agent and the message graph would name different senders.",
)
WALL_CLOCK = Rule(
    "OT115",
    "costs.wall_clock_s is {value}, the events span {span} s",
    'give t in seconds, or put "t" into x_inferred',
    WARNING,
    title="Wall clock does not fit the times of the events",
    reason="Speed-ups are ratios of these two.",
)
KINDS_EXCEED = Rule(
    "OT120",
    "the kinds add up to {value} tokens, x_tokens is {tokens}",
    "count each token in one kind, and all in x_tokens",
    WARNING,
    title="Kinds of tokens do not fit the tokens",
    reason="Some providers count cached input as input, others beside it.",
)


Problems: TypeAlias = Iterator[Problem]

#: Receivers and senders outside the team that need not act in the trace.
ANYONE = frozenset(("user", "human", "all", ""))
#: How far the declared wall clock may stay below the times of the events: rounding.
SLACK = 1.01
#: How far it may exceed them: start-up and shut-down are not events.
LONGEST = 1.5
#: Events of which one model step may make several.
CALLING = frozenset(("tool_call", "spawn"))


def order(run: Run) -> Problems:
    """OT101: one cycle. OT102: edges whose target began before their source."""
    if run.graph.timely:
        return
    cycle = run.graph.cycle
    if cycle:
        ids = [run.events[place].id for place in [*cycle, cycle[0]]]
        yield Problem.at(CYCLE, f"/events/{cycle[0]}", ids[0], cycle=" -> ".join(ids))
    for place, (source, target) in enumerate(zip(*run.ends, strict=True)):
        before, after = run.times[source], run.times[target]
        if before > after:
            edge = run.trace.edges[place]
            words: dict[str, str | float] = {"source": edge.src, "target": edge.dst}
            words |= {"before": before, "after": after}
            yield Problem(BACKWARD_TIME, f"/edges/{place}", edge.dst, words)


def reach(run: Run) -> Problems:
    """OT110: events that no edge leads to, other than starts."""
    caused = {run.graph.by_time[0], *run.by_kind["human_intervention"], *run.graph.targets}
    for place in sorted({*range(len(run.events))} - caused):
        actor = run.actors[place]
        is_beginning = run.kinds[place] in CALLING or place == run.first[actor]
        if not is_beginning or actor in run.parents or actor in run.tools:
            yield Problem.at(UNREACHABLE, f"/events/{place}", run.events[place].id)


def wall_clock(run: Run) -> Problems:
    """OT115: a wall clock shorter than the events, or far longer; not where t was inferred."""
    span = run.finish - run.begin
    declared = run.trace.costs["wall_clock_s"]
    if declared * SLACK >= span and declared <= span * LONGEST + 1:
        return
    # Where the source had no clock, t counts events and not seconds.
    if run.has_clock:
        yield Problem.at(WALL_CLOCK, "/costs/wall_clock_s", f"{declared:g}", span=f"{span:g}")


def open_calls(run: Run) -> Problems:
    """OT104 and OT105: results without a call, calls without a result."""
    unpaired = [(place, RESULT_WITHOUT_CALL) for place in run.pairs.lone_results]
    unpaired += [(place, CALL_WITHOUT_RESULT) for place in run.pairs.open_calls]
    for place, rule in unpaired:
        tool = run.events[place].tool or ""
        yield Problem.at(rule, f"/events/{place}", tool, tool=tool or "a tool")


def returns(run: Run) -> Problems:
    """OT108, OT113: spawns that never return, spawns of nobody."""
    returned: set[object] = set(map(run.ended, run.of_kind("despawn")))
    for event in run.of_kind("return"):
        # A sender other than the acting agent is one finding already (OT114), and no second one.
        returned.update((event.agent, event.from_))
    for place in run.spawns:
        target = run.events[place].to
        if not target:
            yield Problem.at(NO_TARGET, f"/events/{place}")
        elif target not in returned:
            # An agent that is spawned twice is reported once.
            returned.add(target)
            yield Problem.at(NEVER_RETURNED, f"/events/{place}/to", target)


def names(run: Run) -> Problems:
    """OT109 and OT114: names that no agent has, and senders other than the acting agent."""
    senders = list(map(attrgetter("from_"), run.events))
    known = {*run.first, *run.parents, *ANYONE, UNSET}
    for key, column in {"from": senders, "to": [event.to for event in run.events]}.items():
        fault = "neither acts nor is spawned in this trace"
        unknown = [name for name in column if name not in known]
        for name in dict.fromkeys(unknown):
            path = pointer("events", column.index(name), key)
            yield Problem.at(UNKNOWN_AGENT, path, str(name), fault=fault)
    yield from _strangers(run)
    for place, sender in enumerate(senders):
        actor = run.actors[place]
        if sender is not UNSET and sender != actor:
            yield Problem.at(FROM_DIFFERS, f"/events/{place}/from", sender, agent=actor)


def _strangers(run: Run) -> Problems:
    """Yield the agents that act in a team to which they do not belong."""
    # Without a single spawn nobody is outside the team.
    if not run.parents:
        return
    team = {run.main, *run.parents, *run.tools, *run.outsiders}
    # A team may hand over: who was sent a message belongs to it.
    team.update(str(event.to) for event in run.of_kind("message"))
    fault = "acts, but nothing spawned it or handed over to it"
    for name, place in run.first.items():
        if name not in team:
            yield Problem.at(UNKNOWN_AGENT, f"/events/{place}/agent", name, fault=fault)


_parts = attrgetter(*map("x_tokens_{}".format, DISJOINT_KINDS))
#: Costs that the events count, and the event type that does.
COUNTED = (("tool_calls", "tool_call"), ("messages", "message"))


def costs(run: Run) -> Problems:
    """OT112: declared tool calls, messages and tokens that differ from those of the events."""
    counted: dict[str, float] = {name: len(run.by_kind[kind]) for name, kind in COUNTED}
    # Producers that count tokens only in all state none on events.
    if tokens := run.stated("x_tokens"):
        counted["tokens"] = summed(tokens)
    for name, number in counted.items():
        declared = run.trace.costs.get(name, number)
        if not math.isclose(declared, number, rel_tol=1e-6):
            path, value = f"/costs/{name}", f"{declared:g}"
            yield Problem.at(COSTS_DIFFER, path, value, name=name, counted=f"{number:g}")


def token_kinds(run: Run) -> Problems:
    """OT120: events whose kinds of tokens add up to more than all tokens."""
    for place, event in enumerate(run.events):
        parts = sum(filter(None, _parts(event)))
        tokens = event.x_tokens or 0.0
        if parts > tokens and not math.isclose(parts, tokens, rel_tol=1e-6):
            stated = "not stated" if event.x_tokens is UNSET else f"{tokens:g}"
            yield Problem.at(KINDS_EXCEED, f"/events/{place}", f"{parts:g}", tokens=stated)


def unchecked_flow(run: Run) -> Problems:
    """OT107: each trusted event and each aggregate that untrusted content reaches unchecked."""
    flow = untrusted_flow(run)
    for place in flow.reached:
        event, source = run.events[place], run.events[flow.origin[place]].id
        path = f"/events/{place}"
        yield Problem.at(UNTRUSTED_FLOW, path, event.id, source=source, kind=event.type)


CHECKS: tuple[Callable[[Run], Problems], ...] = (
    order,
    open_calls,
    returns,
    unchecked_flow,
    names,
    reach,
    costs,
    token_kinds,
    wall_clock,
)


def check(item: TraceText | Finding, strict: bool = False) -> tuple[list[Finding], int]:
    """Decode and check one document; a finding of the reader in its place is passed on.

    Return findings, sorted by place, and the number of further ones of checks that found more than
    ``MOST``. A trace with errors is not checked for warnings, since its graph is not defined.

    Parameters
    ----------
    item
        What was read.
    strict
        Whether warnings are errors.
    """
    if not isinstance(item, TraceText):
        return [item], 0
    run, findings = valid_run(item)
    found: list[Problem] = []
    unlisted = 0
    for find in CHECKS:
        if run is None:
            break
        wanted = find(run)
        found += islice(wanted, MOST)
        # All of them are counted, so that the summary is true however few are listed.
        unlisted += sum(1 for _ in wanted)
    if found:
        findings = findings + with_lines(item, found)
    findings = sorted(findings)
    if strict:
        findings = [finding._replace(severity=ERROR) for finding in findings]
    return findings, unlisted
