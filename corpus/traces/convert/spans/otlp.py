"""OTLP traces in JSON with the GenAI semantic conventions of OpenTelemetry or those of OpenInference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.traces.convert.clock import nano_time
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import DROPPED, Conversion, RecordedFormat
from corpus.traces.convert.lookup import items, text, value
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.spans.otlp_attributes import attributes, hex_id
from corpus.traces.convert.spans.otlp_kinds import handovers, read_span
from corpus.traces.convert.spans.span_walk import Reading, SpanWalk
from corpus.traces.convert.spans.spans import AGENT, GUARD, HANDOFF, MODEL, TOOL, Span, runs

_SPEAKING = (AGENT, MODEL, TOOL, HANDOFF, GUARD)


def recognise(document: RecordedFile) -> bool:
    """Look for the envelope of OTLP."""
    return any(_resources(one) for row in document.rows[:5] for one in _envelopes(row.value))


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each run: the spans of one trace id, or of several that span links join."""
    written = [one for document in documents for row in document.rows for one in _spans(row.value)]
    spans, links, static = [], [], 0
    for raw in written:
        trace, name = hex_id(_key(raw, "traceId"), 32), hex_id(_key(raw, "spanId"), 16)
        if not name:
            continue
        given = attributes(value(raw, "attributes"))
        if given.get("gen_ai.operation.name") == "create_agent":
            static += 1
            continue
        spans.append(_span(raw, given, trace, name))
        links += [(trace, hex_id(_key(link, "traceId"), 32)) for link in items(raw, "links")]
    for group in runs(spans, [(one, other) for one, other in links if one and other]):
        if any(span.kind in _SPEAKING for span in group):
            yield _conversion(group, redaction, static)


def _conversion(group: list[Span], redaction: Redaction, static: int) -> Conversion:
    first = min(group, key=lambda span: (span.start or 0.0, span.trace))
    draft = Draft(first.trace, "otlp", redaction)
    draft.run["trace_ids"] = len({span.trace for span in group})
    if static:
        draft.lose(DROPPED, "spans", "an agent was declared (create_agent), which is no spawn", static)
    if not any(span.tokens for span in group):
        draft.lose(DROPPED, "usage", "no span carries usage; tokens are 0 for unknown")
    return SpanWalk(handovers(group, draft), draft, Reading()).conversion()


def _span(raw: dict[str, Any], given: dict[str, Any], trace: str, name: str) -> Span:
    return read_span(
        Span(
            id=name,
            parent=parent if (parent := hex_id(_key(raw, "parentSpanId"), 16)).strip("0") else "",
            trace=trace,
            start=nano_time(_key(raw, "startTimeUnixNano")),
            end=nano_time(_key(raw, "endTimeUnixNano")),
            kind="",
            name=text(raw, "name"),
            failed=value(raw, "status", "code") in (2, "STATUS_CODE_ERROR"),
        ),
        given,
    )


def _key(node: object, name: str) -> Any:
    """Return a field by its name in JSON, or by the name in the protocol files, which some exporters keep."""
    found = value(node, name)
    return value(node, re.sub("[A-Z]", lambda sign: f"_{sign.group().lower()}", name)) if found is None else found


def _envelopes(node: object) -> list[Any]:
    return node if isinstance(node, list) else [node]


def _resources(envelope: object) -> list[Any]:
    return items(envelope, "resourceSpans") or items(envelope, "resource_spans")


def _spans(node: object) -> Iterator[dict[str, Any]]:
    for envelope in _envelopes(node):
        for resource in _resources(envelope):
            scopes = items(resource, "scopeSpans") or items(resource, "scope_spans")
            for scope in scopes or items(resource, "instrumentationLibrarySpans"):
                yield from (span for span in items(scope, "spans") if isinstance(span, dict))


FORMAT = RecordedFormat(
    name="otlp",
    title="OpenTelemetry traces in OTLP JSON, with GenAI or OpenInference attributes",
    maps=(
        (
            "orchestrator_decision",
            "invoke_workflow and plan spans; inferred from a model call before a spawn or handover or without action",
        ),
        (
            "spawn, return",
            "an agent span inside another one, from its start to its end; inferred unless a tool span stands between",
        ),
        (
            "message",
            "a tool span that passes control (gen_ai.transfer.*); inferred from its name, or from graph.node.parent_id",
        ),
        ("tool_call, tool_result", "start and end of execute_tool, TOOL and RETRIEVER spans"),
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
