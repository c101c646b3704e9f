"""OTLP: spans in the envelopes of the collector and of Tempo."""

import base64
import json
import re
from typing import Any

import pytest

from corpus.traces.convert.spans.envelopes import OTLP as FORMAT
from tests.support.converted import converted, lost, recorded, shown
from tests.support.recorded_samples import genai_run, otel_span, otlp


def traces(*documents: Any) -> list[dict[str, Any]]:
    return [one.trace for one in converted(FORMAT, *documents)]


def spans_in(document: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    return found


def test_ids_in_base64_and_rows_out_of_order_give_the_same_trace():
    (plain,) = traces(genai_run())
    document = genai_run()
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    spans.reverse()
    for span in spans:
        for key in ("traceId", "spanId", "parentSpanId"):
            span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
    (packed,) = traces(document)
    assert packed == plain


def test_field_names_of_the_protocol_files_are_read_too():
    (plain,) = traces(genai_run())
    names = (
        "resourceSpans",
        "scopeSpans",
        "traceId",
        "spanId",
        "parentSpanId",
        "startTimeUnixNano",
        "endTimeUnixNano",
    )
    written = json.dumps(genai_run())
    for name in (*names, "stringValue", "intValue"):
        written = written.replace(
            f'"{name}"', f'"{re.sub("[A-Z]", lambda sign: "_" + sign.group().lower(), name)}"'
        )
    (other,) = traces(json.loads(written))
    assert other == plain


@pytest.mark.parametrize(
    "envelope",
    [
        lambda resources: {"resourceSpans": resources},
        lambda resources: [{"resource_spans": resources}],
        lambda resources: {"batches": resources},
        lambda resources: {"trace": {"resourceSpans": resources}},
    ],
)
@pytest.mark.parametrize("scopes", ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"])
def test_envelopes_differ_and_their_spans_do_not(envelope, scopes):
    resources = [{scopes: [{"spans": spans_in(genai_run())}]}]
    document = envelope(resources)
    assert FORMAT.recognise(recorded(document))
    assert traces(document) == traces(genai_run())


@pytest.mark.parametrize(
    "document",
    [{}, [], {"resourceSpans": []}, {"resourceSpans": [{"scopeSpans": []}]}, {"spans": [1]}],
)
def test_an_envelope_without_spans_is_not_recognised(document):
    assert not FORMAT.recognise(recorded(document))


@pytest.mark.parametrize(
    ("code", "failed"), [(2, True), ("STATUS_CODE_ERROR", True), (1, None), (0, None)]
)
def test_the_status_of_a_span_tells_whether_its_tool_failed(code, failed):
    tool = otel_span("web", 1, 2, "solo", gen_ai__operation__name="execute_tool")
    agent = otel_span(
        "solo", 0, 9, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="solo"
    )
    (trace,) = traces(otlp(agent, {**tool, "status": {"code": code}}))
    results = [event for event in trace["events"] if event["type"] == "tool_result"]
    assert [event.get("x_error") for event in results] == [failed]


def test_a_span_without_an_id_is_left_out_and_one_of_zeros_as_parent_is_none():
    tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "web"}
    nameless = {**otel_span("x", 1, 2, **tool), "spanId": ""}
    root = {**otel_span("root", 3, 4, **tool), "parentSpanId": "0" * 16}
    (found,) = converted(FORMAT, otlp(nameless, root))
    assert shown(found.trace, "tool") == [
        ("tool_call", "web", "web"),
        ("tool_result", "web", "web"),
    ]
    assert not any("parent" in loss.what for loss in found.losses)
    assert lost(found, "without an id") == [("dropped", 1)]


def test_the_instrumentation_of_spans_is_known_in_both_of_its_places():
    """Two instrumentations record one tool call; one alone would record two."""
    tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "web"}
    outer, inner = otel_span("a", 1, 4, **tool), otel_span("b", 2, 3, **tool)
    scopes = [
        {"scope": {"name": "one"}, "spans": [outer]},
        {"instrumentationLibrary": {"name": "two"}, "spans": [inner]},
    ]
    (trace,) = traces({"resourceSpans": [{"scopeSpans": scopes}]})
    assert trace["costs"]["tool_calls"] == 1
