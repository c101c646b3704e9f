"""What can be reported about a run: the items of a checklist, and properties of a benchmark.

Each property is computed from measures of :mod:`corpus.traces.measures.metrics`, or read from the
trace. Where the trace does not record what is needed, the property is not computed: it would be 0
or a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec import UNSET

from corpus.traces.measures.metrics import Measures, measure
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run


class ReportedProperty(NamedTuple):
    """One property of a run and what a trace has for it.

    Attributes
    ----------
    name : str
        Of :data:`CHECKLIST` or :data:`PROPERTIES`.
    label : str
        In print.
    measures : tuple of str
        What can be computed from this trace: measures of the catalogue, keys of the trace.
    lacks : tuple of str
        What the trace would have to record for the rest.
    """

    name: str
    label: str
    measures: tuple[str, ...]
    lacks: tuple[str, ...]

    @property
    def computable(self) -> bool:
        """Whether anything of the property can be computed."""
        return bool(self.measures)


class TraceReporting(NamedTuple):
    """The properties of one trace."""

    trace: str
    properties: tuple[ReportedProperty, ...]


class _Look:
    """A look at one run for one property: what there is, and what is missing."""

    def __init__(self, run: Run, measures: Measures) -> None:
        self.run = run
        self.measures = measures
        self.known: list[str] = []
        self.missing: list[str] = []

    def measured(self, *names: str) -> None:
        """Note those of some measures that are defined for the run."""
        self.known += [name for name in names if self.measures.values[name] is not None]

    def lacks(self, what: str, condition: bool = True) -> None:
        """Note what is missing, where the condition is true."""
        if condition:
            self.missing.append(what)

    def states(self, key: str) -> bool:
        """Whether any event has a key."""
        return any(getattr(event, key) is not UNSET for event in self.run.events)


def reporting(run: Run) -> tuple[ReportedProperty, ...]:
    """Return the items of the checklist and the properties for one run, in declared order."""
    measures = measure(run)
    found: list[ReportedProperty] = []
    for name, (label, look_for) in (CHECKLIST | PROPERTIES).items():
        look = _Look(run, measures)
        look_for(look)
        found.append(ReportedProperty(name, label, tuple(look.known), tuple(look.missing)))
    return tuple(found)


def reported(_document: TraceText, run: Run) -> TraceReporting:
    """Return the properties of the run of one document."""
    return TraceReporting(run.trace.trace_id, reporting(run))


def _task(look: _Look) -> None:
    look.known += [f"rewards.{channel}" for channel in look.run.trace.rewards]
    look.lacks("a channel in `rewards`, such as team", not look.known)


def _cost(look: _Look) -> None:
    look.measured("tokens", "tokens_per_reward")
    _tokens(look)
    look.lacks("for a price: `x_model` on the events with tokens", not look.states("x_model"))


def _tokens(look: _Look) -> None:
    look.lacks("tokens: `costs.tokens`, or `x_tokens` on events", "tokens" not in look.known)


def _latency(look: _Look) -> None:
    look.measured("duration_s", "critical_path_s", "seconds_per_reward")
    look.lacks("times of a clock in `t` (all are inferred)", not look.known)


def _parallelism(look: _Look) -> None:
    if not look.run.trace.edges:
        look.lacks("edges: without an order nothing is known to run at once")
        return
    look.measured("parallelism", "step_speedup", "busy_parallelism")
    has_speedup = "step_speedup" in look.known
    # Lifetimes give it with or without steps.
    look.known.append("width_peak")
    look.lacks("for the speedup: stages of spawned agents and their steps", not has_speedup)
    look.lacks("for exact busy times: `x_end` on events", not look.states("x_end"))


def _collaboration(look: _Look) -> None:
    agents = look.measures.values["agents"] or 0
    if agents < 2:
        look.lacks("a second agent")
        return
    look.measured("message_density", "message_redundancy", "coordination_share")
    missing = "for repeated messages: `content_ref` on messages between agents"
    look.lacks(missing, "message_redundancy" not in look.known)
    # Always: counts of messages tell how much was exchanged, not how well.
    look.lacks("for the quality of the exchange: a judgement of its content")


def _errors(look: _Look) -> None:
    missing = "`x_error` on the events that failed (none is marked)"
    look.lacks(missing, not look.states("x_error"))
    look.lacks("edges: along them an error reaches others", not look.run.trace.edges)
    if not look.missing:
        look.known.append("events that follow one with x_error")


def _safety(look: _Look) -> None:
    if not look.states("trusted"):
        look.lacks("`trusted` on what comes from outside")
        return
    look.measured("untrusted_events", "untrusted_reached", "untrusted_share")
    is_partial = any(event.trusted is UNSET for event in look.run.events)
    look.lacks("`trusted` on some of the events: unmarked ones count as trusted", is_partial)


def _process(look: _Look) -> None:
    look.measured("steps", "delegation_rate", "wasted_events")
    missing = "`orchestrator_decision` events, labelled O1 to O5"
    look.lacks(missing, "delegation_rate" not in look.known)


def _topology(look: _Look) -> None:
    run = look.run
    if run.trace.topology is not UNSET:
        look.known.append(f"topology {run.trace.topology}")
    look.lacks("`topology`", not look.known)
    roles = {event.role for event in run.events if event.role is not UNSET}
    if roles:
        look.known.append(f"{len(roles)} roles")
    look.lacks("`role` on events", not roles)
    despawns = len(run.by_kind.get("despawn", ()))
    look.known.append(f"{len(run.spawns)} spawns, {despawns} despawns")
    # Without a spawn it may be a team of fixed size, or one whose spawns nobody logged.
    look.lacks("`spawn` events, or that the team is of fixed size", not run.spawns)


def _scale(look: _Look) -> None:
    look.measured("events", "agents", "duration_s", "tokens")
    has_duration = "duration_s" in look.known
    look.lacks("times of a clock in `t` (all are inferred)", not has_duration)
    _tokens(look)
    for kind in ("message", "tool_call"):
        if look.run.by_kind.get(kind):
            look.known.append(f"{kind} events")


def _rewards(look: _Look) -> None:
    _task(look)
    has_team = "team" in look.run.trace.rewards
    look.lacks("the channel `team`", bool(look.known) and not has_team)
    look.lacks("whether auxiliary rewards are annealed: no key of a trace", len(look.known) > 1)


def _credit(look: _Look) -> None:
    look.lacks("the finest unit with an advantage, value or score: no key of a trace")


def _instruments(look: _Look) -> None:
    run = look.run
    for kind, what in (("tool_result", "tool output"), ("message", "messages")):
        marked = [run.events[place].trusted for place in run.by_kind.get(kind, ())]
        if marked and UNSET not in marked:
            look.known.append(f"`trusted` on {what}")
        else:
            look.lacks(f"`trusted` on every {kind}", bool(marked))
    has_people = "human_intervention" in run.by_kind
    if has_people:
        look.known.append("human_intervention events")
    look.lacks("`human_intervention` events, or that nobody intervened", not has_people)
    look.lacks("shared memory: no type of event")


def _metrics(look: _Look) -> None:
    needs = {
        "useful_agent_utilization": "spawned agents",
        "protocol_overhead": "`x_tokens` on events",
        "message_redundancy": "`content_ref` on messages between agents",
        "error_amplification_ratio": "`x_error` on the events that failed (none is marked)",
    }
    look.measured(*needs)
    look.lacks("parallelism_efficiency: the run of a serial baseline")
    for name, need in needs.items():
        look.lacks(f"{name}: {need}", name not in look.known)


#: Items of the checklist and metrics that the survey asks for; the names are those of its table.
CHECKLIST: dict[str, tuple[str, Callable[[_Look], None]]] = {
    "topology": ("topology and roles", _topology),
    "scale": ("scale of the trace", _scale),
    "rewards": ("reward channels", _rewards),
    "credit": ("credit unit", _credit),
    "safety": ("safety instrumentation", _instruments),
    "metrics": ("metrics", _metrics),
}
#: Name -> label in print, and what looks for it. The names are those of data/evidence.
PROPERTIES: dict[str, tuple[str, Callable[[_Look], None]]] = {
    "task_outcome": ("task success", _task),
    "cost_of_run": ("cost", _cost),
    "run_time": ("latency", _latency),
    "parallel_work": ("parallelism", _parallelism),
    "collaboration": ("collaboration quality", _collaboration),
    "error_spread": ("error propagation", _errors),
    "attack_safety": ("safety", _safety),
    "process_steps": ("process", _process),
}
