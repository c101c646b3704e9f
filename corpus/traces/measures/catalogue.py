"""The catalogue of measures, which docs/traces.md prints: name, unit, formula and source."""

from __future__ import annotations

from typing import NamedTuple

from corpus.traces.model import TOKEN_KINDS


class Metric(NamedTuple):
    """One entry of the catalogue: name, unit, formula and source of a measure."""

    name: str
    unit: str
    formula: str
    source: str = "this project"

    @property
    def is_count(self) -> bool:
        """Whether the measure is a whole number: a unit that is counted, and no mean of it."""
        return self.unit in COUNTED and not self.name.endswith("_mean")


COUNTED = frozenset(("count", "events", "agents", "spawns", "edges", "0 or 1"))
"""Units of whole numbers."""
GRAPH = "Brent 1974: work and span of a computation graph"
PARL = "Kimi K2.5 technical report, arXiv 2602.02276 (PARL)"
SURVEY = "arXiv 2605.02801, table 13"
SCALING = "Kim et al. 2025, arXiv 2512.08296"

CATALOGUE: tuple[Metric, ...] = (
    Metric("events", "count", "number of events", "schema"),
    Metric("edges", "count", "number of edges", "schema"),
    Metric(
        "agents",
        "count",
        "members of the team: who acts or is spawned; no tools, no outside persons",
    ),
    Metric(
        "duration_s",
        "seconds",
        "last t or x_end minus first t; costs.wall_clock_s of a run that was recorded as spans; "
        "undefined where every t is inferred",
    ),
    Metric(
        "tokens",
        "tokens",
        "costs.tokens; undefined where it is 0 and no event has tokens",
        "schema",
    ),
    *(Metric(f"tokens_{kind}", "tokens", f"sum of x_tokens_{kind}") for kind in TOKEN_KINDS),
    Metric("work", "events", "number of events", GRAPH),
    Metric("span", "events", "events on the longest path of edges", GRAPH),
    Metric("parallelism", "ratio", "work / span", GRAPH),
    Metric(
        "width_mean",
        "agents",
        "sum of the agents' lifetimes / time from the first to the last of them; "
        "the peak where that is 0",
    ),
    Metric("width_peak", "agents", "largest number of agents there at one time"),
    Metric("depth", "spawns", "longest chain of spawns from a root of the spawn tree"),
    Metric("fan_out_mean", "agents", "spawned agents / agents that spawn"),
    Metric("fan_out_peak", "agents", "most agents spawned by one agent"),
    Metric("fan_in_mean", "edges", "edges into aggregates / aggregates"),
    Metric("fan_in_peak", "edges", "most edges into one aggregate"),
    Metric("decision_events", "count", "number of orchestrator_decision events", "schema"),
    Metric("delegation_rate", "share 0-1", "decision events labelled O1 or O2 / decision events"),
    Metric(
        "steps", "steps", "sum of x_steps; without any, events of team members that a model acts in"
    ),
    Metric("main_steps", "steps", "steps of the agent that began", PARL),
    Metric(
        "stages",
        "count",
        "groups of sub-agents spawned by the main agent with no return in between",
        PARL,
    ),
    Metric(
        "critical_steps",
        "steps",
        "main steps + sum over stages of the longest sub-agent's steps",
        PARL,
    ),
    Metric("span_steps", "steps", "steps on the heaviest path of edges", GRAPH),
    Metric("critical_differs", "0 or 1", "1 where critical_steps and span_steps differ"),
    Metric("step_speedup", "ratio", "steps / critical_steps", PARL),
    Metric(
        "coordination_share",
        "share 0-1",
        "steps on decisions, spawns, messages and aggregates / steps",
    ),
    Metric(
        "useful_agent_utilization",
        "share 0-1",
        "events of spawned agents with a path of edges to the end / events of spawned agents",
        SURVEY,
    ),
    Metric(
        "protocol_overhead",
        "share 0-1",
        "x_tokens on decisions, spawns, despawns, messages, aggregates and tool calls / x_tokens",
        SURVEY,
    ),
    Metric(
        "message_redundancy",
        "share 0-1",
        "messages between agents with the content_ref of an earlier one / those with a "
        "content_ref; the same in other words is not recognized",
        SURVEY,
    ),
    Metric(
        "error_amplification_ratio",
        "ratio",
        "events with x_error on a path from a first one / first ones, which no other leads to",
        SURVEY,
    ),
    Metric(
        "busy_s",
        "seconds",
        "time in which an agent was busy: from t to x_end, from x_step_t to x_step_end; without "
        "them, of a model step from the end of its last cause, of a tool result from its call",
    ),
    Metric("agent_busy_s", "seconds", "sum over agents of the seconds in which each was busy"),
    Metric("critical_path_s", "seconds", "busy seconds on the heaviest path of edges", GRAPH),
    Metric("busy_parallelism", "ratio", "agent_busy_s / critical_path_s", GRAPH),
    Metric(
        "utilization",
        "share 0-1",
        "agent_busy_s / (width_peak * duration_s)",
        "Brent 1974: work / (processors * time)",
    ),
    Metric(
        "straggler_share",
        "share 0-1",
        "seconds in which only the last sub-agent of a stage of two or more is left / seconds of "
        "these stages",
    ),
    Metric("untrusted_events", "events", "events with trusted: false"),
    Metric(
        "untrusted_reached",
        "events",
        "other events with a path of edges from one of them, with no safety or human event between",
    ),
    Metric("untrusted_share", "share 0-1", "(untrusted_events + untrusted_reached) / events"),
    Metric("message_density", "messages per step", "message events / steps", SCALING),
    Metric("duplicate_refs", "events", "events whose content_ref an earlier event has"),
    Metric("duplicate_share", "share 0-1", "duplicate_refs / events with a content_ref"),
    Metric("tokens_per_reward", "tokens per unit", "costs.tokens / reward, where it is above 0"),
    Metric(
        "seconds_per_reward", "seconds per unit", "costs.wall_clock_s / reward, where it is above 0"
    ),
    Metric("wasted_events", "events", "events with no path of edges to the end"),
    Metric("wasted_spawns", "events", "spawns with no path of edges to the end"),
    Metric("wasted_tokens", "tokens", "sum of x_tokens over wasted events"),
    Metric(
        "tail_events", "events", "events after the last event that is the end or has a path to it"
    ),
    Metric("tail_s", "seconds", "last t or x_end minus t of that event (or its x_end)"),
    Metric("open_calls", "count", "tool calls before the end without a result by then"),
    Metric(
        "open_spawns",
        "count",
        "agents spawned before the end with neither return nor despawn by then",
    ),
)
NAMES = tuple(metric.name for metric in CATALOGUE)
