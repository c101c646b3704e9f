"""A call that a model asks for is in the trace, whether a span carries it out or none does."""

import json

import pytest

from corpus.traces.contents import Content
from corpus.traces.convert.readers import inspect, langfuse, langsmith, openai_agents, otlp
from corpus.traces.convert.spans.requests import open_calls
from corpus.traces.convert.spans.tree import Tree
from tests.support.converted import each, lost, one_run, shown
from tests.support.made_up_spans import span
from tests.support.recorded_langsmith import _run
from tests.support.recorded_samples import otel_span, sdk
from tests.support.recorded_samples import otlp as otlp_of
from tests.support.recorded_spans import _observation

ASKED = ("search", "book")
BARE = [{"name": name, "arguments": {"q": 1}} for name in ASKED]
NAMED = [{"id": f"c{place}", **call} for place, call in enumerate(BARE, start=1)]
OPENAI = [{"id": one["id"], "type": "function", "function": one} for one in NAMED]
ANSWER = {"role": "assistant", "content": None, "tool_calls": OPENAI}
PARTS = [{"type": "tool_call", **call} for call in NAMED]
BEDROCK = [{"toolUse": {"toolUseId": one["id"], "name": one["name"], "input": {}}} for one in NAMED]
GEMINI = {"content": {"parts": [{"function_call": {**one, "args": {}}} for one in NAMED]}}
VERCEL = [{"toolCallId": one["id"], "toolName": one["name"], "input": {}} for one in NAMED]
BLOCKS = [{"type": "tool_use", "id": one["id"], "name": one["name"], "input": {}} for one in NAMED]
ITEMS = [{"type": "function_call", "call_id": one["id"], **one} for one in NAMED]


def numbered(beginning, inside=""):
    """Each part of an answer in an attribute of its own."""
    found = {f"{beginning}.role": "assistant"}
    for place, call in enumerate(NAMED):
        here = f"{beginning}.tool_calls.{place}.{inside}"
        found[f"{here}id"] = call["id"]
        function = f"{here}function." if inside else here
        found |= {f"{function}name": call["name"], f"{function}arguments": '{"q": 1}'}
    return found


# fmt: off
ATTRIBUTES = {
    "GenAI conventions": {"gen_ai.output.messages": [{"role": "assistant", "parts": PARTS}]},
    "OpenInference": numbered("llm.output_messages.0.message", "tool_call."),
    "OpenLLMetry": numbered("gen_ai.completion.0"),
    "Vercel AI SDK": {"ai.response.toolCalls": VERCEL},
    "Google ADK": {"gcp.vertex.agent.llm_response": GEMINI},
    "MLflow": {"mlflow.spanOutputs": {"choices": [{"message": ANSWER}]}},
    "Langfuse": {"langfuse.observation.output": ANSWER},
    "Bedrock": {"output.value": {"role": "assistant", "content": BEDROCK}},
    "Anthropic": {"output.value": {"role": "assistant", "content": BLOCKS}},
    "Responses of OpenAI": {"output.value": {"object": "response", "output": ITEMS}},
}
# fmt: on


def of_attributes(answer):
    written = {key: one if isinstance(one, str) else json.dumps(one) for key, one in answer.items()}
    spans = [
        otel_span("lead", 0, 9, **{"gen_ai.operation.name": "invoke_agent"}),
        otel_span("chat", 1, 2, "lead", **{"gen_ai.operation.name": "chat"}, **written),
        otel_span("search", 3, 4, "lead", **{"gen_ai.operation.name": "execute_tool"}),
    ]
    return otlp.FORMAT, [otlp_of(*spans)]


@pytest.mark.parametrize("mark", [".", "_"])
def test_a_call_in_the_first_form_of_openai_is_one(mark):
    beginning = "llm.output_messages.0.message.function_call"
    asked = {f"{beginning}{mark}name": "search", f"{beginning}{mark}arguments": "{}"}
    recorder, (document,) = of_attributes(asked)
    del document["resourceSpans"][0]["scopeSpans"][0]["spans"][2]
    found = one_run(recorder, document)
    assert each(found.trace, "tool_call", "tool") == ["search"]
    assert lost(found, "no span carries out") == [("ambiguous", 1)]


def of_events():
    recorder, (document,) = of_attributes({})
    chat = document["resourceSpans"][0]["scopeSpans"][0]["spans"][1]
    message = {"key": "message", "value": {"stringValue": json.dumps(BEDROCK)}}
    chat["events"] = [{"name": "gen_ai.choice", "attributes": [message]}]
    return recorder, [document]


def of_langfuse():
    observations = [
        _observation("lead", "AGENT", 0, 9),
        _observation("chat", "GENERATION", 1, 2, "lead", output=ANSWER),
        _observation("search", "TOOL", 3, 4, "lead"),
    ]
    return langfuse.FORMAT, [{"id": "trace-1", "observations": observations}]


def of_langsmith():
    calls = [
        {"type": "tool_call", "name": one["name"], "args": {}, "id": one["id"]} for one in NAMED
    ]
    kwargs = {"content": BLOCKS, "tool_calls": calls, "additional_kwargs": {"tool_calls": OPENAI}}
    message = {"lc": 1, "type": "constructor", "kwargs": kwargs}
    lead = _run("lead", "chain", 0, 9)
    lead["child_runs"] = [
        _run("chat", "llm", 1, 2, outputs={"generations": [[{"text": "", "message": message}]]}),
        _run("search", "tool", 3, 4),
    ]
    return langsmith.FORMAT, [lead]


