"""One made-up run for each recorder version, with what a reader of it would count."""

import json
from typing import Any

from tests.support.recorded_evaluations import EVALUATION_SAMPLES
from tests.support.recorded_langsmith import LANGSMITH_SAMPLES
from tests.support.recorded_rollouts import ROLLOUT_SAMPLES
from tests.support.recorded_rows import ROW_SAMPLES
from tests.support.recorded_samples import genai_run, iso, led_log, otel_span, sdk_rows, token_count
from tests.support.recorded_spans import SPAN_SAMPLES
from tests.support.recorded_talks import TALK_SAMPLES
from tests.support.recorded_traces import SECRET, Recorder, say, use
from tests.support.sample import Expected, Sample


def notice(call, agent, status="completed"):
    """The report of Claude Code that a background task has stopped."""
    return (
        f"<task-notification>\n<task-id>{agent}</task-id>\n<tool-use-id>{call}</tool-use-id>\n"
        f"<status>{status}</status>\n<summary>Agent {SECRET}</summary>\n<result>{SECRET}</result>\n"
        "<usage><total_tokens>70</total_tokens></usage>\n</task-notification>"
    )


def background(call, prompt):
    """A call of the tool that starts a sub-agent, as Claude Code writes it since 2.1."""
    return use(call, "Agent", prompt=prompt, subagent_type="helper", run_in_background=True)


def claude_2_1():
    """A background sub-agent, program-written rows, a compaction, a queued prompt and an interruption."""
    log = Recorder("s-21", "2.1.207")
    log.ask("main", "<command-name>/clear</command-name>\n<command-args></command-args>")
    log.ask("main", "<local-command-stdout>(no content)</local-command-stdout>")
    log.ask("main", SECRET, origin={"kind": "human"})
    log.step("main", "m1", background("t1", "watch"), input_tokens=10, output_tokens=2)
    log.result("main", "t1", "started", status="async_launched", agentId="bg1")
    log.ask("bg1", "watch", agentId="bg1")
    log.step("bg1", "b1", use("c1", "Read", path=SECRET), input_tokens=5, output_tokens=1)
    log.result("bg1", "c1", SECRET)
    log.step("main", "m2", say("waiting"), input_tokens=12, output_tokens=3)
    log.step("bg1", "b2", say(SECRET), input_tokens=6, output_tokens=1)
    log.ask("main", notice("t1", "bg1"), origin={"kind": "task-notification"})
    log.step("main", "m3", use("c1", "Bash", command=SECRET), input_tokens=14, output_tokens=4)
    log.result("main", "c1", SECRET)
    copied = [{**row, "isSidechain": True, "agentId": "acompact-1f"} for row in log.rows]
    copied = [row for row in copied if row["uuid"] not in ("u5", "u6", "u7", "u9")]
    log.ask("side", "summarise", agentId="acompact-1f")
    log.step("side", "m-compact", say(SECRET), input_tokens=100, output_tokens=20)
    summary = [row for row in log.rows if row["parentUuid"] in (None, "u13")][-2:]
    log.ask("main", "This session is being continued", isCompactSummary=True)
    queued = {"type": "queued_command", "prompt": SECRET, "origin": {"kind": "human"}}
    log.row("main", "attachment", None, attachment=queued)
    log.step("main", "m4", use("c2", "Bash", command=SECRET), input_tokens=15, output_tokens=5)
    refusal = "The user doesn't want to proceed with this tool use."
    log.result("main", "c2", refusal, error=True)
    log.ask("main", "[Request interrupted by user for tool use]")
    log.ask("main", "<new-thing>what is this</new-thing>")
    log.step("main", "m5", say("done"), input_tokens=16, output_tokens=6)
    main = [row for row in log.rows if not row["isSidechain"]]
    child = [
        {**row, "agentId": "bg1"} for row in log.rows if row["uuid"] in ("u5", "u6", "u7", "u9")
    ]
    return Sample(
        "Claude Code 2.1.207",
        {
            "s-21.jsonl": main,
            "s-21/subagents/agent-bg1.jsonl": child,
            "s-21/subagents/agent-bg1.meta.json": [{"agentType": "helper", "toolUseId": "t1"}],
            "s-21/subagents/agent-acompact-1f.jsonl": copied + summary,
        },
        Expected(
            {"main", "helper-1"},
            1,
            5 + 2 + 1,
            12 + 15 + 18 + 20 + 22 + 6 + 7 + 120,
            {"input": 178, "output": 42},
        ),
    )


