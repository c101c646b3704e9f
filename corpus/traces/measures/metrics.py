"""The measures of one run; :mod:`corpus.traces.measures.catalogue` defines each."""

import math
from collections import Counter
from itertools import compress
from operator import not_
from typing import NamedTuple, TypeAlias

from msgspec import UNSET

from corpus.traces.lookup import JsonObject
from corpus.traces.measures.decisions import stop_kind
from corpus.traces.measures.spending import known_tokens, spending
from corpus.traces.measures.steps import steps
from corpus.traces.measures.timing import summed, timing, width
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.model import TOKEN_KINDS
from corpus.traces.run import OUTSIDE, Run

Number: TypeAlias = float | int | None
#: Measures by name; None where one is not defined.
Numbers: TypeAlias = dict[str, Number]


#: Below it a double holds every whole number.
EXACT = 1 << 53
#: Events whose tokens are for orchestration, messages and the management of tools.
PROTOCOL = ("orchestrator_decision", "spawn", "message", "aggregate", "despawn", "tool_call")


class Measures(NamedTuple):
    """What was measured in one run.

    Attributes
    ----------
    values : dict of str to number
        One value for each metric of the catalogue, in its order; None where it is not defined for
        this run, or too large for a double.
    details : dict of str to object
        As in JSON: ``events_by_type``; ``agents``, with events, seconds in which each was busy
        (None where the trace does not record them) and tokens; ``models``, with tokens.
    stop : str
        How the run ended: explicit, implicit, external or truncated.
    """

    values: Numbers
    details: JsonObject
    stop: str


def measure(run: Run) -> Measures:
    """Measure one run; linear in its events and edges."""
    counted = steps(run)
    spent, models, whole = spending(run)
    tokens = known_tokens(run)
    # Without a clock, t counts turns or rows: seconds between them would be made up.
    duration = run.finish - run.begin if run.has_clock else None
    by_agent, busy, critical_s = timing(run, counted.weights)
    agent_busy = summed(by_agent.values()) if by_agent else None
    span = run.graph.heaviest([1] * len(run.events))
    width_mean, width_peak = width(run.lives.values())
    values: Numbers = {
        "events": len(run.events),
        "edges": len(run.trace.edges),
        "agents": len(run.agents),
        "duration_s": duration,
        "tokens": tokens,
        **{f"tokens_{kind}": whole[kind] for kind in TOKEN_KINDS},
        "span": span,
        "parallelism": len(run.events) / span,
        "width_mean": width_mean,
        "width_peak": width_peak,
        "depth": max(run.depths.values()),
        "steps": counted.total,
        "main_steps": counted.main,
        "stages": counted.stages,
        "critical_steps": counted.critical,
        "span_steps": counted.span,
        "step_speedup": ratio(counted.total, counted.critical),
        **_team(run),
        "busy_s": busy,
        "agent_busy_s": agent_busy,
        "critical_path_s": critical_s,
        "busy_parallelism": ratio(agent_busy, critical_s),
        **_flow(run),
        **_waste(run),
    }
    agents = {}
    for agent, count in Counter(run.actors).items():
        of_agent = spent.get(agent, {})
        kinds = {kind: of_agent.get(kind) for kind in ("tokens", *TOKEN_KINDS)}
        agents[agent] = {"events": count, "busy_s": by_agent.get(agent), **kinds}
    by_type = {kind: len(places) for kind, places in run.by_kind.items()}
    details = {"events_by_type": by_type, "agents": agents, "models": models}
    # The sum of costs may be too large for a double; JSON has no infinity, so it is null.
    values = {name: plain(value) for name, value in values.items()}
    return Measures(values, details, stop_kind(run))


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
    # An error is a first one where no edge leads to it from what another error reached.
    failed = [place for place, event in enumerate(run.events) if event.x_error is not UNSET]
    firsts = set(failed)
    if failed:
        reached = run.graph.reached(failed)
        firsts -= {target for source, target in run.graph.edges() if reached[source]}
    return {
        "useful_agent_utilization": ratio(helpful, len(of_spawned)),
        "protocol_overhead": ratio(protocol, summed(run.stated("x_tokens"))),
        "message_redundancy": ratio(len(sent) - len(set(sent)), len(sent)),
        "error_amplification_ratio": ratio(len(failed) - len(firsts), len(firsts)),
    }


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


def _waste(run: Run) -> Numbers:
    """What has no path to the end."""
    wasted = list(compress(run.events, map(not_, run.useful)))
    tokens = summed(event.x_tokens or 0 for event in wasted)
    return {
        "wasted_events": len(wasted),
        "wasted_spawns": sum(event.type == "spawn" for event in wasted),
        "wasted_tokens": tokens if run.states_tokens else None,
    }
