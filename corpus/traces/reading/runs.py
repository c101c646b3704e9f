"""From one document to a run, or to the errors that forbid it (OT001 to OT005)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import inf
from typing import Generic, NamedTuple, TypeVar

from corpus.model.finding import Finding, printable
from corpus.traces import trace_rules as rules
from corpus.traces.model import Edge, Trace
from corpus.traces.reading.decoding import decode, with_lines
from corpus.traces.reading.pointer_lines import pointer
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run

#: Findings that are listed for one check of one trace: a million events can break a rule each.
MOST = 100
#: Findings that a command shows of a broken trace when it only leaves the trace out.
EACH = 10

Value = TypeVar("Value")


class OfRun(NamedTuple, Generic[Value]):
    """What was found of one run; of a broken trace None and the first findings."""

    value: Value | None
    findings: list[Finding]


def of_run(item: TraceText | Finding, function: Callable[[TraceText, Run], Value]) -> OfRun[Value]:
    """Apply a function to one document and its run; a finding of the reader is passed on."""
    if not isinstance(item, TraceText):
        return OfRun(None, [item])
    run, findings = valid_run(item)
    if run is None:
        return OfRun(None, findings[:EACH])
    return OfRun(function(item, run), [])


def valid_runs(
    documents: Iterable[TraceText | Finding], broken: list[Finding]
) -> Iterator[tuple[TraceText, Run]]:
    """Yield each document without errors with its run; `broken` gets findings of the others."""
    for item in documents:
        found = of_run(item, lambda document, run: (document, run))
        broken += found.findings
        if found.value is not None:
            yield found.value


def valid_run(document: TraceText) -> tuple[Run | None, list[Finding]]:
    """Decode one document.

    Returns
    -------
    run : Run or None
        The run; None where the document has an error.
    findings : list of Finding
        The errors, or without one the warnings of decoding.
    """
    trace, findings = decode(document)
    if trace is None:
        return None, findings
    try:
        run = Run(trace)
        if len(run.index) == len(run.events):
            return run, findings
    except KeyError:
        # An edge names an unknown event; the slow check below finds all of them.
        pass
    problems = list(islice(_id_problems(trace), MOST))
    return None, findings + with_lines(document, problems)


def _id_problems(trace: Trace) -> Iterator[Problem]:
    """OT002 and OT003: duplicate event ids, edges to unknown events."""
    first: dict[str, int] = {}
    for place, event in enumerate(trace.events):
        known = first.setdefault(event.id, place)
        if known != place:
            first_path = pointer("events", known)
            path = pointer("events", place, "id")
            yield Problem.at(rules.DUPLICATE_ID, path, event.id, first=first_path)
    for place, edge in enumerate(trace.edges):
        for end, name in (("src", edge.src), ("dst", edge.dst)):
            if name not in first:
                meant = _event_meant(trace, edge, end)
                path = pointer("edges", place, end)
                yield Problem.at(rules.DANGLING_EDGE, path, name, end=end, meant=meant)


def _event_meant(trace: Trace, edge: Edge, end: str) -> str:
    """Return a hint at the event that an edge meant by naming an agent; empty for other names."""
    is_source = end == "src"
    name = edge.src if is_source else edge.dst
    other = edge.dst if is_source else edge.src
    own = [event for event in trace.events if event.agent == name]
    if not own:
        return ""
    times = [event.t for event in trace.events if event.id == other]
    if is_source:
        # The last thing that the agent did before the effect.
        latest = times[0] if times else inf
        before = [event for event in own if event.t <= latest]
        meant = max(before or own, key=lambda event: event.t)
    else:
        earliest = times[0] if times else -inf
        after = [event for event in own if event.t >= earliest]
        meant = min(after or own, key=lambda event: event.t)
    return f"; {printable(name)} is an agent, whose event here is perhaps {printable(meant.id)}"
