"""What each format has of what agents were given and wrote: all of it is kept, and only when asked."""

import io
import json
from collections import defaultdict
from dataclasses import asdict
from typing import Any

import pytest

from corpus.traces.contents import Contents
from corpus.traces.convert.format import Redaction
from corpus.traces.convert.intake import convert_all, format_of
from tests.support.converted import recorded
from tests.support.recorded_evaluations import inspect_log
from tests.support.recorded_rollouts import nemo_gym_rollout, rllm_episode, verifiers_rollout
from tests.support.recorded_samples import iso, otel_span, otlp
from tests.support.recorded_traces import SECRET, Recorder, say, use

TOOLS = [{"name": "shop", "description": "SECRET tools"}]
MESSAGES = [
    {"role": "system", "content": "SECRET system"},
    {"role": "user", "content": "SECRET user"},
]
ANSWER = [
    {"type": "reasoning", "content": "SECRET reasoning"},
    {"type": "text", "content": "SECRET assistant"},
    {"type": "tool_call", "id": "c", "name": "shop", "arguments": {"q": "SECRET tool_call"}},
]
ALL = {"system", "user", "tools", "reasoning", "assistant", "tool_call", "tool", "tokens"}


def claude():
    log = Recorder()
    log.ask("main", "SECRET user")
    thought = {"type": "thinking", "thinking": "SECRET reasoning"}
    call = use("c", "Bash", command="SECRET tool_call")
    log.step("main", "m1", thought, say("SECRET assistant"), call)
    log.result("main", "c", "SECRET tool")
    log.step("main", "m2", say("SECRET answer"))
    return log.rows


def codex():
    def words(role, text):
        return {"type": "message", "role": role, "content": [{"type": "text", "text": text}]}

    instructions = {"text": "SECRET system"}
    summary = [{"type": "summary_text", "text": "SECRET reasoning"}]
    call = {"type": "function_call", "name": "shell", "arguments": "SECRET tool_call"}
    rows = [
        ("session_meta", {"id": "r", "base_instructions": instructions, "dynamic_tools": TOOLS}),
        ("event_msg", {"type": "user_message", "message": "SECRET user"}),
        ("response_item", words("developer", "SECRET developer")),
        ("response_item", {"type": "reasoning", "summary": summary}),
        ("response_item", words("assistant", "SECRET assistant")),
        ("response_item", {**call, "call_id": "c"}),
        (
            "response_item",
            {"type": "function_call_output", "call_id": "c", "output": "SECRET tool"},
        ),
        ("response_item", words("assistant", "SECRET answer")),
        ("event_msg", {"type": "task_complete", "last_agent_message": "SECRET answer"}),
    ]
    return [
        {"timestamp": iso(place), "type": kind, "payload": payload}
        for place, (kind, payload) in enumerate(rows)
    ]


def gemini():
    call = {"id": "c", "name": "shop", "args": {"q": "SECRET tool_call"}, "status": "success"}
    result = [{"functionResponse": {"output": "SECRET tool"}}]
    thoughts = [{"subject": "Tea", "description": "SECRET reasoning"}]
    step = {"type": "gemini", "content": "SECRET assistant", "thoughts": thoughts}
    messages = [
        {"id": "1", "type": "user", "content": "SECRET user"},
        {"id": "2", **step, "toolCalls": [{**call, "result": result}]},
    ]
    return [{"sessionId": "g", "projectHash": "a", "messages": messages}]


def atif():
    call = {"tool_call_id": "c", "function_name": "shop", "arguments": {"q": "SECRET tool_call"}}
    result = {"source_call_id": "c", "content": "SECRET tool"}
    logprobs = {"completion_token_ids": [4711], "logprobs": [-0.25], "completion_tokens": 1}
    steps = [
        {"source": "system", "message": "SECRET system"},
        {"source": "user", "message": "SECRET user"},
        {
            "source": "agent",
            "message": "SECRET assistant",
            "reasoning_content": "SECRET reasoning",
            "tool_calls": [call],
            "observation": {"results": [result]},
            "metrics": logprobs,
        },
        {"source": "agent", "message": "SECRET answer"},
    ]
    agent = {"name": "a", "version": "1", "tool_definitions": TOOLS}
    return [{"schema_version": "ATIF-v1.7", "session_id": "s", "agent": agent, "steps": steps}]


