"""Spans with attributes, from whatever envelope: runs, their task, and what nobody understands."""

from pathlib import Path

import pytest

from corpus.model.finding import CorpusError
from corpus.traces.convert.format import Redaction
from corpus.traces.convert.spans.attributes import conversions
from tests.support.converted import lost, otlp_traces
from tests.support.made_up_spans import span
from tests.support.recorded_samples import otel_span, otlp, span_id
from tests.support.recorded_traces import kinds

CHAT = {"gen_ai.operation.name": "chat"}


def written(name, given, *linked, **more):
    return span(name, "", 0, 1, "", given=given, linked=linked, **more)


def runs_of(*spans):
    return list(conversions(spans, "test", Redaction(), Path("a/spans.json")))


def test_links_join_traces_and_others_stay_separate():
    agents = {"gen_ai__operation__name": "invoke_agent"}
    tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "t"}
    spans = []
    for place, trace in enumerate(("b" * 32, "c" * 32, "d" * 32)):
        spans.append(
            otel_span(
                f"a{place}", place, place + 0.9, trace=trace, gen_ai__agent__name="x", **agents
            )
        )
        spans.append(
            otel_span(f"t{place}", place + 0.1, place + 0.5, f"a{place}", trace=trace, **tool)
        )
    spans[2]["links"] = [{"traceId": "b" * 32, "spanId": span_id("a0")}]
    found = otlp_traces(otlp(*spans[:2]), otlp(*spans[2:]))
    assert [kinds(one).count("tool_call") for one in found] == [2, 1]


def test_a_run_without_a_known_span_is_left_out_of_those_with_some():
    """Such as the health checks of a server, which write spans of their own."""
    spans = [written(f"check{n}", {"http.method": "GET"}, trace=f"h{n}") for n in range(2)]
    first, second = runs_of(*spans, written("a", CHAT, trace="t1"), written("b", CHAT, trace="t2"))
    assert [one.trace["trace_id"] for one in (first, second)] == ["t1", "t2"]
    assert lost(first, "all of unknown kinds") == [("dropped", 2)]
    assert lost(second, "all of unknown kinds") == []


def test_spans_of_which_no_attribute_is_known_are_refused():
    with pytest.raises(CorpusError) as refused:
        runs_of(written("s", {"acme.step": 1}))
    (finding,) = refused.value.findings
    assert (finding.code, finding.file) == ("OT206", "a/spans.json")
