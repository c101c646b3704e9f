"""Made-up runs of recorders that write messages, spans or events in rows of their own."""

from tests.support.recorded_traces import SECRET, say
from tests.support.sample import Expected, Sample

USED = {"input": 10, "output": 5, "cacheRead": 100, "cacheWrite": 1, "totalTokens": 116}
CALL = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": SECRET}}


def pi(name, parent, role, content, second, **more):
    """A row of a session of pi."""
    message = {"role": role, "content": content, "timestamp": 1_780_000_000_000 + second, **more}
    stamp = f"2026-05-28T20:26:{second:02d}.000Z"
    row = {"type": "message", "id": name, "parentId": parent, "timestamp": stamp}
    return {**row, "message": message}


def pi_session(*rows, name="s-1", **more):
    head = {"type": "session", "version": 3, "id": name, "cwd": "/home/ada", **more}
    return [{**head, "timestamp": "2026-05-28T20:26:40.000Z"}, *rows]


def answered(name, parent, second, *blocks, stop="stop"):
    more = {"usage": USED, "model": "m", "stopReason": stop}
    return pi(name, parent, "assistant", list(blocks), second, **more)


#: A tool that fails, an answer that a person went back from, and one that was cut short.
TALK = [
    pi("a", None, "user", SECRET, 1),
    answered("b", "a", 2, CALL, stop="toolUse"),
    pi("c", "b", "toolResult", [{"type": "text", "text": "x"}], 3, toolCallId="c1", isError=True),
    answered("d", "c", 4, say("left")),
    answered("e", "c", 5, say("right"), stop="length"),
]


def hub_session():
    rows = [{"type": "message", "message": row["message"]} for row in TALK[:3]]
    for row in rows:
        row["message"] = {key: row["message"][key] for key in row["message"].keys() - {"timestamp"}}
        row["message"].pop("usage", None)
    answer = {"type": "message", "message": {"role": "assistant", "content": "done"}}
    return [{"type": "session", "harness": "mine", "id": "h-1"}, *rows, answer]


def chat_row():
    call = {"id": "c1", "type": "function", "function": {"name": "shop", "arguments": SECRET}}
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    messages = [
        {"role": "system", "content": SECRET},
        {"role": "user", "content": SECRET},
        {"role": "assistant", "content": None, "tool_calls": [call], "usage": usage},
        {"role": "tool", "tool_call_id": "c1", "content": SECRET},
        {"role": "assistant", "content": SECRET, "reasoning_content": SECRET, "usage": usage},
    ]
    return {"messages": messages, "tools": [{"name": "shop"}], "reward": 1.0, "task_id": "t1"}


def _span(name, start, end, parent=None, **given):
    whole = {"rollout_id": "r", "attempt_id": "t", "sequence_id": start, "trace_id": "0" * 31 + "1"}
    whole |= {"start_time": 1000.0 + start, "end_time": 1000.0 + end}
    attributes = {key.replace("__", "."): one for key, one in given.items()}
    more = {"attributes": attributes, "status": {"status_code": "OK"}}
    return {**whole, "span_id": f"{start:016x}", "parent_id": parent, "name": name, **more}


def lightning_spans():
    """An agent, a model call with the ids of its tokens, and a reward."""
    spent = {"gen_ai__usage__input_tokens": 7, "gen_ai__usage__output_tokens": 2}
    chat = {"gen_ai__operation__name": "chat", "gen_ai__request__model": "m", **spent}
    ids = {
        "prompt_token_ids": [1, 2],
        "response_token_ids": [3],
        "gen_ai__output__messages": SECRET,
    }
    reward = {
        "agentlightning__reward__0__name": "accuracy",
        "agentlightning__reward__0__value": 0.5,
    }
    return [
        _span("solver", 1, 9, agentops__span__kind="agent", gen_ai__agent__name="solver"),
        _span("openai.chat.completion", 2, 3, f"{1:016x}", **chat, **ids),
        _span("agentlightning.annotation", 4, 4, f"{1:016x}", **reward),
    ]