def genai(**chat):
    operation = "gen_ai.operation.name"
    tool = {
        "gen_ai.tool.name": "shop",
        "gen_ai.tool.call.arguments": "SECRET tool_call",
        "gen_ai.tool.call.result": "SECRET tool",
    }
    spans = [
        otel_span("lead", 0, 9, **{operation: "invoke_agent", "gen_ai.agent.name": "lead"}),
        otel_span("chat", 1, 2, "lead", **{operation: "chat"}, **chat),
        otel_span("shop", 3, 4, "lead", **{operation: "execute_tool"}, **tool),
    ]
    return [otlp(*spans)]


GENAI = {
    "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "SECRET system"}]),
    "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"content": "SECRET user"}]}]),
    "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": ANSWER}]),
    "gen_ai.tool.definitions": json.dumps(TOOLS),
}
OPENINFERENCE = {
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.0.message.content": "SECRET system",
    "llm.input_messages.1.message.role": "user",
    "llm.input_messages.1.message.contents.0.message_content.text": "SECRET user",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": "SECRET assistant",
    "llm.tools.0.tool.json_schema": json.dumps(TOOLS[0]),
}
OPENLLMETRY = {
    "gen_ai.prompt.0.role": "system",
    "gen_ai.prompt.0.content": "SECRET system",
    "gen_ai.prompt.1.role": "user",
    "gen_ai.prompt.1.content": "SECRET user",
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.content": "SECRET assistant",
    "llm.request.functions.0.description": "SECRET tools",
}
VERCEL = {
    "ai.prompt.messages": json.dumps(MESSAGES),
    "ai.prompt.tools": json.dumps(TOOLS),
    "ai.response.text": "SECRET assistant",
    "ai.response.reasoning": "SECRET reasoning",
}


def langfuse():
    def observed(name, kind, above="", **more):
        times = {"startTime": iso(1), "endTime": iso(2), "parentObservationId": above}
        return {"id": name, "name": name, "type": kind, **times, **more}

    answer = {"role": "assistant", "content": "SECRET assistant", "reasoning": "SECRET reasoning"}
    asked = {"messages": MESSAGES, "tools": TOOLS}
    observations = [
        observed("lead", "AGENT"),
        observed("think", "GENERATION", "lead", input=asked, output=answer),
        observed("shop", "TOOL", "lead", input="SECRET tool_call", output="SECRET tool"),
    ]
    return [{"id": "t", "observations": observations}]


def inspect():
    content = [
        {"type": "reasoning", "reasoning": "SECRET reasoning"},
        {"type": "text", "text": "SECRET assistant"},
    ]
    output = {"choices": [{"message": {"role": "assistant", "content": content}}]}
    given = {"input": [{"role": "system", "content": "attachment://a"}, MESSAGES[1]]}
    begin = {"event": "span_begin", "id": "l", "type": "agent", "name": "lead", "timestamp": iso(0)}
    model = {"event": "model", "span_id": "l", "timestamp": iso(1), "tools": TOOLS}
    tool = {"event": "tool", "span_id": "l", "timestamp": iso(2), "id": "c", "function": "shop"}
    ran = {"arguments": {"q": "SECRET tool_call"}, "result": "SECRET tool"}
    events = [begin, {**model, **given, "output": output}, {**tool, **ran}]
    sample = {"id": 1, "epoch": 1, "events": events, "attachments": {"a": "SECRET system"}}
    return [inspect_log(sample)]


def langsmith():
    def ran(name, kind, start, **more):
        times = {"start_time": iso(start), "end_time": iso(start + 1), "trace_id": "t"}
        above = {} if name == "top" else {"parent_run_id": "top"}
        return {"id": name, "name": name, "run_type": kind, **times, **above, **more}

    kwargs = {"content": "SECRET assistant", "type": "ai"}
    answer = {"generations": [[{"text": "", "message": {"lc": 1, "kwargs": kwargs}}]]}
    system = {"lc": 1, "kwargs": {"content": "SECRET system", "type": "system"}}
    asked = {"messages": [[system, {"lc": 1, "kwargs": MESSAGES[1]}]]}
    extra = {"invocation_params": {"tools": TOOLS}}
    tool = {"inputs": {"input": "SECRET tool_call"}, "outputs": {"output": "SECRET tool"}}
    return [
        ran("top", "chain", 0),
        ran("llm", "llm", 1, inputs=asked, outputs=answer, extra=extra),
        ran("shop", "tool", 2, **tool),
    ]


