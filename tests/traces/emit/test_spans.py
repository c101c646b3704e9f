"""Spans follow the JSON mapping of OTLP: hexadecimal ids, times as text, one typed value each."""

import re
from typing import Any

from hypothesis import given

from corpus.traces.emit import spans as otlp
from corpus.traces.emit.target import DAY
from tests.support.every_event import every_event
from tests.support.made_traces import run_of, runs


def spans_of(run):
    (document,), _ = otlp.write([run])
    (resource,) = document["resourceSpans"]
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
            if kind == "intValue":
                assert re.fullmatch("-?[0-9]+", value)
            elif kind != "stringValue":
                assert isinstance(value, {"doubleValue": float, "boolValue": bool}[kind])


def outline():
    """Name, name of the span above, kind, seconds from the first start to start and end, status."""
    (document,), _ = otlp.write([run_of(every_event())])
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    names = {span["spanId"]: span["name"] for span in spans}
    found = []
    for span in spans:
        times = [int(span[f"{end}TimeUnixNano"]) / 1e9 - DAY for end in ("start", "end")]
        above = names.get(span.get("parentSpanId", ""))
        found.append((span["name"], above, span["kind"], *times, span.get("status")))
    return found


def test_a_run_as_spans_of_the_genai_conventions():
    assert outline() == [
        ("invoke_agent lead", None, 1, 1, 7, None),
        ("chat m", "invoke_agent lead", 3, 1, 1, None),
        ("execute_tool shop", "invoke_agent lead", 1, 1, 2.5, {"code": 2}),
        ("execute_tool spawn_agent", "invoke_agent lead", 1, 3, 7, None),
        ("invoke_agent bob", "execute_tool spawn_agent", 1, 3, 7, None),
        ("handoff lead", "invoke_agent bob", 1, 4, 4, None),
        ("chat", "invoke_agent bob", 3, 6, 7, None),
    ]


def test_a_call_without_a_result_and_a_second_spawn_are_told():
    trace = every_event()
    trace["events"] = [one for one in trace["events"] if one["id"] != "got"]
    trace["events"].append({"id": "twice", "t": 8, "type": "spawn", "agent": "lead", "to": "bob"})
    trace["edges"] = []
    (document,), (lost,) = otlp.write([run_of(trace)])
    found = tuple(lost.values())
    places = {loss.place: loss.kind for loss in found}
    assert (places["buy"], places["twice"]) == ("inferred", "dropped")
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    (shop,) = [span for span in spans if span["name"] == "execute_tool shop"]
    assert shop["startTimeUnixNano"] == shop["endTimeUnixNano"]


def test_a_time_beyond_what_the_protocol_holds_is_the_last_one():
    trace = every_event()
    trace["events"][-1]["t"] = trace["events"][-1]["x_end"] = 1e300
    ends = {span["endTimeUnixNano"] for span in spans_of(run_of(trace))}
    assert str(2**63 - 1) in ends
