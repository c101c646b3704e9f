"""Spans follow the JSON mapping of OTLP: hexadecimal ids, times as text, one typed value each."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings

from corpus.traces.emit.spans import OPENINFERENCE, OTLP, _typed_value
from corpus.traces.run import Run
from tests.support.large_traces import swarm
from tests.support.made_traces import event, pair, run_of, runs


def spans_of(run: Run, inference: bool = False) -> list[dict[str, Any]]:
    target = OPENINFERENCE if inference else OTLP
    (emitted,) = target.write([run])
    (resource,) = emitted.document["resourceSpans"]
    found: list[dict[str, Any]] = resource["scopeSpans"][0]["spans"]
    return found


def attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {pair["key"]: next(iter(pair["value"].values())) for pair in span["attributes"]}


@settings(max_examples=120, deadline=None)
@given(run=runs())
def test_any_run_gives_spans_of_the_protocol(run: Run) -> None:
    for inference in (False, True):
        spans = spans_of(run, inference)
        known: set[str] = set()
        for span in spans:
            assert re.fullmatch("[0-9a-f]{32}", span["traceId"])
            assert re.fullmatch("[0-9a-f]{16}", span["spanId"])
            assert span["spanId"] not in known
            assert span.get("parentSpanId", span["spanId"]) in {*known, span["spanId"]}
            known.add(span["spanId"])
            assert int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
            for pair_ in span["attributes"]:
                ((kind, value),) = pair_["value"].items()
                assert kind in ("stringValue", "intValue", "doubleValue", "boolValue")
                assert kind != "intValue" or re.fullmatch("-?[0-9]+", value)


def test_a_spawn_is_a_tool_that_holds_the_agent() -> None:
    spans = {span["spanId"]: span for span in spans_of(run_of(pair()))}
    (ann,) = (span for span in spans.values() if span["name"] == "invoke_agent ann")
    tool = spans[ann["parentSpanId"]]
    assert attributes(tool)["gen_ai.transfer.target.name"] == "ann"
    assert attributes(tool)["gen_ai.transfer.mode"] == "return_to_caller"
    assert spans[tool["parentSpanId"]]["name"] == "invoke_agent lead"


def test_children_lie_inside_their_parents() -> None:
    spans = {span["spanId"]: span for span in spans_of(run_of(swarm(130)))}
    for span in spans.values():
        above = spans.get(span.get("parentSpanId", ""))
        if above is not None:
            assert int(above["startTimeUnixNano"]) <= int(span["startTimeUnixNano"])
            assert int(span["endTimeUnixNano"]) <= int(above["endTimeUnixNano"])


def test_openinference_has_its_own_names() -> None:
    trace = pair()
    event(trace, "ask").update(x_tokens=9, x_tokens_input=4, x_tokens_output=5, x_model="m")
    spans = spans_of(run_of(trace), inference=True)
    kinds = {attributes(span)["openinference.span.kind"] for span in spans}
    assert kinds == {"AGENT", "LLM", "TOOL"}
    (call,) = (attributes(span) for span in spans if "llm.model_name" in attributes(span))
    assert call["llm.token_count.prompt"] == "4"
    assert call["llm.token_count.completion"] == "5"
    assert not any(key.startswith("gen_ai") for span in spans for key in attributes(span))


def test_a_failed_call_has_the_status_of_an_error() -> None:
    trace = pair()
    event(trace, "told")["x_error"] = "timeout"
    failed = [span["name"] for span in spans_of(run_of(trace)) if "status" in span]
    assert failed == ["execute_tool shop"]


def test_people_are_events_of_a_span_and_losses() -> None:
    trace = pair()
    wish = {"id": "wish", "t": 0, "type": "human_intervention", "agent": "user", "to": "lead"}
    trace["events"].insert(0, wish)
    (emitted,) = OTLP.write([run_of(trace)])
    ((_, losses),) = emitted.losses
    assert "wish" in [loss.place for loss in losses]
    lead = emitted.document["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    assert [noted["name"] for noted in lead["events"]] == ["human_intervention"]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, {"boolValue": True}),
        (3, {"intValue": "3"}),
        (0.5, {"doubleValue": 0.5}),
        ("3", {"stringValue": "3"}),
    ],
)
def test_a_value_keeps_its_type(value: object, written: dict[str, object]) -> None:
    assert _typed_value(value) == written