def autogen():
    call = {"id": "c", "name": "shop", "arguments": json.dumps({"q": "SECRET tool_call"})}
    back = {"call_id": "c", "name": "shop", "content": "SECRET tool"}
    messages = [
        {"type": "TextMessage", "source": "user", "content": "SECRET user"},
        {"type": "ThoughtEvent", "source": "lead", "content": "SECRET reasoning"},
        {"type": "ToolCallRequestEvent", "source": "lead", "content": [call]},
        {"type": "ToolCallExecutionEvent", "source": "lead", "content": [back]},
        {"type": "TextMessage", "source": "lead", "content": "SECRET assistant"},
    ]
    return [{"messages": messages}]


def who_and_when():
    turns = [("human", "SECRET user"), ("Orchestrator (thought)", "SECRET assistant")]
    history = [{"role": role, "content": words} for role, words in turns]
    return [{"history": history, "mistake_agent": "x", "question": "SECRET question"}]


def rollout(row):
    """A rollout in which every text tells what it is, and a token id is the secret one."""
    told = " SECRET ".join(["", *sorted(ALL - {"tokens"})])
    text = json.dumps(row).replace('_ids": [', '_ids": [4711, ')
    parts = text.split(SECRET)
    # Each is another text, or all of them were one content.
    numbered = [f"{part}{told} {number}" for number, part in enumerate(parts[:-1])]
    found: dict[str, Any] = json.loads("".join([*numbered, parts[-1]]))
    return found


# Each sample, and what of ALL its format does not record.
RECORDED: dict[str, tuple[list[dict[str, Any]], set[str]]] = {
    "claude-code": (claude(), {"system", "tools", "tokens"}),
    "codex": (codex(), {"tokens"}),
    "gemini-cli": (gemini(), {"system", "tools", "tokens"}),
    "atif": (atif(), set()),
    "genai": (genai(**GENAI), {"tokens"}),
    "openinference": (genai(**OPENINFERENCE), {"reasoning", "tokens"}),
    "openllmetry": (genai(**OPENLLMETRY), {"reasoning", "tokens"}),
    "vercel": (genai(**VERCEL), {"tokens"}),
    "langfuse": (langfuse(), {"tokens"}),
    "inspect": (inspect(), {"tokens"}),
    "langsmith": (langsmith(), {"reasoning", "tokens"}),
    "autogen": (autogen(), {"system", "tools", "tokens"}),
    "nemo-gym": ([rollout(nemo_gym_rollout())], set()),
    "verifiers": ([rollout(verifiers_rollout())], {"tools"}),
    "rllm": ([rollout(rllm_episode())], {"tools", "tool_call", "tool"}),
    "who-and-when": (who_and_when(), ALL - {"user", "assistant"}),
}
# How a kind is called here, where it is not the name of a role.
ROLES = {"tools": "tool_definitions"}


def converted(name, contents):
    document = recorded(*RECORDED[name][0])
    found = format_of(document)
    (conversion,) = convert_all({found.name: [document]}, Redaction(contents=contents))
    return conversion


@pytest.mark.parametrize("name", RECORDED)
def test_all_that_a_format_records_is_kept_under_its_role(name):
    contents = Contents(io.BytesIO())
    conversion = converted(name, contents)
    by_role: dict[str, str] = defaultdict(str)
    hashes = {conversion.trace["task_id"]}
    for event in conversion.trace["events"]:
        hashes.add(event.get("content_ref"))
        for names in event.get("x_contents", {}).values():
            hashes.update(names)
    for line in contents.lines():
        content = json.loads(line)
        by_role[content["role"]] += content["text"]
        assert content["hash"] in hashes
    wanted = ALL - RECORDED[name][1] - {"tokens", "user"}
    assert {kind for kind in wanted if f"SECRET {kind}" in by_role[ROLES.get(kind, kind)]} == wanted
    assert "SECRET user" in by_role["user"] + by_role["messages"]
    assert ("4711" in by_role["tokens"]) is ("tokens" not in RECORDED[name][1])


@pytest.mark.parametrize("name", RECORDED)
def test_a_trace_is_the_same_with_and_without_its_contents(name):
    closed = converted(name, None)
    assert "SECRET" not in json.dumps([closed.trace, [*map(asdict, closed.losses)]])
    assert converted(name, Contents(io.BytesIO())) == closed
