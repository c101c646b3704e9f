"""Made-up output of coding agents on a command line, as they write it while they run."""

from tests.support.recorded_samples import iso
from tests.support.recorded_traces import SECRET, say, use
from tests.support.sample import Expected, Sample


def _row(kind, call=None, **more):
    return {"type": kind, "session_id": "s-1", "parent_tool_use_id": call, **more}


def _says(name, *blocks, call=None, **usage):
    rows = []
    for block in blocks:
        message = {"id": name, "role": "assistant", "model": "model-1", "content": [block]}
        rows.append(_row("assistant", call, message={**message, "usage": usage}))
    return rows


def _result(tool, call=None, **report):
    block = {"type": "tool_result", "tool_use_id": tool, "content": SECRET}
    row = _row("user", call, message={"role": "user", "content": [block]})
    return {**row, "tool_use_result": report} if report else row


def claude_stream_rows():
    """A sub-agent in the foreground, as version 1.0 writes it: without times."""
    task = use("t1", "Task", prompt=SECRET, subagent_type="helper", description="look")
    start = {"subtype": "init", "tools": ["Task"], "model": "model-1", "cwd": "/home/ada"}
    usage = {"input_tokens": 80, "output_tokens": 40}
    end = {
        "subtype": "success",
        "is_error": False,
        "num_turns": 3,
        "result": SECRET,
        "usage": usage,
    }
    return [
        _row("system", **start),
        *_says("m1", task, input_tokens=10, output_tokens=1),
        _row("user", "t1", message={"role": "user", "content": [say(SECRET)]}),
        *_says("k1", use("c1", "Read", path=SECRET), call="t1", input_tokens=5, output_tokens=1),
        _result("c1", "t1"),
        *_says("k2", say(SECRET), call="t1", input_tokens=6, output_tokens=1),
        _result("t1"),
        *_says("m2", say("done"), input_tokens=20, output_tokens=1),
        _row("result", **end),
    ]


def claude_stream_1_0():
    return Sample(
        "Claude Code 1.0 (stream-json)",
        {"out.jsonl": claude_stream_rows()},
        Expected({"main", "helper-1"}, 1, 4, 11 + 6 + 7 + 21, {"input": 41, "output": 4}),
    )


def claude_stream_2_1():
    """Times, a replayed prompt, a sub-agent in the background, and a limit of turns."""
    task = use("t1", "Agent", prompt=SECRET, subagent_type="helper", run_in_background=True)
    launched = {"status": "async_launched", "agentId": "a1"}
    started = {"task_id": "a1", "tool_use_id": "t1", "task_type": "local_agent"}
    done = {**started, "status": "completed", "summary": SECRET, "usage": {"total_tokens": 9}}
    models = {"model-1": {"inputTokens": 41, "outputTokens": 4, "cacheReadInputTokens": 30}}
    end = {"subtype": "error_max_turns", "is_error": True, "num_turns": 3, "modelUsage": models}
    rows = [
        _row("system", subtype="init", claude_code_version="2.1.235"),
        _row("user", message={"role": "user", "content": SECRET}, isReplay=True),
        _row("stream_event", event={"type": "message_start"}),
        *_says("m1", task, input_tokens=10, output_tokens=1, cache_read_input_tokens=30),
        _row("system", subtype="task_started", **started),
        _result("t1", **launched),
        *_says("m2", say("waiting"), input_tokens=5, output_tokens=1),
        _row("user", "t1", message={"role": "user", "content": [say(SECRET)]}),
        *_says("k1", say(SECRET), call="t1", input_tokens=6, output_tokens=1),
        _row("system", subtype="task_notification", **done),
        _row("user", message={"role": "user", "content": SECRET}, isSynthetic=True),
        *_says("m3", use("c2", "Bash", command=SECRET), input_tokens=20, output_tokens=1),
        _result("c2"),
        _row("result", **end),
    ]
    rows = [{**row, "uuid": f"u{place}", "timestamp": iso(place)} for place, row in enumerate(rows)]
    return Sample(
        "Claude Code 2.1.235 (stream-json)",
        {"out.jsonl": rows},
        Expected({"main", "helper-1"}, 1, 4, 41 + 4 + 30, {"input": 41, "cached": 30, "output": 4}),
    )


STREAM_SAMPLES = {"claude stream 1.0": claude_stream_1_0, "claude stream 2.1": claude_stream_2_1}
