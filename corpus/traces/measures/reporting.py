"""What a benchmark could report about a run: which properties its trace is enough for.

Each property is computed from measures of :mod:`corpus.traces.measures.metrics`, or read from the
trace. Where the trace does not record what is needed, the property is not computed: it would be 0
or a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec import UNSET

from corpus.model.finding import Finding
from corpus.traces.measures.metrics import Measures, measure
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.runs import valid_run
from corpus.traces.run import Run


class ReportedProperty(NamedTuple):
    """One property of a run and what a trace has for it.

    Attributes
    ----------
    name : str
        Of :data:`PROPERTIES`.
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
    """The properties of one trace; of a broken trace only the findings."""

    trace: str
    properties: tuple[ReportedProperty, ...]
    findings: list[Finding]


#: Measures that are there, and what is missing.
_Found = tuple[list[str], list[str]]


def reporting(run: Run) -> tuple[ReportedProperty, ...]:
    """Return every property of :data:`PROPERTIES` for one run, in declared order."""
    measures = measure(run)
    found: list[ReportedProperty] = []
    for name, (label, look) in PROPERTIES.items():
        known, lacks = look(run, measures)
        reported = ReportedProperty(name, label, tuple(known), tuple(lacks))
        found.append(reported)
    return tuple(found)


def reported(item: TraceText | Finding) -> TraceReporting:
    """Return the properties of one document; a finding of the reader is passed on."""
    if not isinstance(item, TraceText):
        return TraceReporting("", (), [item])
    run, findings = valid_run(item)
    if run is None:
        return TraceReporting("", (), findings)
    return TraceReporting(run.trace.trace_id, reporting(run), [])


def _defined(measures: Measures, *names: str) -> list[str]:
    """Return those of some measures that are defined for the run."""
    return [name for name in names if measures.values[name] is not None]


def _task(run: Run, _: Measures) -> _Found:
    known = [f"rewards.{channel}" for channel in run.trace.rewards]
    if known:
        return known, []
    return [], ["a channel in `rewards`, such as team"]


def _cost(run: Run, measures: Measures) -> _Found:
    known = _defined(measures, "tokens", "tokens_per_reward")
    lacks: list[str] = []
    if "tokens" not in known:
        lacks.append("tokens: `costs.tokens`, or `x_tokens` on events")
    has_model = any(event.x_model is not UNSET for event in run.events)
    if not has_model:
        lacks.append("for a price: `x_model` on the events with tokens")
    return known, lacks


def _latency(_: Run, measures: Measures) -> _Found:
    known = _defined(measures, "duration_s", "critical_path_s", "seconds_per_reward")
    if known:
        return known, []
    return [], ["times of a clock in `t` (all are inferred)"]


def _parallelism(run: Run, measures: Measures) -> _Found:
    if not run.trace.edges:
        return [], ["edges: without an order nothing is known to run at once"]
    known = _defined(measures, "parallelism", "step_speedup", "parallelism_efficiency")
    # Lifetimes give it with or without steps.
    known += ["width_peak"]
    lacks: list[str] = []
    if "step_speedup" not in known:
        lacks.append("for the speedup: stages of spawned agents and their steps")
    if not any(event.x_end is not UNSET for event in run.events):
        lacks.append("for exact busy times: `x_end` on events")
    return known, lacks


def _collaboration(_: Run, measures: Measures) -> _Found:
    agents = measures.values["agents"] or 0
    if agents < 2:
        return [], ["a second agent"]
    known = _defined(measures, "message_density", "duplicate_share", "protocol_overhead")
    lacks: list[str] = []
    if "duplicate_share" not in known:
        lacks.append("for repeated work: `content_ref` on events")
    # Always: counts of messages tell how much was exchanged, not how well.
    lacks.append("for the quality of the exchange: a judgement of its content")
    return known, lacks


def _errors(run: Run, _: Measures) -> _Found:
    lacks: list[str] = []
    if not any(event.x_error is not UNSET for event in run.events):
        lacks.append("`x_error` on the events that failed (none is marked)")
    if not run.trace.edges:
        lacks.append("edges: along them an error reaches others")
    if lacks:
        return [], lacks
    return ["events that follow one with x_error"], []


def _safety(run: Run, measures: Measures) -> _Found:
    marked = [event for event in run.events if event.trusted is not UNSET]
    if not marked:
        return [], ["`trusted` on what comes from outside"]
    known = _defined(measures, "untrusted_events", "untrusted_reached", "untrusted_share")
    if len(marked) < len(run.events):
        return known, ["`trusted` on some of the events: unmarked ones count as trusted"]
    return known, []


def _process(_: Run, measures: Measures) -> _Found:
    known = _defined(measures, "steps", "delegation_rate", "wasted_events")
    if "delegation_rate" not in known:
        return known, ["`orchestrator_decision` events, labelled O1 to O5"]
    return known, []


#: Name -> label in print, and what looks for it. The names are those of data/evidence.
PROPERTIES: dict[str, tuple[str, Callable[[Run, Measures], _Found]]] = {
    "task_outcome": ("task success", _task),
    "cost_of_run": ("cost", _cost),
    "run_time": ("latency", _latency),
    "parallel_work": ("parallelism", _parallelism),
    "collaboration": ("collaboration quality", _collaboration),
    "error_spread": ("error propagation", _errors),
    "attack_safety": ("safety", _safety),
    "process_steps": ("process", _process),
}
