"""Spans of Arize Phoenix, from its REST interface or its client."""

from collections.abc import Iterator

from corpus.traces.convert.spans.attributes import enveloped, format_of_spans
from corpus.traces.convert.spans.tree import Span
from corpus.traces.lookup import listed, record, text


def _phoenix_spans(node: object) -> Iterator[Span]:
    for written in listed(node, "data"):
        kind = text(written, "span_kind")
        if kind and text(written, "context.span_id"):
            given = {"openinference.span.kind": kind, **record(written, "attributes")}
            failed = text(written, "status_code") == "ERROR"
            yield enveloped(written, "phoenix", given, failed=failed)


FORMAT = format_of_spans("phoenix", _phoenix_spans)
