"""The measures of one run; :mod:`corpus.traces.measures.catalogue` defines each."""

import math
from collections import Counter
from itertools import compress
from operator import not_
from typing import NamedTuple, TypeAlias

from msgspec import UNSET

from corpus.traces.lookup import JsonObject
from corpus.traces.measures.decisions import delegating, stop_kind
from corpus.traces.measures.spending import known_tokens, spending
from corpus.traces.measures.steps import steps
from corpus.traces.measures.timing import known_seconds, straggler_share, summed, timing, width
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.model import TOKEN_KINDS
from corpus.traces.run import OUTSIDE, Run

Number: TypeAlias = float | int | None
#: Measures by name; None where one is not defined.
Numbers: TypeAlias = dict[str, Number]


#: Below it a double holds every whole number.
EXACT = 1 << 53
#: Events that only coordinate: they bring the task itself no further.
COORDINATION = frozenset(("orchestrator_decision", "spawn", "message", "aggregate"))
#: Events whose tokens are for orchestration, messages and the management of tools.
PROTOCOL = COORDINATION | {"despawn", "tool_call"}


class Measures(NamedTuple):
    """What was measured in one run.

    Attributes
    ----------
    values : dict of str to number
        One value for each metric of the catalogue, in its order; None where it is not defined for
        this run, or too large for a double.
    details : dict of str to object
        What is counted for each type, agent, model and reward channel, as in JSON: events of each
        type and of each acting agent or tool, in the order of the run; tokens; seconds in which
        each agent was busy, where the trace records them; cost of one unit of reward.
    stop : str
        How the run ended: explicit, implicit, external or truncated.
    reward : str
        The channel that ``tokens_per_reward`` and ``seconds_per_reward`` refer to.
    """

    values: Numbers
    details: JsonObject
    stop: str
    reward: str


def measure(run: Run) -> Measures:
    """Measure one run; linear in its events and edges."""
    counted = steps(run)
    of_agents, of_models, tokens = spending(run)
    # Without a clock, t counts turns or rows: seconds between them would be made up.
    duration = run.finish - run.begin if run.has_clock else None
    times = timing(run, counted.weights)
    busy = summed(times.busy.values()) if times.busy else None
    contents = run.stated("content_ref")
    duplicates = len(contents) - len(set(contents))
    critical = counted.critical
    # A number, so that the mean over many runs is the share in which the two differ.
    differs = None if critical is None else int(critical != counted.span)
    span = run.graph.heaviest([1] * len(run.events))
    width_mean, width_peak = width(run.lives.values())
    rewards = cost_per_reward(run)
    # The team's reward is what a run is judged by; the first channel takes its place.
    reward = "team" if "team" in rewards else next(iter(rewards), "")
    of_reward = rewards.get(reward, {})
    decisions = len(run.by_kind["orchestrator_decision"])
    coordinating = map(COORDINATION.__contains__, run.kinds)
    values: Numbers = {
        "events": len(run.events),
        "edges": len(run.trace.edges),
        "agents": len(run.agents),
        "duration_s": duration,
        "tokens": known_tokens(run),
        **{f"tokens_{kind}": tokens[kind] for kind in TOKEN_KINDS},
        "work": len(run.events),
        "span": span,
        "parallelism": len(run.events) / span,
        "width_mean": width_mean,
        "width_peak": width_peak,
        "depth": max(run.depths.values()),
        **_fans(run),
        "decision_events": decisions,
        "delegation_rate": ratio(delegating(run), decisions),
        "steps": counted.total,
        "main_steps": counted.main,
        "stages": counted.stages,
        "critical_steps": critical,
        "span_steps": counted.span,
        "critical_differs": differs,
        "step_speedup": ratio(counted.total, critical),
        "coordination_share": ratio(summed(compress(counted.weights, coordinating)), counted.total),
        **_team(run),
        "busy_s": times.union,
        "agent_busy_s": busy,
        "critical_path_s": times.critical,
        "busy_parallelism": ratio(busy, times.critical),
        "utilization": ratio(busy, width_peak * (run.finish - run.begin)),
        "straggler_share": straggler_share(run),
        **_flow(run),
        "message_density": ratio(len(run.by_kind["message"]), counted.total),
        "duplicate_refs": duplicates,
        "duplicate_share": ratio(duplicates, len(contents)),
        "tokens_per_reward": of_reward.get("tokens"),
        "seconds_per_reward": of_reward.get("seconds"),
        **_waste(run),
        **_open(run),
    }
    # The sum of costs may be too large for a double; JSON has no infinity, so it is null.
    values = {name: plain(value) for name, value in values.items()}
    details = {
        "events_by_type": {kind: len(places) for kind, places in run.by_kind.items()},
        "events_by_agent": Counter(run.actors),
        "tokens_by_agent": of_agents,
        "tokens_by_model": of_models,
        "busy_s_by_agent": times.busy,
        "cost_per_reward": rewards,
    }
    return Measures(values, details, stop_kind(run), reward)