def claude_2_1_without_files():
    """The same recorder, two background sub-agents whose files are missing; one was stopped."""
    log = Recorder("s-22", "2.1.285")
    log.ask("main", SECRET)
    log.step("main", "m1", background("t1", "a"), background("t2", "b"), input_tokens=10)
    log.result("main", "t1", "started", status="async_launched", agentId="bg1")
    log.result("main", "t2", "started", status="async_launched", agentId="bg2")
    log.step("main", "m2", say("waiting"), input_tokens=11)
    log.ask("main", notice("t1", "bg1"))
    log.step("main", "m3", say("one is there"), input_tokens=12)
    log.ask("main", notice("", "bg2", "killed"))
    log.ask("main", notice("", "shell-7"))
    log.step("main", "m4", say("done"), input_tokens=13)
    return Sample(
        "Claude Code 2.1.285",
        {"s-22.jsonl": log.rows},
        Expected(
            {"main", "helper-1", "helper-2"}, 2, 4, 10 + 11 + 12 + 13 + 70 + 70, {"input": 46}
        ),
    )


def codex_call(tool, call, **arguments):
    payload = {"type": "function_call", "name": tool, "namespace": "collaboration", "call_id": call}
    return "response_item", {**payload, "arguments": json.dumps(arguments)}


def codex_output(call, **output):
    payload = {"type": "function_call_output", "call_id": call, "output": json.dumps(output)}
    return "response_item", payload


def codex_words(author, recipient, kind):
    """A message between agents, as the file of the receiver holds it."""
    words = f"Message Type: {kind}\nTask name: /root\nSender: {author}\nPayload:\n{SECRET}"
    content = [{"type": "input_text", "text": words}]
    payload = {"type": "agent_message", "author": author, "recipient": recipient}
    return "response_item", {**payload, "content": content}


def codex_rows(start, every, rows):
    written = []
    for position, (kind, payload) in enumerate(rows):
        time = iso(start + every * position)
        written.append({"timestamp": time, "type": kind, "payload": payload})
    return written


def codex_meta(thread, version, **spawn):
    meta: dict[str, Any] = {"id": thread, "session_id": "root", "cli_version": version}
    if spawn:
        meta["source"] = {"subagent": {"thread_spawn": {"parent_thread_id": "root", **spawn}}}
    return "session_meta", meta


def codex_0_150():
    """A sub-agent started, written to and awaited with the tools of the namespace collaboration."""
    child = {"agent_thread_id": "aaa1", "agent_path": "/root/reader"}
    activity = {"type": "sub_agent_activity", **child}
    answer = {"type": "message", "role": "assistant", "content": [{"text": SECRET}]}
    root = [
        codex_meta("root", "0.150.0"),
        ("event_msg", {"type": "user_message", "message": SECRET}),
        ("response_item", {"type": "reasoning", "summary": []}),
        codex_call("spawn_agent", "s1", task_name="reader", agent_type="finder", message=SECRET),
        ("event_msg", {**activity, "kind": "started", "event_id": "s1"}),
        codex_output("s1", task_name="/root/reader"),
        ("event_msg", token_count(100, 100)),
        codex_call("send_message", "i1", target="/root/reader", message=SECRET),
        ("event_msg", {**activity, "kind": "interacted", "event_id": "i1"}),
        codex_output("i1"),
        ("event_msg", token_count(160, 60)),
        codex_call("wait_agent", "w1"),
        ("event_msg", {"type": "brand_new_event"}),
        codex_output("w1", message="Wait completed.", timed_out=False),
        ("event_msg", token_count(210, 50)),
        codex_words("/root/reader", "/root", "FINAL_ANSWER"),
        ("response_item", answer),
        ("event_msg", token_count(250, 40)),
        ("event_msg", {"type": "task_complete", "last_agent_message": SECRET}),
    ]
    reader = [
        codex_meta("aaa1", "0.150.0", agent_path="/root/reader", agent_nickname="Ada"),
        codex_words("/root", "/root/reader", "NEW_TASK"),
        codex_call("exec_command", "c1", cmd=SECRET),
        codex_output("c1"),
        ("event_msg", token_count(30, 30)),
        codex_words("/root", "/root/reader", "MESSAGE"),
        ("response_item", answer),
        ("event_msg", token_count(50, 20)),
        ("event_msg", {"type": "task_complete", "last_agent_message": SECRET}),
    ]
    return Sample(
        "Codex 0.150",
        {
            "rollout-2026-01-01T00-00-00-root.jsonl": codex_rows(0, 2, root),
            "rollout-2026-01-01T00-00-08-aaa1.jsonl": codex_rows(9, 1.5, reader),
        },
        Expected({"main", "Ada"}, 1, 4 + 2, 250 + 50, {"input": 210, "cached": 30, "output": 60}),
    )