def lightning_events():
    """Two model calls, the second of which is given what the first one was, and a reward."""
    asked = [{"role": "user", "content": SECRET}]
    answer = {"role": "assistant", "content": SECRET}
    told = [*asked, answer, {"role": "user", "content": "more"}]

    def event(second, kind, **data):
        known = {"rollout_id": "r", "attempt_id": "0", "timestamp": 1e9 + second}
        return {"event_type": kind, **known, "data": data}

    def asks(second, messages):
        response = {"model": "m", "choices": [{"message": answer, "token_ids": [3]}]}
        usage = {"prompt_tokens": 5, "completion_tokens": 1}
        request = {"messages": messages}
        return event(second, "model_request", request=request, response=response, usage=usage)

    return [asks(1, asked), asks(2, told), event(3, "reward", value=1.0)]


def verifiers_episode():
    """A solver with a tool and a branch, and a judge, in an episode of verifiers."""

    def node(parent, role, content, second, **more):
        message = {"role": role, "content": content}
        sampled = role == "assistant"
        tokens = {"token_ids": [1, 2], "mask": [False, True], "logprobs": [-0.5]} if sampled else {}
        known = {"parent": parent, "sampled": sampled, "timestamp": 1e9 + second, **tokens}
        return {**known, "message": {**message, **more}}

    def used(place):
        usage = {"prompt_tokens": 4, "cached_input_tokens": 6, "completion_tokens": 2}
        return {"node": place, "model": "m", "usage": usage}

    call = {"id": "c1", "name": "shop", "arguments": SECRET}
    solver = [
        node(None, "system", SECRET, 0),
        node(0, "user", SECRET, 0),
        node(1, "assistant", "", 1, tool_calls=[call]),
        node(2, "tool", SECRET, 2, tool_call_id="c1"),
        node(0, "assistant", SECRET, 3),
    ]
    judge = [node(None, "user", SECRET, 4), node(0, "assistant", SECRET, 5)]
    traces = [
        {
            "agent": {"name": "solver"},
            "nodes": solver,
            "calls": [used(2), used(4)],
            "rewards": {"exact": {"score": 1.0, "weight": 0.5}},
        },
        {"agent": {"name": "judge"}, "nodes": judge, "calls": [used(1)], "rewards": {}},
    ]
    return {"id": "e-1", "task": {"type": "T", "data": {}}, "traces": traces, "ok": True}


# fmt: off
ROW_SAMPLES = {
    "pi": lambda: Sample("pi 0.60 (session version 3)", {"s.jsonl": pi_session(*TALK)}, Expected(
        {"main"}, 0, 3, 348, {"input": 30, "cached": 300, "cache_write": 3, "output": 15},
    )),
    "session trace": lambda: Sample("STS 2026", {"s.jsonl": hub_session()}, Expected(
        {"main"}, 0, 2, 0, {},
    )),
    "chat": lambda: Sample("messages of OpenAI", {"s.jsonl": [chat_row()]}, Expected(
        {"agent"}, 0, 2, 22, {"input": 18, "output": 4},
    )),
    "agent-lightning 0.3": lambda: Sample("agent-lightning 0.3 (spans)", {"s.jsonl": lightning_spans()}, Expected(
        {"solver"}, 0, 1, 9, {"input": 7, "output": 2},
    )),
    "agent-lightning 1.0": lambda: Sample("agent-lightning 1.0 (events)", {"s.jsonl": lightning_events()}, Expected(
        {"agent"}, 0, 2, 12, {"input": 10, "output": 2},
    )),
    "verifiers 0.4": lambda: Sample("verifiers 0.4 (traces.jsonl)", {"traces.jsonl": [verifiers_episode()]}, Expected(
        {"solver", "judge"}, 0, 3, 36, {"input": 12, "cached": 18, "output": 6},
    )),
}
# fmt: on
