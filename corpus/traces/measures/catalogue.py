"""The catalogue of measures, which docs/traces.md prints: name, unit, formula and source."""

from __future__ import annotations

from typing import Final, NamedTuple


class Metric(NamedTuple):
    """One entry of the catalogue: name, unit, formula and source of a measure."""

    name: str
    unit: str
    formula: str
    source: str


GRAPH: Final = "Brent 1974: work and span of a computation graph"
PARL: Final = "Kimi K2.5 technical report, arXiv 2602.02276 (PARL)"
SCALING: Final = "Kim et al. 2025, arXiv 2512.08296"
OWN: Final = "this project"

CATALOGUE: Final[tuple[Metric, ...]] = (
    Metric("events", "count", "number of events", "schema"),
    Metric("edges", "count", "number of edges", "schema"),
    Metric(
        "agents",
        "count",
        "members of the team: who acts or is spawned; no tools, no outside persons",
        OWN,
    ),
    Metric(
        "duration_s",
        "seconds",
        "last t or x_end minus first t; undefined where every t is inferred",
        OWN,
    ),
    Metric(
        "tokens",
        "tokens",
        "costs.tokens; undefined where it is 0 and no event has tokens",
        "schema",
    ),
    Metric("tokens_input", "tokens", "sum of x_tokens_input", OWN),
    Metric("tokens_cached", "tokens", "sum of x_tokens_cached", OWN),
    Metric("tokens_cache_write", "tokens", "sum of x_tokens_cache_write", OWN),
    Metric("tokens_output", "tokens", "sum of x_tokens_output", OWN),
    Metric("tokens_reasoning", "tokens", "sum of x_tokens_reasoning", OWN),
    Metric("work", "events", "number of events", GRAPH),
    Metric("span", "events", "events on the longest path of edges", GRAPH),
    Metric("parallelism", "ratio", "work / span", GRAPH),
    Metric(
        "width_mean",
        "agents",
        "sum of the agents' lifetimes / time from the first to the last of them; "
        "the peak where that is 0",
        OWN,
    ),
    Metric("width_peak", "agents", "largest number of agents there at one time", OWN),
    Metric("depth", "spawns", "longest chain of spawns from a root of the spawn tree", OWN),
    Metric("fan_out_mean", "agents", "spawned agents / agents that spawn", OWN),
    Metric("fan_out_peak", "agents", "most agents spawned by one agent", OWN),
    Metric("fan_in_mean", "edges", "edges into aggregates / aggregates", OWN),
    Metric("fan_in_peak", "edges", "most edges into one aggregate", OWN),
    Metric("decisions", "count", "number of orchestrator_decision events", "schema"),
    Metric("delegation_rate", "share 0-1", "decisions labelled O1 or O2 / decisions", OWN),
    Metric(
        "steps",
        "steps",
        "sum of x_steps; without any, events of team members that a model acts in",
        OWN,
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
    Metric("critical_differs", "0 or 1", "1 where critical_steps and span_steps differ", OWN),
    Metric("step_speedup", "ratio", "steps / critical_steps", PARL),
    Metric(
        "protocol_overhead",
        "share 0-1",
        "steps on decisions, spawns, messages and aggregates / steps",
        "schema names it; this project",
    ),
    Metric(
        "busy_s",
        "seconds",
        "time in which an agent was busy: from t to x_end; without x_end, of a model step from the "
        "end of its last cause, of a tool result from its call",
        OWN,
    ),
    Metric("agent_busy_s", "seconds", "sum over agents of the seconds in which each was busy", OWN),
    Metric("critical_path_s", "seconds", "busy seconds on the heaviest path of edges", GRAPH),
    Metric(
        "parallelism_efficiency",
        "share 0-1",
        "agent_busy_s / (width_peak * duration_s)",
        "schema names it; Brent 1974: work / (processors * time)",
    ),
    Metric(
        "straggler_share",
        "share 0-1",
        "seconds in which only the last sub-agent of a stage of two or more is left / seconds of "
        "these stages",
        OWN,
    ),
    Metric("untrusted_events", "events", "events with trusted: false", OWN),
    Metric(
        "untrusted_reached",
        "events",
        "other events with a path of edges from one of them, with no safety or human event between",
        OWN,
    ),
    Metric("untrusted_share", "share 0-1", "(untrusted_events + untrusted_reached) / events", OWN),
    Metric("message_density", "messages per step", "message events / steps", SCALING),
    Metric("duplicate_refs", "events", "events whose content_ref an earlier event has", OWN),
    Metric("duplicate_share", "share 0-1", "duplicate_refs / events with a content_ref", OWN),
    Metric(
        "tokens_per_reward", "tokens per unit", "costs.tokens / reward, where it is above 0", OWN
    ),
    Metric(
        "seconds_per_reward",
        "seconds per unit",
        "costs.wall_clock_s / reward, where it is above 0",
        OWN,
    ),
    Metric("wasted_events", "events", "events with no path of edges to the end", OWN),
    Metric("wasted_spawns", "events", "spawns with no path of edges to the end", OWN),
    Metric("wasted_tokens", "tokens", "sum of x_tokens over wasted events", OWN),
    Metric(
        "tail_events",
        "events",
        "events after the last event that is the end or has a path to it",
        OWN,
    ),
    Metric("tail_s", "seconds", "last t or x_end minus t of that event (or its x_end)", OWN),
    Metric("open_calls", "count", "tool calls before the end without a result by then", OWN),
    Metric(
        "open_spawns",
        "count",
        "agents spawned before the end with neither return nor despawn by then",
        OWN,
    ),
)
NAMES: Final = tuple(metric.name for metric in CATALOGUE)
