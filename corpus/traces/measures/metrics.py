"""The measures of one run; each is defined in the catalogue, which docs/traces.md prints."""

from __future__ import annotations

import math
from collections import Counter
from typing import Final, NamedTuple, TypeAlias

from msgspec import UNSET

from corpus.traces.measures.decisions import delegating, stop_kind
from corpus.traces.measures.spending import Spent, kinds_of, known_tokens, spending
from corpus.traces.measures.steps import Steps, steps
from corpus.traces.measures.timing import Timing, has_clock, known_seconds, straggler_share, timing
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.measures.width import summed, width
from corpus.traces.model import Event
from corpus.traces.run import OUTSIDE, Run, ended_agent

Number: TypeAlias = float | int | None


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
EXACT: Final = 1 << 53
"""Below it a double holds every whole number."""
COORDINATION: Final = frozenset(("orchestrator_decision", "spawn", "message", "aggregate"))
"""Events that only coordinate: they bring the task itself no further."""
NAMES: Final = tuple(metric.name for metric in CATALOGUE)


class Measures(NamedTuple):
    """What was measured in one run.

    Attributes
    ----------
    values : dict of str to number
        One value for each metric of the catalogue, in its order; None where it is not defined for
        this run, or too large for a double.
    by_type, by_agent : dict of str to int
        Events of each type and of each acting agent or tool, in the order of the run.
    rewards : dict of str to (float or None, float or None)
        For each reward channel: tokens and seconds for one unit of reward; None where it is not
        above 0.
    stop : str
        How the run ended: explicit, implicit, external or truncated.
    reward : str
        The channel that ``tokens_per_reward`` and ``seconds_per_reward`` refer to.
    spent : list of Spent
        Tokens by agent and model.
    busy : dict of str to float
        Seconds in which each agent was busy, where the trace records them.
    """

    values: dict[str, Number]
    by_type: dict[str, int]
    by_agent: dict[str, int]
    rewards: dict[str, tuple[float | None, float | None]]
    stop: str
    reward: str
    spent: list[Spent]
    busy: dict[str, float]


def measure(run: Run) -> Measures:
    """Measure one run; linear in its events and edges."""
    counted = steps(run)
    spent = spending(run)
    clock = has_clock(run)
    times = timing(run, counted.weights) if clock else None
    shape = _shape(run)
    rewards = cost_per_reward(run)
    reward = "team" if "team" in rewards else next(iter(rewards), "")
    tokens, seconds = rewards.get(reward, (None, None))
    values: dict[str, Number] = {
        **_size(run, clock),
        **{f"tokens_{kind}": number for kind, number in kinds_of(spent).items()},
        **shape,
        **_fans(run),
        **_delegation(run),
        **_steps(counted),
        "protocol_overhead": _protocol_overhead(run, counted),
        **_times(run, shape["width_peak"], times, clock),
        **_flow(run),
        "message_density": ratio(len(run.by_kind.get("message", ())), counted.total),
        **_duplicates(run),
        "tokens_per_reward": tokens,
        "seconds_per_reward": seconds,
        **_waste(run, clock),
        **_open(run),
    }
    # A trace may state costs whose sum no double holds; JSON has no infinity, so they are null.
    values = {name: plain(value) for name, value in values.items()}
    by_type = {kind: len(places) for kind, places in run.by_kind.items()}
    by_agent = dict(Counter(run.actors))
    busy = times.busy if times else {}
    return Measures(values, by_type, by_agent, rewards, stop_kind(run), reward, spent, busy)


def plain(value: Number) -> Number:
    """Return a whole number as an integer; None for one that JSON does not have.

    Examples
    --------
    >>> plain(600.0), plain(0.5), plain(math.inf)
    (600, 0.5, None)
    """
    if value is None or not math.isfinite(value):
        return None
    if value == int(value) and abs(value) < EXACT:
        return int(value)
    return value


def ratio(part: float, whole: float) -> float | None:
    """Return `part` over `whole`; None where that divides by zero."""
    return part / whole if whole else None


def _size(run: Run, clock: bool) -> dict[str, Number]:
    duration = run.finish - min(run.times)
    return {
        "events": len(run.events),
        "edges": len(run.trace.edges),
        "agents": len(run.agents),
        "duration_s": duration if clock else None,
        "tokens": known_tokens(run),
    }


def _shape(run: Run) -> dict[str, Number]:
    """Work, span and width."""
    span = run.graph.heaviest()
    mean, peak = width(run.lives.values())
    return {
        "work": len(run.events),
        "span": span,
        "parallelism": len(run.events) / span,
        "width_mean": mean,
        "width_peak": peak,
        "depth": max(run.depths.values()),
    }


def _fans(run: Run) -> dict[str, Number]:
    """Fan-out of the spawn tree and fan-in of the aggregates."""
    children = Counter(run.parents.values())
    into = dict.fromkeys(run.by_kind.get("aggregate", ()), 0)
    if into:
        for target in run.ends[1]:
            if target in into:
                into[target] += 1
    return {
        "fan_out_mean": ratio(len(run.parents), len(children)),
        "fan_out_peak": max(children.values(), default=0),
        "fan_in_mean": ratio(sum(into.values()), len(into)),
        "fan_in_peak": max(into.values(), default=0),
    }


