"""Check where untrusted content goes: OT107, the path that an indirect prompt injection takes."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.traces import trace_rules as rules
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.reading.pointer_lines import pointer
from corpus.traces.reading.structure import Problem
from corpus.traces.run import Run


def unchecked_flow(run: Run) -> Iterator[Problem]:
    """OT107: each trusted event and each aggregate that untrusted content reaches unchecked."""
    flow = untrusted_flow(run)
    if flow is None:
        return
    for place in flow.reached:
        event = run.events[place]
        source = run.events[flow.origin[place]].id
        kind = "aggregate"
        if event.type != "aggregate":
            kind = f"trusted {event.type}"
        path = pointer("events", place)
        yield Problem.at(rules.UNTRUSTED_FLOW, path, event.id, source=source, kind=kind)
