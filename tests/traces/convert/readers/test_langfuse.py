"""Langfuse: traces and observations as it exports them."""

import pytest

from corpus.traces.convert.readers.langfuse import FORMAT
from tests.support.converted import lost, one_run, recorded, shown
from tests.support.recorded_samples import iso


def observed(identity, kind, start, end, above="", **more):
    times = {"startTime": iso(start), "endTime": iso(end)}
    parent = {"parentObservationId": above or None, "traceId": "trace-1"}
    return {"id": identity, "name": identity, "type": kind, **times, **parent, **more}


def spans():
    return [
        observed("lead", "AGENT", 0, 9),
        observed("think", "generation", 1, 2, "lead", input="q", output="a"),
        observed("web", "TOOL", 3, 4, "lead", input="in", output="out", level="ERROR"),
        observed("search", "RETRIEVER", 5, 6, "lead"),
        observed("policy", "GUARDRAIL", 7, 8, "lead"),
        observed("log", "EVENT", 8, 8, "lead"),
    ]


EXPORTS = [
    {"trace": {"id": "trace-1", "input": "do it"}, "observations": spans()},
    {"id": "trace-1", "input": "do it", "observations": spans()},
    [{"id": "trace-1", "input": "do it", "observations": spans()}],
    {"data": [{"id": "trace-1", "input": "do it", "observations": spans()}]},
]


@pytest.mark.parametrize("export", EXPORTS)
def test_every_export_gives_the_same_events_and_the_task(export):
    assert FORMAT.recognise(recorded(export))
    found = one_run(FORMAT, export, redact=False)
    assert shown(found.trace, "tool", "role", "x_error", "x_steps", "content_ref") == [
        ("tool_call", "lead", "web", None, None, 1, "in"),
        ("tool_result", "lead", "web", None, True, None, "out"),
        ("tool_call", "lead", "search", None, None, None, None),
        ("tool_result", "lead", "search", None, None, None, None),
        # A check that fails ends the run instead of an answer; this one does not.
        ("safety_event", "lead", None, "policy", None, None, None),
        ("return", "lead", None, None, None, None, None),
    ]
    assert found.trace["trace_id"] == "trace-1"
    assert found.trace["task_id"] == "do it"


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ({"usageDetails": {"input": 5, "output": 2, "total": 9}}, (5, 2, 9)),
        ({"usageDetails": '{"input": 5, "output": 2, "total": 9}'}, (5, 2, 9)),
        ({"usageDetails": {}, "usage": {"input": 5, "output": 2, "unit": "TOKENS"}}, (5, 2, 7)),
        ({"usage": {"input": 5, "total": 7}}, (5, None, 7)),
        ({"promptTokens": 5, "completionTokens": 2, "totalTokens": 7}, (5, 2, 7)),
        ({"usage": {}, "totalTokens": 7}, (None, None, 7)),
        # Characters, images or seconds are not tokens.
        ({"usage": {"input": 5, "unit": "CHARACTERS"}}, (None, None, None)),
        ({}, (None, None, None)),
    ],
)
@pytest.mark.parametrize("model", ["model", "providedModelName"])
def test_tokens_are_found_in_the_fields_of_each_version(written, tokens, model):
    call = observed("m", "GENERATION", 0, 1, **written, **{model: "m-1"})
    found = one_run(FORMAT, [call])
    (event,) = found.trace["events"]
    keys = ("x_tokens_input", "x_tokens_output", "x_tokens")
    assert (tuple(map(event.get, keys)), event["x_model"]) == (tokens, "m-1")
    assert lost(found, "no span carries usage") == ([] if tokens[2] else [("dropped", 1)])


def test_what_is_below_a_node_called_tools_is_a_tool():
    rows = [
        observed("lead", "AGENT", 0, 9),
        observed("tools", "CHAIN", 1, 4, "lead"),
        observed("web", "SPAN", 2, 3, "tools"),
        # What the graph does itself there.
        observed("ChannelWrite<branch:to:model>", "SPAN", 3, 3, "tools"),
    ]
    found = one_run(FORMAT, rows)
    assert shown(found.trace, "tool") == [
        ("tool_call", "lead", "web"),
        ("tool_result", "lead", "web"),
        ("return", "lead", None),
    ]


def test_nested_spans_of_one_agent_id_are_one_agent_and_a_call_id_makes_a_tool():
    agent = {"gen_ai.agent.id": "a1", "gen_ai.operation.name": "create_agent"}
    turn = {"gen_ai.agent.id": "a1", "gen_ai.operation.name": "invoke_agent"}
    tool = {"gen_ai.tool.call.id": "c1", "gen_ai.tool.name": "web"}
    rows = [
        observed("agent.a1", "AGENT", 0, 9, metadata={"attributes": agent}),
        observed("run.r1", "AGENT", 1, 8, "agent.a1", metadata={"attributes": turn}),
        observed("tool.web", "SPAN", 2, 3, "run.r1", metadata={"attributes": tool}),
    ]
    found = one_run(FORMAT, rows)
    assert shown(found.trace, "tool") == [
        ("tool_call", "a1", "web"),
        ("tool_result", "a1", "web"),
        ("return", "a1", None),
    ]


def test_numbered_observations_of_one_call_are_one_wherever_they_hang():
    rows = [
        observed("top", "SPAN", 0, 9),
        observed("agent.react.start-4", "AGENT", 1, 9, "top"),
        observed("chat.start-7", "GENERATION", 1, 9, "agent.react.start-4"),
        observed("agent.react.update-11", "AGENT", 3, 9, "top"),
        observed("chat.success-7", "GENERATION", 4, 9, "agent.react.update-11"),
        observed("tool.web.start-2", "TOOL", 5, 9, "agent.react.update-11"),
        observed("tool.web.finish-2", "TOOL", 6, 9, "agent.react.update-11"),
    ]
    found = one_run(FORMAT, rows)
    assert {event["agent"] for event in found.trace["events"]} == {"top"}
    kinds = [kind for kind, *_ in shown(found.trace)]
    assert kinds.count("tool_call") == 1
    assert sum(event.get("x_steps", 0) for event in found.trace["events"]) == 1


@pytest.mark.parametrize("kind", ["EVENT", "TOOL"])
def test_start_success_and_finish_of_one_call_are_one_call(kind):
    rows = [observed("lead", "AGENT", 0, 20)]
    for start in (1, 10):
        for second, word in enumerate(("start", "success", "finish")):
            moment = start + 2 * second
            more = {"name": f"tool_web_{word}", "endTime": None}
            rows.append(observed(f"{word}{start}", kind, moment, moment, "lead", **more))
    found = one_run(FORMAT, rows)
    assert shown(found.trace, "t", "tool")[:4] == [
        ("tool_call", "lead", 1, "web"),
        ("tool_result", "lead", 5, "web"),
        ("tool_call", "lead", 10, "web"),
        ("tool_result", "lead", 14, "web"),
    ]
    assert lost(found, "success or the end of a call") == [("dropped", 4)]