def plain(value: Number) -> Number:
    """Return a whole number as an integer; None for one that JSON does not have.

    Examples
    --------
    >>> plain(600.0), plain(0.5), plain(math.inf)
    (600, 0.5, None)
    """
    value = finite(value)
    if value is not None and value == int(value) and abs(value) < EXACT:
        return int(value)
    return value


def finite(value: Number) -> Number:
    """Return a number as it is; None for one that JSON does not have.

    Sums and quotients of large numbers leave the range of doubles.
    """
    if value is None or not math.isfinite(value):
        return None
    return value


def ratio(part: float | None, whole: float | None) -> float | None:
    """Return `part` over `whole`.

    None where one is unknown, that divides by zero, or the quotient is too large for a double.
    """
    if part is None or not whole:
        return None
    return finite(part / whole)


def _fans(run: Run) -> Numbers:
    """Fan-out of the spawn tree and fan-in of the aggregates."""
    children = Counter(run.parents.values())
    aggregates = run.by_kind["aggregate"]
    into = Counter(filter(set(aggregates).__contains__, run.ends[1]))
    return {
        "fan_out_mean": ratio(len(run.parents), len(children)),
        "fan_out_peak": max(children.values(), default=0),
        "fan_in_mean": ratio(into.total(), len(aggregates)),
        "fan_in_peak": max(into.values(), default=0),
    }


def _team(run: Run) -> Numbers:
    """Metrics of teams; None where the trace records nothing that they are made of."""
    of_spawned = [place for place, agent in enumerate(run.actors) if agent in run.parents]
    helpful = sum(map(run.useful.__getitem__, of_spawned))
    protocol = summed(event.x_tokens or 0 for event in run.of_kind(*PROTOCOL))
    team = set(run.agents)
    sent = []
    for event in run.of_kind("message"):
        is_between = event.agent in team and (event.to is UNSET or event.to in team)
        if is_between and event.content_ref is not UNSET:
            sent.append(event.content_ref)
    return {
        "useful_agent_utilization": ratio(helpful, len(of_spawned)),
        "protocol_overhead": ratio(protocol, summed(run.stated("x_tokens"))),
        "message_redundancy": ratio(len(sent) - len(set(sent)), len(sent)),
        "error_amplification_ratio": _amplification(run),
    }


def _amplification(run: Run) -> float | None:
    """Return how many failed events follow a first one; None where no event is marked."""
    failed = [place for place, event in enumerate(run.events) if event.x_error is not UNSET]
    if not failed:
        return None
    # An error is a first one where no edge leads to it from what another error reached.
    reached = run.graph.reached(failed)
    later = {target for source, target in run.graph.edges() if reached[source]}
    firsts = set(failed) - later
    return ratio(len(failed) - len(firsts), len(firsts))


def _flow(run: Run) -> Numbers:
    """How far untrusted content came; None where no event states whether it is trusted."""
    marks = [event.trusted for event in run.events]
    # Where nobody states what can be trusted, none that is untrusted means nothing.
    if marks.count(UNSET) == len(marks):
        return dict.fromkeys(("untrusted_events", "untrusted_reached", "untrusted_share"))
    origins = marks.count(False)
    reached = 0
    for kind, source in zip(run.kinds, untrusted_flow(run).before, strict=True):
        reached += source >= 0 and kind not in OUTSIDE
    return {
        "untrusted_events": origins,
        "untrusted_reached": reached,
        "untrusted_share": (origins + reached) / len(run.events),
    }


def cost_per_reward(run: Run) -> dict[str, dict[str, float | None]]:
    """Return tokens and seconds for one unit of each channel; None where it is not above 0."""
    tokens = known_tokens(run)
    seconds = known_seconds(run)
    found = {}
    for channel, reward in run.trace.rewards.items():
        earned = max(reward, 0)
        found[channel] = {"tokens": ratio(tokens, earned), "seconds": ratio(seconds, earned)}
    return found


def _waste(run: Run) -> Numbers:
    """What has no path to the end, and what comes after the last event that has one."""
    useful = run.useful
    wasted = list(compress(run.events, map(not_, useful)))
    # By time: a later event may be listed before the last one that counts.
    tail = bytes(map(useful.__getitem__, reversed(run.graph.by_time))).index(1)
    last = run.graph.by_time[-1 - tail]
    tokens = summed(event.x_tokens or 0 for event in wasted)
    return {
        "wasted_events": len(wasted),
        "wasted_spawns": sum(event.type == "spawn" for event in wasted),
        "wasted_tokens": tokens if run.states_tokens else None,
        "tail_events": tail,
        "tail_s": max(run.finish - run.until(last), 0.0) if run.has_clock else None,
    }


def _open(run: Run) -> Numbers:
    """Calls and spawns that are open when the run ends."""
    times = run.times
    answers = run.pairs.answers
    stop = run.until(run.end)
    calls = 0
    for call in run.by_kind["tool_call"]:
        if times[call] <= stop:
            calls += call not in answers or times[answers[call]] > stop
    spawned = {event.to for event in run.of_kind("spawn") if event.t <= stop}
    ends = [event for event in run.of_kind("return", "despawn") if event.t <= stop]
    spawned.difference_update(map(run.ended, ends))
    return {"open_calls": calls, "open_spawns": len(spawned & run.parents.keys())}
