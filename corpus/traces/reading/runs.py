"""From one document to a run, or to the errors that forbid it (OT001 to OT005)."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from corpus.model.finding import Finding, printable
from corpus.traces import trace_rules as rules
from corpus.traces.model import Trace
from corpus.traces.reading.decoding import OfRun, decode, with_lines
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run

#: Findings that are listed for one check of one trace: a million events can break a rule each.
MOST = 100
#: Findings that a command shows of a broken trace when it only leaves the trace out.
EACH = 10

Value = TypeVar("Value")


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


def valid_run(document: TraceText) -> OfRun[Run]:
    """Decode one document; without an error, the findings are the warnings of decoding."""
    trace, findings = decode(document)
    if trace is None:
        return OfRun(None, findings)
    try:
        run = Run(trace)
        if len(run.index) == len(run.events):
            return OfRun(run, findings)
    except KeyError:
        # An edge names an unknown event; the slow check below finds all of them.
        pass
    problems = list(islice(_id_problems(trace), MOST))
    return OfRun(None, findings + with_lines(document, problems))


def _id_problems(trace: Trace) -> Iterator[Problem]:
    """OT002 and OT003: duplicate event ids, edges to unknown events."""
    first: dict[str, int] = {}
    for place, event in enumerate(trace.events):
        known = first.setdefault(event.id, place)
        if known != place:
            first_path = f"/events/{known}"
            yield Problem.at(rules.DUPLICATE_ID, f"/events/{place}/id", event.id, first=first_path)
    agents = {event.agent for event in trace.events}
    for place, edge in enumerate(trace.edges):
        for end, name in (("src", edge.src), ("dst", edge.dst)):
            if name not in first:
                meant = f"; {printable(name)} is an agent" if name in agents else ""
                yield Problem.at(
                    rules.DANGLING_EDGE, f"/edges/{place}/{end}", name, end=end, meant=meant
                )
