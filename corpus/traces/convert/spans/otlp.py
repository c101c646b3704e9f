"""OTLP traces in JSON, with the GenAI conventions of OpenTelemetry or those of OpenInference."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import DROPPED, Conversion, RecordedFormat
from corpus.traces.convert.lookup import items, nano_time, records, text, value
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.spans.otlp_attributes import attributes, hex_id
from corpus.traces.convert.spans.otlp_kinds import handovers, read_span, unknown_kind
from corpus.traces.convert.spans.span_walk import SpanWalk
from corpus.traces.convert.spans.spans import AGENT, GUARD, HANDOFF, MODEL, TOOL, Span, runs

_SPEAKING = (AGENT, MODEL, TOOL, HANDOFF, GUARD)
_CAPITAL = re.compile("[A-Z]")


def recognise(document: RecordedFile) -> bool:
    """Look for the envelope of OTLP."""
    envelopes: list[Any] = []
    for row in document.rows[:5]:
        envelopes += _envelopes(row.value)
    return any(_resources(envelope) for envelope in envelopes)


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each run.

    The spans of one trace id, or of several that span links join.
    """
    spans: list[Span] = []
    links: list[tuple[str, str]] = []
    declared = 0
    unknown: dict[str, Counter[str]] = {}
    for scope, written in _written_spans(documents):
        trace = hex_id(_field(written, "traceId"), 32)
        name = hex_id(_field(written, "spanId"), 16)
        given = attributes(value(written, "attributes"))
        if not name:
            continue
        if given.get("gen_ai.operation.name") == "create_agent":
            declared += 1
            continue
        if kind := unknown_kind(given):
            unknown.setdefault(trace, Counter())[kind] += 1
        spans.append(read_span(_bare_span(written, trace, name, scope), given))
        for link in items(written, "links"):
            linked = hex_id(_field(link, "traceId"), 32)
            if trace and linked:
                links.append((trace, linked))
    for group in runs(spans, links):
        if any(span.kind in _SPEAKING for span in group):
            yield _conversion(group, redaction, declared, unknown)


def _conversion(
    group: Sequence[Span], redaction: Redaction, declared: int, unknown: dict[str, Counter[str]]
) -> Conversion:
    first = min(group, key=lambda span: (span.begins, span.trace))
    draft = Draft(first.trace, "otlp", redaction)
    traces = {span.trace for span in group}
    draft.run["trace_ids"] = len(traces)
    for trace in sorted(traces):
        for kind, times in sorted(unknown.get(trace, Counter()).items()):
            name = redaction.name(kind, "kind")
            draft.lose(DROPPED, "spans", f"spans of the unknown kind {name}", times)
    if declared:
        what = "an agent was declared (create_agent), which is no spawn"
        draft.lose(DROPPED, "spans", what, declared)
    if not any(span.tokens for span in group):
        draft.lose(DROPPED, "usage", "no span carries usage; tokens are 0 for unknown")
    return SpanWalk(handovers(group, draft), draft).conversion()


def _bare_span(written: dict[str, Any], trace: str, name: str, scope: str) -> Span:
    """Return what the envelope of a span tells; its attributes tell the rest."""
    parent = hex_id(_field(written, "parentSpanId"), 16)
    return Span(
        id=name,
        # An id of zeros is how the protocol writes that there is no parent.
        parent=parent if parent.strip("0") else "",
        trace=trace,
        start=nano_time(_field(written, "startTimeUnixNano")),
        end=nano_time(_field(written, "endTimeUnixNano")),
        kind="",
        name=text(written, "name"),
        title=text(written, "name"),
        scope=scope,
        failed=value(written, "status", "code") in (2, "STATUS_CODE_ERROR"),
    )


def _field(node: object, name: str) -> Any:
    """Return a field by its name in JSON, or by the name in the protocol files.

    Which some exporters keep.
    """
    found = value(node, name)
    if found is None:
        found = value(node, _CAPITAL.sub(lambda capital: f"_{capital.group().lower()}", name))
    return found


def _envelopes(node: object) -> list[Any]:
    return node if isinstance(node, list) else [node]


def _resources(envelope: object) -> list[Any]:
    return items(envelope, "resourceSpans") or items(envelope, "resource_spans")


def _written_spans(documents: Sequence[RecordedFile]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield all spans, each with the name of the instrumentation that recorded it."""
    for document in documents:
        for row in document.rows:
            for envelope in _envelopes(row.value):
                for resource in _resources(envelope):
                    yield from _spans_of_resource(resource)


def _spans_of_resource(resource: object) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ("scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
        if scopes := items(resource, name):
            for scope in scopes:
                name = text(scope, "scope", "name")
                for span in records(scope, "spans"):
                    yield name, span
            return


FORMAT = RecordedFormat(
    name="otlp",
    title="OpenTelemetry traces in OTLP JSON, with GenAI or OpenInference attributes",
    versions=("GenAI conventions 1.37", "GenAI conventions 1.37 and OpenInference 0.1"),
    maps=(
        (
            "orchestrator_decision",
            "invoke_workflow and plan spans; inferred from a model call before a spawn or handover "
            "or without action",
        ),
        (
            "spawn, return",
            "an agent span inside another one, from its start to its end; inferred unless a tool "
            "span is between them",
        ),
        (
            "message",
            "a tool span that passes control (gen_ai.transfer.*); inferred from its name, or from "
            "graph.node.parent_id",
        ),
        (
            "tool_call, tool_result",
            "start and end of execute_tool, TOOL and RETRIEVER spans; spans of two "
            "instrumentations for one agent, tool call or model call are one",
        ),
        ("aggregate", "the first model call after all called agents have ended; inferred"),
        ("safety_event", "GUARDRAIL spans"),
    ),
    loses=(
        "rewards and task success",
        "spawns, returns and aggregates as such: they are inferred from the nesting of spans",
        "handovers where no transfer attribute is set: they are inferred from the names of tools",
        "what a person did, unless a transfer names one",
        "the agent of a span without an agent above it",
    ),
    recognise=recognise,
    convert=convert,
)
