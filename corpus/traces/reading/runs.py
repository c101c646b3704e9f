"""From one document to a run, or to the errors that forbid it (OT001 to OT005)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from corpus.model.finding import Finding, printable
from corpus.traces import trace_rules as rules
from corpus.traces.model import Edge, Trace
from corpus.traces.reading.decoding import decode, with_lines
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run

#: Findings that are listed for one check of one trace: a million events can break a rule each.
MOST: Final = 100
#: Findings that a command shows of a broken trace when it only leaves the trace out.
EACH: Final = 10


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
            places: dict[str, object] = {"first": f"/events/{known}"}
            yield Problem(rules.DUPLICATE_ID, f"/events/{place}/id", event.id, places)
    for place, edge in enumerate(trace.edges):
        for end, name in (("src", edge.src), ("dst", edge.dst)):
            if name not in first:
                words: dict[str, object] = {"end": end, "meant": _event_meant(trace, edge, end)}
                yield Problem(rules.DANGLING_EDGE, f"/edges/{place}/{end}", name, words)


def _event_meant(trace: Trace, edge: Edge, end: str) -> str:
    """Return a hint at the event that an edge meant by naming an agent; empty for other names."""
    name, other = edge.dst, edge.src
    if end == "src":
        name, other = edge.src, edge.dst
    own = [event for event in trace.events if event.agent == name]
    if not own:
        return ""
    times = [event.t for event in trace.events if event.id == other]
    if end == "src":
        before = [event for event in own if not times or event.t <= times[0]]
        meant = max(before or own, key=lambda event: event.t)
    else:
        after = [event for event in own if not times or event.t >= times[0]]
        meant = min(after or own, key=lambda event: event.t)
    return f"; {printable(name)} is an agent, whose event here is perhaps {printable(meant.id)}"