def _delegation(run: Run) -> dict[str, Number]:
    decisions = len(run.by_kind.get("orchestrator_decision", ()))
    rate = delegating(run) / decisions if decisions else None
    return {"decisions": decisions, "delegation_rate": rate}


def _steps(counted: Steps) -> dict[str, Number]:
    critical = counted.critical
    differs = None
    if critical is not None:
        differs = int(critical != counted.span)
    return {
        "steps": counted.total,
        "main_steps": counted.main,
        "stages": counted.stages,
        "critical_steps": critical,
        "span_steps": counted.span,
        "critical_differs": differs,
        "step_speedup": ratio(counted.total, critical) if critical is not None else None,
    }


def _protocol_overhead(run: Run, counted: Steps) -> float | None:
    """Return which share of the steps only coordinates."""
    spent = summed(
        weight
        for weight, kind in zip(counted.weights, run.kinds, strict=True)
        if kind in COORDINATION
    )
    return ratio(spent, counted.total)


def _times(run: Run, peak: Number, found: Timing | None, clock: bool) -> dict[str, Number]:
    """Seconds of work; None where times are inferred or no work is recorded."""
    busy = critical = union = efficiency = None
    if found is not None:
        busy = summed(found.busy.values())
        union = found.union
        critical = found.critical
        efficiency = ratio(busy, (peak or 0) * (run.finish - min(run.times)))
    return {
        "busy_s": union,
        "agent_busy_s": busy,
        "critical_path_s": critical,
        "parallelism_efficiency": efficiency,
        "straggler_share": straggler_share(run) if clock else None,
    }


def _flow(run: Run) -> dict[str, Number]:
    """How far untrusted content came; None where no event states whether it is trusted."""
    names = ("untrusted_events", "untrusted_reached", "untrusted_share")
    flow = untrusted_flow(run)
    if flow is None:
        known = any(event.trusted is not UNSET for event in run.events)
        return dict.fromkeys(names, 0 if known else None)
    origins = sum(event.trusted is False for event in run.events)
    reached = 0
    for place, source in enumerate(flow.before):
        reached += source >= 0 and run.kinds[place] not in OUTSIDE
    share = (origins + reached) / len(run.events)
    return dict(zip(names, (origins, reached, share), strict=True))


def _duplicates(run: Run) -> dict[str, Number]:
    known = [event.content_ref for event in run.events if event.content_ref is not UNSET]
    duplicates = len(known) - len(set(known))
    return {"duplicate_refs": duplicates, "duplicate_share": ratio(duplicates, len(known))}


def cost_per_reward(run: Run) -> dict[str, tuple[float | None, float | None]]:
    """Return tokens and seconds for one unit of each channel; None where it is not above 0."""
    tokens = known_tokens(run)
    seconds = known_seconds(run)
    found = {}
    for channel, reward in run.trace.rewards.items():
        found[channel] = (_price(tokens, reward), _price(seconds, reward))
    return found


def _price(cost: float | None, reward: float) -> float | None:
    """Return the cost of one unit of reward.

    None where the cost is unknown, or the reward is not above 0 or nearly 0.
    """
    if cost is None or reward <= 0:
        return None
    price = cost / reward
    return None if price == math.inf else price


def _waste(run: Run, clock: bool) -> dict[str, Number]:
    """What has no path to the end, and what comes after the last event that has one."""
    useful = run.useful
    wasted = [event for event, is_useful in zip(run.events, useful, strict=True) if not is_useful]
    tail = 0
    last = run.end
    for place in reversed(run.graph.by_time):
        if useful[place]:
            last = place
            break
        tail += 1
    return {
        "wasted_events": len(wasted),
        "wasted_spawns": sum(event.type == "spawn" for event in wasted),
        "wasted_tokens": _wasted_tokens(run, wasted),
        "tail_events": tail,
        "tail_s": max(run.finish - run.until(last), 0.0) if clock else None,
    }


def _wasted_tokens(run: Run, wasted: list[Event]) -> float | None:
    """Return the tokens of the wasted events; None where no event of the run states any."""
    tokens = [event.x_tokens for event in wasted if event.x_tokens is not UNSET]
    if not tokens and all(event.x_tokens is UNSET for event in run.events):
        return None
    return summed(tokens)


def _open(run: Run) -> dict[str, Number]:
    """Calls and spawns that are open when the run ends."""
    times = run.times
    answers = run.pairs.answers
    stop = run.until(run.end)
    calls = 0
    for call in run.by_kind.get("tool_call", ()):
        if times[call] <= stop:
            is_open = call not in answers or times[answers[call]] > stop
            calls += is_open
    spawned = {run.events[place].to for place in run.spawns if times[place] <= stop}
    returns = run.by_kind.get("return", ())
    closed = {run.events[place].agent for place in returns if times[place] <= stop}
    for place in run.by_kind.get("despawn", ()):
        if times[place] <= stop:
            closed.add(ended_agent(run.events[place]))
    spawns = sum(child in spawned and child not in closed for child in run.parents)
    return {"open_calls": calls, "open_spawns": spawns}
