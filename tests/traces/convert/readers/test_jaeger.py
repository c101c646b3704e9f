"""Traces in the JSON of Jaeger."""

import pytest

from corpus.traces.convert.readers.jaeger import FORMAT
from tests.support.converted import converted, lost, one_run, recorded, shown
from tests.support.recorded_spans import jaeger_spans, team_spans

TRACE = "a" * 32
TOOL = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "web"}


def tags(**given):
    return [{"key": key.replace("__", "."), "value": value} for key, value in given.items()]


def written(number, *references, **more):
    return {
        "traceID": TRACE,
        "spanID": f"{number:016x}",
        "operationName": f"op {number}",
        "references": list(references),
        "startTime": 1_000_000 * number,
        "duration": 500_000,
        "tags": [{"key": key, "value": value} for key, value in TOOL.items()],
        **more,
    }


def reference(kind, number, trace=TRACE):
    return {"refType": kind, "traceID": trace, "spanID": f"{number:016x}"}


def trace_of(*spans):
    return {"data": [{"traceID": TRACE, "spans": list(spans)}]}


def test_spans_in_a_circle_are_still_a_trace():
    document = jaeger_spans(team_spans())
    for span in document["data"][0]["spans"]:
        span["references"] = [reference("CHILD_OF", int(span["spanID"], 16))]
    found = one_run(FORMAT, document)
    assert found.trace["events"]


@pytest.mark.parametrize(
    "document", [trace_of(written(1)), {"spans": [written(1)]}, [{"spans": [written(1)]}]]
)
def test_times_are_microseconds_in_whatever_envelope(document):
    assert FORMAT.recognise(recorded(document))
    found = one_run(FORMAT, document)
    assert shown(found.trace, "t", "tool") == [
        ("tool_call", "web", 0, "web"),
        ("tool_result", "web", 0.5, "web"),
    ]


def test_microseconds_are_kept():
    spans = [written(1, startTime=1_790_000_000_123_456, duration=1)]
    found = one_run(FORMAT, trace_of(*spans))
    assert [event["t"] for event in found.trace["events"]] == [0, 0.000001]


@pytest.mark.parametrize("duration", [-1, 1e15, None, "long"])
def test_a_duration_that_is_none_leaves_the_end_open(duration):
    found = one_run(FORMAT, trace_of(written(1, duration=duration)))
    assert lost(found, "a span without a start or an end") == [("inferred", 1)]


@pytest.mark.parametrize(
    ("references", "more", "parent"),
    [
        ([reference("CHILD_OF", 1)], {}, "op 1"),
        ([reference("FOLLOWS_FROM", 1)], {}, "op 1"),
        ([reference("FOLLOWS_FROM", 2), reference("CHILD_OF", 1)], {}, "op 1"),
        ([], {"parentSpanID": f"{1:016x}"}, "op 1"),
        # Another trace holds no parent, but what it links to is part of the run.
        ([reference("CHILD_OF", 1, "b" * 32)], {}, "op 3"),
        ([], {}, "op 3"),
    ],
)
def test_the_parent_is_the_child_reference_within_the_trace(references, more, parent):
    model = tags(gen_ai__operation__name="chat")
    plain = [written(number, tags=tags(http__method="GET")) for number in (1, 2)]
    found = one_run(FORMAT, trace_of(*plain, written(3, *references, tags=model, **more)))
    assert [event["agent"] for event in found.trace["events"]] == [parent]


def test_a_reference_into_another_trace_joins_the_two():
    other = written(2, reference("FOLLOWS_FROM", 1), traceID="b" * 32)
    assert len(converted(FORMAT, trace_of(written(1), other))) == 1
    assert len(converted(FORMAT, trace_of(written(1), {**other, "references": []}))) == 2


@pytest.mark.parametrize("name", ["otel.scope.name", "otel.library.name"])
def test_spans_of_two_instrumentations_are_one_call(name):
    spans = []
    for number, scope in enumerate(("one", "two"), start=1):
        pairs = [{"key": key, "value": value} for key, value in {**TOOL, name: scope}.items()]
        times = {"startTime": 1_000_000 + number, "duration": 1000 - 10 * number}
        spans.append(written(number, reference("CHILD_OF", 9), tags=pairs, **times))
    root = written(9, startTime=0, duration=5_000_000, tags=[])
    found = one_run(FORMAT, trace_of(root, *spans))
    assert found.trace["costs"]["tool_calls"] == 1


@pytest.mark.parametrize("missing", ["spanID", "traceID"])
def test_spans_without_both_ids_are_not_recognised(missing):
    assert not FORMAT.recognise(recorded(trace_of(written(1, **{missing: ""}))))


def test_a_span_without_an_id_is_counted_as_lost():
    found = one_run(FORMAT, trace_of(written(1), written(2, spanID=7)))
    assert found.trace["costs"]["tool_calls"] == 1
    assert lost(found, "without an id") == [("missing", 1)]
