"""Traces in the JSON of Jaeger."""

import pytest

from corpus.traces.convert.readers.jaeger import FORMAT
from tests.support.converted import one_run, recorded

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


@pytest.mark.parametrize("missing", ["spanID", "traceID"])
def test_spans_without_both_ids_are_not_recognised(missing):
    assert not FORMAT.recognise(recorded(trace_of(written(1, **{missing: ""}))))