def of_openai_agents():
    rows = [
        sdk("lead", "", 0, 9, type="agent", name="lead"),
        sdk("chat", "lead", 1, 2, type="generation", output=[ANSWER]),
        sdk("f1", "lead", 3, 4, type="function", name="search"),
    ]
    return openai_agents.FORMAT, rows


def of_inspect():
    calls = [{"id": one["id"], "function": one["name"], "arguments": {}} for one in NAMED]
    message = {"role": "assistant", "content": "", "tool_calls": calls}
    events = [
        {"event": "span_begin", "id": "s", "type": "agent", "name": "lead", "span_id": "s"},
        {"event": "model", "span_id": "s", "output": {"choices": [{"message": message}]}},
        {"event": "tool", "span_id": "s", "id": "c1", "function": "search"},
    ]
    return inspect.FORMAT, [{"eval": {"task": "t"}, "samples": [{"id": 1, "events": events}]}]


@pytest.mark.parametrize("answer", ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_a_call_that_no_span_carries_out_is_open_whatever_the_dialect(answer):
    is_open(*of_attributes(answer))


@pytest.mark.parametrize(
    "made", [of_events, of_langfuse, of_langsmith, of_openai_agents, of_inspect]
)
def test_a_call_that_no_span_carries_out_is_open_whatever_the_recorder(made):
    is_open(*made())


def is_open(recorder, rows):
    found = one_run(recorder, *rows)
    assert sorted(each(found.trace, "tool_call", "tool")) == ["book", "search"]
    assert each(found.trace, "tool_result", "tool") == ["search"]
    assert lost(found, "no span carries out") == [("ambiguous", 1)]


def test_a_result_that_the_next_request_repeats_answers_the_call():
    request = [{"role": "tool", "tool_call_id": "c2", "content": "booked"}]
    recorder, (document,) = of_attributes(ATTRIBUTES["OpenLLMetry"])
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    chat = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(request)}
    spans.append(otel_span("chat2", 5, 6, "lead", **chat))
    found = one_run(recorder, document)
    result = Content.of("tool", "booked").hash
    assert ("tool_result", "lead", "book", result, ["t"]) in shown(
        found.trace, "tool", "content_ref", "x_inferred"
    )
    assert lost(found, "only the next request tells") == [("inferred", 1)]


def chat(name, start, *asked, parent="lead", **more):
    calls = [dict(zip(("name", "id"), one.split("/"), strict=False)) for one in asked]
    answer = {"role": "assistant", "tool_calls": calls}
    return span(name, "model", start, start + 1, parent, answered=answer, **more)


LEAD = span("lead", "agent")
# fmt: off
CARRIED_OUT = {
    "by its id, whatever the name": [chat("m", 1, "search/c1"), span("x", "tool", 3, 4, "lead", call="c1")],
    "one name, two calls": [chat("m", 1, "find/a", "find/b"), span("t1", "tool", 3, 4, "lead", name="find"), span("t2", "tool", 3, 4, "lead", name="find")],
    "a name with other marks": [chat("m", 1, "search_the_web"), span("t", "tool", 3, 4, "lead", name="Search the web")],
    "ids of the recorder": [chat("m", 1, "find/c1"), span("t", "tool", 3, 4, "lead", name="find", call="t-77")],
    "a handover": [chat("m", 1, "transfer_to_closer"), span("h", "handoff", 3, 4, "lead", name="", target="closer")],
    "an agent called like a tool": [chat("m", 1, "ask_scout"), span("scout", "agent", 3, 8, "lead")],
    "an agent in a tool": [chat("m", 1, "ask"), span("ask", "tool", 3, 8, "lead"), span("scout", "agent", 4, 7, "ask")],
    "a wrapper of tools": [chat("m", 1, "search"), span("ToolInvoker.run", "tool", 3, 8, "lead")],
    "a tool without a name": [chat("m", 1, "search"), span("execute_tool", "tool", 3, 8, "lead")],
    "later than the next call": [chat("m", 1, "slow"), chat("m2", 3), span("slow", "tool", 5, 6, "lead")],
    "below no agent": [chat("m", 1, "transfer_to_closer", parent=""), span("closer", "agent", 3, 8)],
}
LEFT_OPEN = {
    "an agent after another call": [chat("m", 1, "book"), chat("m2", 3), span("scout", "agent", 5, 8, "lead")],
    "another tool is done": [chat("m", 1, "book"), span("search", "tool", 3, 4, "lead")],
    "asked twice, done once": [chat("m", 1, "find/a"), chat("m2", 3, "find/b"), span("t", "tool", 5, 6, "lead", name="find")],
    "one of the same id each turn": [chat("m", 1, "find/0"), span("t", "tool", 3, 4, "lead", name="find", call="0"), chat("m2", 5, "find/0")],
    "the one that the handover is not": [chat("m", 1, "book", "transfer_to_closer"), span("h", "handoff", 3, 4, "lead", target="closer")],
    "of an agent before the next of a crew": [chat("m", 1, "book"), span("second", "agent", 10, 20)],
    "done before it was asked": [span("book", "tool", 0, 0.5, "lead"), chat("m", 1, "book")],
}
# fmt: on


@pytest.mark.parametrize("spans", CARRIED_OUT.values(), ids=CARRIED_OUT)
def test_a_call_that_a_span_carries_out_is_that_of_the_span(spans):
    assert not any(open_calls(Tree.of([LEAD, *spans])).values())


@pytest.mark.parametrize("spans", LEFT_OPEN.values(), ids=LEFT_OPEN)
def test_a_call_without_its_span_stays(spans):
    (left,) = filter(None, open_calls(Tree.of([LEAD, *spans])).values())
    assert len(left) == 1
    assert left[0]["name"] in ("find", "book")
