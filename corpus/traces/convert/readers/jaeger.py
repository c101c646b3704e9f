"""Traces of OpenTelemetry in the JSON of Jaeger."""

from collections.abc import Iterator
from dataclasses import replace

from corpus.traces.convert.spans.attributes import enveloped, format_of_spans, hex_id
from corpus.traces.convert.spans.tree import Span
from corpus.traces.lookup import first_text, listed, number, parsed, records, text, value


def _jaeger_spans(node: object) -> Iterator[Span]:
    for trace in listed(node, "data"):
        for written in records(trace, "spans"):
            given = {}
            for tag in records(written, "tags"):
                # Lists and objects are written as JSON inside a string.
                given[text(tag, "key")] = parsed(value(tag, "value"))
            failed = given.get("error") is True or given.get("otel.status_code") == "ERROR"
            scope = first_text(given, "otel.scope.name", "otel.library.name")
            span = enveloped(written, "jaeger", given, scope=scope, failed=failed)
            lasted = number(written, "duration")
            if span.start is not None and lasted is not None and 0 <= lasted < 1e15:
                span = replace(span, end=round(span.start + lasted * 1e-6, 6))
            # A span may follow from others; its parent is the one that it is a child of.
            parents: dict[str, str] = {}
            linked = []
            for reference in records(written, "references"):
                other = hex_id(value(reference, "traceID"), 32)
                if other in ("", span.trace):
                    name = hex_id(value(reference, "spanID"), 16)
                    parents.setdefault(text(reference, "refType"), name)
                else:
                    linked.append(other)
            parent = parents.get("CHILD_OF") or next(iter(parents.values()), span.parent)
            yield replace(span, parent=parent, linked=tuple(linked))


FORMAT = format_of_spans("jaeger", _jaeger_spans)
