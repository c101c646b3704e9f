"""OTLP: spans in the envelopes of the collector and of Tempo."""

from corpus.traces.convert.readers.otlp import FORMAT
from tests.support.converted import lost, one_run, otlp_traces, shown
from tests.support.recorded_samples import otel_span, otlp


def test_a_span_without_an_id_is_left_out_and_one_of_zeros_as_parent_is_none():
    tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "web"}
    nameless = {**otel_span("x", 1, 2, **tool), "spanId": ""}
    root = {**otel_span("root", 3, 4, **tool), "parentSpanId": "0" * 16}
    found = one_run(FORMAT, otlp(nameless, root))
    assert shown(found.trace, "tool") == [
        ("tool_call", "web", "web"),
        ("tool_result", "web", "web"),
    ]
    assert not any("parent" in loss.what for loss in found.losses)
    assert lost(found, "without an id") == [("missing", 1)]


def test_the_instrumentation_of_spans_is_known_in_both_of_its_places():
    """Two instrumentations record one tool call; one alone would record two."""
    tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "web"}
    outer, inner = otel_span("a", 1, 4, **tool), otel_span("b", 2, 3, **tool)
    scopes = [
        {"scope": {"name": "one"}, "spans": [outer]},
        {"instrumentationLibrary": {"name": "two"}, "spans": [inner]},
    ]
    (trace,) = otlp_traces({"resourceSpans": [{"scopeSpans": scopes}]})
    assert trace["costs"]["tool_calls"] == 1
