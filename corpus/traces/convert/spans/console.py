"""Spans as the console exporter of the OpenTelemetry SDK for Python writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.format import ALL_EVENTS, Conversion, RecordedFormat, RecorderVersion
from corpus.traces.convert.lookup import iso_time, items, record, text, value
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.spans.attribute_spans import WrittenSpan, conversions
from corpus.traces.convert.spans.otlp_attributes import attributes, hex_id
from corpus.traces.convert.spans.spans import Span


def recognise(document: RecordedFile) -> bool:
    """Look for a span context beside attributes."""
    written = _written(document)[:50]
    return any(_is_span(one) for one in written)


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each run."""
    written = _written_spans(documents)
    yield from conversions(written, "otel-console", redaction, documents[0].path)


def _written(document: RecordedFile) -> list[Any]:
    written: list[Any] = []
    for row in document.rows:
        written += items(row.value) or [row.value]
    return written


def _is_span(node: object) -> bool:
    context = value(node, "context")
    has_ids = bool(text(context, "trace_id")) and bool(text(context, "span_id"))
    return has_ids and isinstance(value(node, "attributes"), dict)


def _written_spans(documents: Sequence[RecordedFile]) -> Iterator[WrittenSpan]:
    for document in documents:
        for one in _written(document):
            # Programs print other JSON as well; what has a context is a span.
            if isinstance(value(one, "context"), dict):
                yield _written_span(one)


def _written_span(written: object) -> WrittenSpan:
    title = text(written, "name")
    span = Span(
        id=hex_id(value(written, "context", "span_id"), 16),
        parent=hex_id(value(written, "parent_id"), 16),
        trace=hex_id(value(written, "context", "trace_id"), 32),
        start=iso_time(value(written, "start_time")),
        end=iso_time(value(written, "end_time")),
        kind="",
        name=title,
        title=title,
        failed=text(written, "status", "status_code") == "ERROR",
    )
    links = items(written, "links")
    linked = tuple(hex_id(value(link, "context", "trace_id"), 32) for link in links)
    return WrittenSpan(span, attributes(record(written, "attributes")), linked)


FORMAT = RecordedFormat(
    name="otel-console",
    title="Spans as the OpenTelemetry console exporter for Python writes them",
    versions=(RecorderVersion("OpenTelemetry SDK for Python 1.30", "otel console"),),
    tokens=("input", "cached", "cache_write", "output", "reasoning"),
    maps=((ALL_EVENTS, "as in otlp: the attributes of the spans are the same"),),
    loses=(
        "what otlp loses",
        "the instrumentation that recorded a span, so that spans of two are both counted unless "
        "one is inside the other",
        "output of other SDKs: that for JavaScript is not JSON",
    ),
    recognise=recognise,
    convert=convert,
)
