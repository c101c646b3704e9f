"""Made-up conversations: of teams, of coding agents, and as plain chat messages."""

import json

from tests.support.recorded_samples import iso
from tests.support.recorded_traces import SECRET
from tests.support.sample import Expected, Sample


def _gemini(name, start, *calls, **tokens):
    message = {"id": name, "timestamp": iso(start), "type": "gemini", "content": SECRET}
    return {**message, "model": "model-1", "tokens": tokens, "toolCalls": list(calls)}


def _gemini_user(name, start, content=SECRET):
    return {"id": name, "timestamp": iso(start), "type": "user", "content": content}


def _gemini_call(name, tool, end, status, **more):
    call = {"id": name, "name": tool, "args": {"path": SECRET}, "status": status}
    return {**call, "timestamp": iso(end), "result": [{"functionResponse": {}}], **more}


def gemini_session():
    """A session as one object: a tool that a person cancelled, and two prompts."""
    messages = [
        _gemini_user("u1", 0),
        _gemini(
            "g1", 1, _gemini_call("c1", "read_file", 2, "success"), input=50, output=5, cached=30
        ),
        _gemini_user("u2", 2, [{"functionResponse": {"name": "read_file"}}]),
        _gemini("g2", 3, input=60, output=6, cached=0, thoughts=4, tool=10),
        {"id": "i1", "timestamp": iso(4), "type": "info", "content": SECRET},
        _gemini_user("u3", 5, [{"text": SECRET}]),
        _gemini(
            "g3", 6, _gemini_call("c2", "run_shell_command", 7, "cancelled"), input=70, output=7
        ),
        _gemini("g4", 8, input=80, output=8),
    ]
    head = {"sessionId": "g-1", "projectHash": "ab12", "startTime": iso(0), "lastUpdated": iso(8)}
    return {**head, "messages": messages}


def gemini_cli_0_16():
    return Sample(
        "Gemini CLI 0.16 (.json)",
        {"session-1.json": [gemini_session()]},
        Expected(
            {"main"},
            0,
            4,
            55 + 80 + 77 + 88,
            {"input": 20 + 70 + 70 + 80, "cached": 30, "output": 5 + 10 + 7 + 8, "reasoning": 4},
        ),
    )


def gemini_cli_0_40():
    """Rows: a message written again, one taken back, and a sub-agent with a file of its own."""
    head = {"projectHash": "ab12", "startTime": iso(0)}
    done = _gemini_call("c1", "investigator", 6, "success", agentId="sub-1")
    rows = [
        {"sessionId": "g-2", "kind": "main", **head},
        _gemini_user("u0", 0),
        {"$rewindTo": "u0"},
        _gemini_user("u1", 1),
        _gemini("g1", 2, input=50, output=5, cached=0),
        {"$set": {"lastUpdated": iso(6)}},
        _gemini("g1", 2, done, input=50, output=5, cached=0),
        _gemini("g2", 7, input=60, output=6, cached=0),
    ]
    inner = [
        {"sessionId": "sub-1", "kind": "subagent", **head},
        _gemini_user("u1", 3),
        _gemini("g1", 4, _gemini_call("c1", "glob", 5, "error"), input=10, output=1, cached=0),
        _gemini("g2", 5.5, input=20, output=2, cached=0),
    ]
    return Sample(
        "Gemini CLI 0.40 (.jsonl)",
        {"session-2.jsonl": rows, "g-2/sub-1.jsonl": inner},
        Expected(
            {"main", "investigator"},
            1,
            4,
            55 + 66 + 11 + 22,
            {"input": 140, "cached": 0, "output": 14},
        ),
    )


def _said(kind, source, content, tokens=0, **more):
    usage = {"prompt_tokens": tokens, "completion_tokens": 5} if tokens else None
    return {"type": kind, "source": source, "models_usage": usage, "content": content, **more}


def autogen_result():
    """A swarm: a tool, a handoff, and the end by a word."""
    call = {"id": "call_1", "name": "search", "arguments": json.dumps({"q": SECRET})}
    back = {"call_id": "call_1", "name": "search", "content": SECRET, "is_error": True}
    messages = [
        _said("TextMessage", "user", SECRET),
        _said("ToolCallRequestEvent", "planner", [call], 10),
        _said("ToolCallExecutionEvent", "planner", [back]),
        _said("ToolCallSummaryMessage", "planner", SECRET),
        _said("ThoughtEvent", "planner", SECRET),
        _said("HandoffMessage", "planner", SECRET, target="writer", context=[]),
        _said("TextMessage", "writer", SECRET, 20),
        _said("MemoryQueryEvent", "checker", []),
        _said("TextMessage", "checker", "TERMINATE", 30),
    ]
    return {"messages": messages, "stop_reason": "Text 'TERMINATE' mentioned"}


def autogen_0_4():
    return Sample(
        "AutoGen 0.4",
        {"result.json": [autogen_result()]},
        Expected({"planner", "writer", "checker"}, 0, 3, 75, {"input": 60, "output": 15}),
    )


def autogen_0_7():
    """A stream of a group that a manager leads; a person is asked; too many messages end it."""
    messages = [
        _said("TextMessage", "user", SECRET),
        _said("SelectSpeakerEvent", "manager", ["coder"], 7),
        _said("TextMessage", "coder", SECRET, 10),
        _said("SelectSpeakerEvent", "manager", ["proxy"]),
        _said("UserInputRequestedEvent", "proxy", "", request_id="r1"),
        _said("TextMessage", "proxy", SECRET),
        _said("StructuredMessage[Answer]", "coder", {"text": SECRET}, 20),
    ]
    messages = [{**one, "id": f"m{n}", "created_at": iso(n)} for n, one in enumerate(messages)]
    end = {"messages": messages, "stop_reason": "Maximum number of messages 7 reached"}
    return Sample(
        "AutoGen 0.7",
        {"stream.jsonl": [*messages, end]},
        Expected({"manager", "coder"}, 0, 3, 12 + 15 + 25, {"input": 37, "output": 15}),
    )


TALK_SAMPLES = {
    "gemini cli 0.16": gemini_cli_0_16,
    "gemini cli 0.40": gemini_cli_0_40,
    "autogen 0.4": autogen_0_4,
    "autogen 0.7": autogen_0_7,
}