def codex_0_155():
    """The activities as items; one file is missing, one sub-agent is known from its own file only."""
    reviewer = {"agent_thread_id": "bbb1", "agent_path": "/root/reviewer"}
    checker = {"agent_thread_id": "bbb2", "agent_path": "/root/checker"}

    def item(kind, call, child):
        activity = {"type": "SubAgentActivity", "id": call, "kind": kind, **child}
        return "event_msg", {"type": "item_completed", "turn_id": "1", "item": activity}

    root = [
        codex_meta("root", "0.155.0"),
        ("event_msg", {"type": "user_message", "message": SECRET}),
        codex_call("spawn_agent", "s1", task_name="reviewer", message=SECRET),
        item("started", "s1", reviewer),
        codex_output("s1"),
        ("event_msg", token_count(90, 90)),
        codex_call("interrupt_agent", "x1", target="/root/checker"),
        item("interrupted", "x1", checker),
        codex_output("x1"),
        ("event_msg", token_count(130, 40)),
        item("completed", "d1", reviewer),
        ("event_msg", {"type": "item_completed", "item": {"type": "Plan"}}),
        ("response_item", {"type": "message", "role": "assistant", "content": [{"text": SECRET}]}),
        ("event_msg", token_count(150, 20)),
        ("event_msg", {"type": "task_complete", "last_agent_message": SECRET}),
    ]
    stopped = [
        codex_meta("bbb2", "0.155.0", agent_path="/root/checker"),
        codex_call("exec_command", "c1", cmd=SECRET),
        codex_output("c1"),
        ("event_msg", token_count(30, 30)),
        ("event_msg", {"type": "turn_aborted", "reason": "interrupted"}),
    ]
    return Sample(
        "Codex 0.155",
        {
            "rollout-2026-01-01T00-00-00-root.jsonl": codex_rows(0, 2, root),
            "rollout-2026-01-01T00-00-09-bbb2.jsonl": codex_rows(9, 1, stopped),
        },
        Expected(
            {"main", "reviewer", "checker"},
            2,
            3 + 1,
            150 + 30,
            {"input": 120, "cached": 20, "output": 40},
        ),
    )


def atif_1_7():
    """Two sub-agents of one name, whose calls have the same ids in each trajectory."""

    def trajectory(name, agent, *steps):
        return {"trajectory_id": name, "agent": {"name": agent}, "steps": list(steps)}

    def step(second, calls, tokens, **observation):
        written = [{"tool_call_id": call, "function_name": "bash"} for call in calls]
        return {
            "source": "agent",
            "timestamp": iso(second),
            "message": SECRET,
            "tool_calls": written,
            "metrics": {"prompt_tokens": tokens, "completion_tokens": 1},
            **observation,
        }

    def results(*rows):
        return {"results": list(rows)}

    def worker(name, second):
        answered = results({"source_call_id": "call_1", "content": SECRET})
        return trajectory(
            name,
            "worker",
            step(second, ["call_1"], 4, observation=answered),
            step(second + 2, [], 5),
        )

    referring = [
        {"source_call_id": "call_1", "subagent_trajectory_ref": [{"trajectory_id": "w1"}]},
        {"source_call_id": "call_2", "subagent_trajectory_ref": [{"trajectory_id": "w2"}]},
    ]
    answered = results({"source_call_id": "call_1", "content": SECRET})
    root = trajectory(
        "lead",
        "lead",
        {"source": "user", "message": SECRET, "timestamp": iso(0)},
        {"source": "context_management", "message": SECRET, "timestamp": iso(1)},
        step(2, ["call_1", "call_2"], 9, observation=results(*referring)),
        step(30, ["call_1"], 9, observation=answered),
        step(40, [], 9),
    )
    root["schema_version"] = "ATIF-v1.7"
    root["subagent_trajectories"] = [worker("w1", 4), worker("w2", 6)]
    return Sample(
        "ATIF 1.7",
        {"lead.json": [root]},
        Expected(
            {"lead", "worker", "worker#2"},
            2,
            3 + 2 * 2,
            3 * 10 + 2 * (5 + 6),
            {"input": 45, "output": 7},
        ),
    )


