"""Spans with attributes in the envelopes that hold them: OTLP, as Tempo has it, Jaeger, Phoenix."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction
from corpus.traces.convert.spans.attribute_spans import conversions
from corpus.traces.convert.spans.dialects import recorded_span
from corpus.traces.convert.spans.spans import HUMAN, INTERRUPT, Span
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import (
    JsonObject,
    epoch_time,
    first_text,
    items,
    number,
    parsed,
    record,
    records,
    text,
    value,
)

_HUMAN_EVENT = "human_intervention"
_HEX = re.compile(r"[0-9a-fA-F]+")
# Lists in lists that are read; the values of the conventions have two levels.
_DEPTH_LIMIT = 8
_PLAIN = frozenset({"stringvalue", "intvalue", "doublevalue", "boolvalue"})


def _format(name: str, spans_in: Callable[[object], Iterator[Span]]) -> RecordedFormat:
    """Return a format; `spans_in` yields the spans of a row."""

    def recognise(document: RecordedFile) -> bool:
        first = chain.from_iterable(islice(spans_in(row.value), 5) for row in document.rows[:5])
        return any(span.id and span.trace for span in first)

    def convert(documents: Documents, redaction: Redaction) -> Conversions:
        rows = chain.from_iterable(document.rows for document in documents)
        spans = chain.from_iterable(spans_in(row.value) for row in rows)
        yield from conversions(spans, name, redaction, documents[0].path)

    return RecordedFormat(name, convert, looks_like=recognise)


def _enveloped(written: object, envelope: str, given: JsonObject, **more: Any) -> Span:
    """Return what the envelope of a span tells; its attributes tell the rest."""
    span = recorded_span(written, envelope)
    parent = hex_id(span.parent, 16)
    return replace(
        span,
        id=hex_id(span.id, 16),
        # An id of zeros is how the protocol writes that there is no parent.
        parent=parent if parent.strip("0") else "",
        trace=hex_id(span.trace, 32),
        kind="",
        name=span.title,
        given=given,
        **more,
    )


def _otlp_spans(node: object) -> Iterator[Span]:
    """Yield all spans, each with the name of the instrumentation that recorded it."""
    for envelope in node if isinstance(node, list) else [node]:
        # Tempo writes the same below "batches", and in its newer interface below "trace".
        for outer in (envelope, value(envelope, "trace")):
            resources = _first_list(outer, "resourceSpans", "resource_spans", "batches")
            for resource in resources:
                names = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
                for scope in _first_list(resource, *names):
                    library = text(scope, "instrumentationLibrary", "name")
                    title = text(scope, "scope", "name") or library
                    for written in records(scope, "spans"):
                        yield from _otlp_span(written, title)
            if resources:
                break


def _first_list(node: object, *names: str) -> list[Any]:
    for name in names:
        if found := items(node, name):
            return found
    return []


def _otlp_span(written: JsonObject, scope: str) -> Iterator[Span]:
    linked = []
    for link in items(written, "links"):
        linked.append(hex_id(first_text(link, "traceId", "trace_id"), 32))
    failed = value(written, "status", "code") in (2, "STATUS_CODE_ERROR")
    given = attributes(value(written, "attributes"))
    span = _enveloped(written, "otlp", given, scope=scope, linked=tuple(linked), failed=failed)
    yield span
    for place, event in enumerate(records(written, "events"), start=1):
        if text(event, "name") == _HUMAN_EVENT:
            yield _human_event(span, event, place)


def _human_event(span: Span, event: JsonObject, place: int) -> Span:
    """Return what a person did in a span, which our writer notes as an event of the span."""
    given = attributes(value(event, "attributes"))
    time = epoch_time(value(event, "timeUnixNano") or value(event, "time_unix_nano"), 1e-9)
    role = text(given, "orchestration.event.role")
    return Span(
        id=f"{span.id}.{place}",
        parent=span.id,
        trace=span.trace,
        start=time,
        end=time,
        kind=INTERRUPT if role == "interrupt" else HUMAN,
        name=role,
        scope=span.scope,
        asked=text(given, "orchestration.event.content_ref") or None,
    )


def _jaeger_spans(node: object) -> Iterator[Span]:
    for trace in items(node, "data") or items(node) or [node]:
        for written in records(trace, "spans"):
            yield _jaeger_span(written)


def _jaeger_span(written: JsonObject) -> Span:
    given: JsonObject = {}
    for tag in records(written, "tags"):
        # Lists and objects are written as JSON inside a string.
        given[text(tag, "key")] = parsed(value(tag, "value"))
    failed = given.get("error") is True or given.get("otel.status_code") == "ERROR"
    scope = first_text(given, "otel.scope.name", "otel.library.name")
    span = _enveloped(written, "jaeger", given, scope=scope, failed=failed)
    lasted = number(written, "duration")
    if span.start is not None and lasted is not None and 0 <= lasted < 1e15:
        span = replace(span, end=round(span.start + lasted * 1e-6, 6))
    # A span may follow from others; its parent is the one that it is a child of.
    parents: dict[str, str] = {}
    linked = []
    for reference in records(written, "references"):
        other = hex_id(value(reference, "traceID"), 32)
        if other in ("", span.trace):
            parents.setdefault(text(reference, "refType"), hex_id(value(reference, "spanID"), 16))
        else:
            linked.append(other)
    parent = parents.get("CHILD_OF") or next(iter(parents.values()), span.parent)
    return replace(span, parent=parent, linked=tuple(linked))


def _phoenix_spans(node: object) -> Iterator[Span]:
    for written in items(node, "data") or items(node) or [node]:
        kind = text(written, "span_kind")
        if kind and text(written, "context", "span_id"):
            given = {"openinference.span.kind": kind, **record(written, "attributes")}
            failed = text(written, "status_code") == "ERROR"
            yield _enveloped(written, "phoenix", given, failed=failed)


def attributes(pairs: object) -> JsonObject:
    """Return the attributes of a span as a flat mapping.

    Exporters that write a plain object are read too.
    """
    if isinstance(pairs, dict):
        return {key: one for key, one in pairs.items() if isinstance(key, str)}
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


def hex_id(written: object, digits: int) -> str:
    """Return an id in lower-case hexadecimal; some exporters write base64 instead.

    Examples
    --------
    >>> hex_id("baWWOnbwA5k=", 16), hex_id("F610825402362F79", 16), hex_id(None, 16)
    ('6da5963a76f00399', 'f610825402362f79', '')
    """
    if not isinstance(written, str) or not written or len(written) > 200:
        return ""
    written = written.removeprefix("0x")
    # Hexadecimal first: most such ids are valid base64 as well, of another length.
    if len(written) == digits and _HEX.fullmatch(written):
        return written.lower()
    try:
        raw = base64.b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        return written
    return raw.hex() if 2 * len(raw) == digits else written


OTLP = _format("otlp", _otlp_spans)
JAEGER = _format("jaeger", _jaeger_spans)
PHOENIX = _format("phoenix", _phoenix_spans)
