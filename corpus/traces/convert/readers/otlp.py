"""OpenTelemetry traces in OTLP JSON, and what Tempo makes of it."""

from collections.abc import Iterator
from typing import Any

from corpus.traces.convert.spans.attributes import enveloped, format_of_spans, hex_id
from corpus.traces.convert.spans.tree import Span
from corpus.traces.lookup import JsonObject, first_text, items, parsed, record, records, text, value

# Lists in lists that are read; the values of the conventions have two levels.
_DEPTH_LIMIT = 8


_ANSWERS = ("gen_ai.choice", "gen_ai.client.inference.operation.details")
_PLAIN = ("stringvalue", "intvalue", "doublevalue", "boolvalue")


def _otlp_spans(node: object) -> Iterator[Span]:
    """Yield all spans, each with the name of the instrumentation that recorded it."""
    for envelope in items(node) or [node]:
        # Tempo writes the same below "batches", and in its newer interface below "trace".
        outer = value(envelope, "trace") or envelope
        for resource in _first_list(outer, "resourceSpans", "resource_spans", "batches"):
            names = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
            for scope in _first_list(resource, *names):
                title = text(scope, "scope.name") or text(scope, "instrumentationLibrary.name")
                for written in records(scope, "spans"):
                    yield _otlp_span(written, title)


def _first_list(node: object, *names: str) -> list[Any]:
    for name in names:
        if found := items(node, name):
            return found
    return []


def _otlp_span(written: JsonObject, scope: str) -> Span:
    links = items(written, "links")
    linked = [hex_id(first_text(link, "traceId", "trace_id"), 32) for link in links]
    failed = value(written, "status.code") in (2, "STATUS_CODE_ERROR")
    given = attributes(value(written, "attributes"))
    for event in records(written, "events"):
        # Before version 1.37 of the conventions an answer was an event, as it is for some still.
        if text(event, "name") in _ANSWERS:
            told = attributes(value(event, "attributes"))
            if "message" in told:
                told = {"gen_ai.output.messages": parsed(told["message"])}
            given = told | given
    return enveloped(written, "otlp", given, scope=scope, linked=tuple(linked), failed=failed)


def attributes(pairs: object) -> JsonObject:
    """Return the attributes of a span as a flat mapping.

    Exporters that write a plain object are read too.
    """
    if isinstance(pairs, dict):
        return pairs
    found = {}
    for pair in items(pairs):
        if name := text(pair, "key"):
            found[name] = _plain(value(pair, "value"), _DEPTH_LIMIT)
    return found


def _plain(node: object, depth: int) -> Any:
    for key, inner in record(node).items():
        # Some exporters keep the names of the protocol files, with underscores.
        kind = key.replace("_", "").lower()
        if not depth or kind in _PLAIN:
            return inner if depth else None
        if kind == "arrayvalue":
            return [_plain(one, depth - 1) for one in items(inner, "values")]
        if kind == "kvlistvalue":
            found = {}
            for pair in items(inner, "values"):
                found[text(pair, "key")] = _plain(value(pair, "value"), depth - 1)
            return found
    return None


FORMAT = format_of_spans("otlp", _otlp_spans)