def two_instrumentations():
    """GenAI spans of a framework, and OpenInference spans of it and of its client, at once.

    The second writes an agent inside the agent of the first, a model call inside the first one's,
    and another beside it; it names no agents.
    """
    chat = {"gen_ai__operation__name": "chat"}
    usage = {"gen_ai__usage__input_tokens": 40, "gen_ai__usage__output_tokens": 10}
    counts = {"llm__token_count__prompt": 40, "llm__token_count__completion": 10}
    model = {"openinference__span__kind": "LLM", **counts}
    agent = {"gen_ai__operation__name": "invoke_agent"}
    tool = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "search"}
    framework = [
        otel_span("lead", 0, 30, gen_ai__agent__name="lead", **agent),
        otel_span("chat a", 2, 4, "run", **chat, **usage),
        otel_span("search", 5, 8, "run", gen_ai__tool__call__id="c1", **tool),
        otel_span("chat b", 9, 12, "run", **chat, **usage),
        otel_span("chat c", 9, 12, "run", **chat, **usage),
    ]
    client = [
        otel_span("run", 1, 29, "lead", openinference__span__kind="AGENT"),
        otel_span("llm a", 2.1, 3.9, "chat a", **model),
        otel_span("find", 5.1, 7.9, "search", tool_call__id="c1", openinference__span__kind="TOOL"),
        otel_span("llm b", 9.1, 11.8, "run", **model),
        otel_span("llm c", 9.2, 11.9, "run", **model),
    ]
    scopes = [
        {"scope": {"name": "opentelemetry.framework"}, "spans": framework},
        {"scope": {"name": "openinference.client"}, "spans": client},
    ]
    return Sample(
        "GenAI conventions 1.37 and OpenInference 0.1",
        {"spans.json": [{"resourceSpans": [{"scopeSpans": scopes}]}]},
        Expected({"lead"}, 0, 3, 3 * 50, {"input": 120, "output": 30}),
    )


def genai():
    """An agent called as a tool; usage on the agents is that of their model calls."""
    return Sample(
        "GenAI conventions 1.37",
        {"spans.jsonl": [genai_run()]},
        Expected({"lead", "searcher"}, 1, 3, 150, {"input": 120, "output": 30}),
    )


def agents_sdk():
    """A handoff, and an agent called as a tool."""
    return Sample(
        "OpenAI Agents SDK 0.2",
        {"traces.jsonl": sdk_rows()},
        Expected({"triage", "billing", "billing#2"}, 1, 4, 4 * 120, {"input": 400, "output": 80}),
    )


def magentic_one():
    """A log of a led team: no clock, no usage, spawns at the first mention."""
    return Sample(
        "Who&When 2025 (Magentic-One)",
        {"log.json": [led_log()]},
        Expected({"Orchestrator", "WebSurfer"}, 1, 5, 0, {}),
    )


SAMPLES = {
    "claude 2.1": claude_2_1,
    "claude 2.1 without files": claude_2_1_without_files,
    "codex 0.150": codex_0_150,
    "codex 0.155": codex_0_155,
    "otlp with genai": genai,
    "otlp of two instrumentations": two_instrumentations,
    "agents sdk": agents_sdk,
    "magentic one": magentic_one,
    "atif 1.7": atif_1_7,
    **SPAN_SAMPLES,
    **EVALUATION_SAMPLES,
    **LANGSMITH_SAMPLES,
    **TALK_SAMPLES,
    **ROLLOUT_SAMPLES,
    **ROW_SAMPLES,
}
