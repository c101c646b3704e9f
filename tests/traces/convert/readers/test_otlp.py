"""OTLP: spans in the envelopes of the collector and of Tempo."""

from tests.support.converted import otlp_traces
from tests.support.recorded_samples import otel_span


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
