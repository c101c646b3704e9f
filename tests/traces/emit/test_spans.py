"""Spans follow the JSON mapping of OTLP: hexadecimal ids, times as text, one typed value each."""

import re
from typing import Any

import pytest
from hypothesis import given

from corpus.traces.emit.spans import OTLP, _typed_value
from corpus.traces.emit.target import DAY
from tests.support.every_event import every_event
from tests.support.large_traces import swarm
from tests.support.made_traces import event, pair, run_of, runs


def spans_of(run):
    (emitted,) = OTLP.write([run])
    (resource,) = emitted.document["resourceSpans"]
    found: list[dict[str, Any]] = resource["scopeSpans"][0]["spans"]
    return found


def attributes(span):
    return {pair["key"]: next(iter(pair["value"].values())) for pair in span["attributes"]}


@given(run=runs())
def test_any_run_gives_spans_of_the_protocol(run):
    spans = spans_of(run)
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


def test_a_spawn_is_a_tool_that_holds_the_agent():
    spans = {span["spanId"]: span for span in spans_of(run_of(pair()))}
    (ann,) = (span for span in spans.values() if span["name"] == "invoke_agent ann")
    tool = spans[ann["parentSpanId"]]
    assert attributes(tool)["gen_ai.transfer.target.name"] == "ann"
    assert attributes(tool)["gen_ai.transfer.mode"] == "return_to_caller"
    assert spans[tool["parentSpanId"]]["name"] == "invoke_agent lead"


def test_children_lie_inside_their_parents():
    spans = {span["spanId"]: span for span in spans_of(run_of(swarm(130)))}
    for span in spans.values():
        above = spans.get(span.get("parentSpanId", ""))
        if above is not None:
            assert int(above["startTimeUnixNano"]) <= int(span["startTimeUnixNano"])
            assert int(span["endTimeUnixNano"]) <= int(above["endTimeUnixNano"])


def test_people_are_events_of_a_span_and_losses():
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
def test_a_value_keeps_its_type(value, written):
    assert _typed_value(value) == written


def outline(target):
    """Name, name of the span above, kind, seconds from the first start to start and end, status."""
    (emitted,) = target.write([run_of(every_event())])
    spans = emitted.document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    names = {span["spanId"]: span["name"] for span in spans}
    found = []
    for span in spans:
        times = [int(span[f"{end}TimeUnixNano"]) / 1e9 - DAY for end in ("start", "end")]
        above = names.get(span.get("parentSpanId", ""))
        found.append((span["name"], above, span["kind"], *times, span.get("status")))
    return found


def test_a_run_as_spans_of_the_genai_conventions():
    assert outline(OTLP) == [
        ("invoke_agent lead", None, 1, 1, 7, None),
        ("chat m", "invoke_agent lead", 3, 1, 1, None),
        ("execute_tool shop", "invoke_agent lead", 1, 1, 2.5, {"code": 2}),
        ("execute_tool spawn_agent", "invoke_agent lead", 1, 3, 7, None),
        ("invoke_agent bob", "execute_tool spawn_agent", 1, 3, 7, None),
        ("handoff lead", "invoke_agent bob", 1, 4, 4, None),
        ("chat", "invoke_agent bob", 3, 6, 7, None),
    ]


OWN = {"orchestration.event.id": "buy", "orchestration.event.type": "tool_call"}


def test_model_calls_and_tools_have_the_attributes_of_the_convention():
    by_name = {span["name"]: attributes(span) for span in spans_of(run_of(every_event()))}
    assert by_name["chat m"] == {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": "m",
        "gen_ai.usage.input_tokens": "5",
        "gen_ai.usage.output_tokens": "4",
        "gen_ai.usage.cache_read.input_tokens": "3",
        **OWN,
    }
    assert by_name["execute_tool shop"] == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.name": "shop",
        **OWN,
    }


def test_kinds_of_tokens_have_the_names_of_the_convention():
    trace = pair()
    usage = {"x_tokens_cache_write": 2, "x_tokens_output": 7, "x_tokens_reasoning": 5}
    event(trace, "ask").update(x_tokens=9, **usage)
    given = {}
    for span in spans_of(run_of(trace)):
        given |= attributes(span)
    names = ("cache_creation.input_tokens", "output_tokens", "reasoning.output_tokens")
    assert [given[f"gen_ai.usage.{name}"] for name in names] == ["2", "7", "5"]


def test_every_loss_is_named_with_its_count():
    (emitted,) = OTLP.write([run_of(every_event())])
    ((name, found),) = emitted.losses
    assert name == "small"
    assert [(loss.kind, loss.place, loss.count) for loss in found] == [
        ("inferred", "times", 1),
        ("dropped", "rewards", 2),
        ("dropped", "metrics", 1),
        ("dropped", "ask", 1),
        ("dropped", "check", 1),
        ("dropped", "done", 1),
    ]


def test_what_has_no_span_is_a_span_event_with_what_the_trace_states():
    lead = spans_of(run_of(every_event()))[0]
    first, second = lead["events"]
    assert (first["name"], first["timeUnixNano"]) == ("human_intervention", "86400000000000")
    assert attributes(first) == {
        "orchestration.event.id": "ask",
        "orchestration.event.type": "human_intervention",
        "orchestration.event.role": "task",
        "orchestration.event.to": "lead",
        "orchestration.event.content_ref": "ref",
        "orchestration.event.trusted": False,
    }
    assert (second["name"], attributes(second)["orchestration.event.role"]) == (
        "safety_event",
        "policy",
    )


def test_a_call_without_a_result_and_a_second_spawn_are_told():
    trace = every_event()
    trace["events"] = [one for one in trace["events"] if one["id"] != "got"]
    trace["events"].append({"id": "twice", "t": 8, "type": "spawn", "agent": "lead", "to": "bob"})
    trace["edges"] = []
    (emitted,) = OTLP.write([run_of(trace)])
    ((_, found),) = emitted.losses
    places = {loss.place: loss.kind for loss in found}
    assert (places["buy"], places["twice"]) == ("inferred", "dropped")
    spans = emitted.document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    (shop,) = [span for span in spans if span["name"] == "execute_tool shop"]
    assert shop["startTimeUnixNano"] == shop["endTimeUnixNano"]


def test_a_time_beyond_what_the_protocol_holds_is_the_last_one():
    trace = every_event()
    trace["events"][-1]["t"] = trace["events"][-1]["x_end"] = 1e300
    ends = {span["endTimeUnixNano"] for span in spans_of(run_of(trace))}
    assert str(2**63 - 1) in ends
