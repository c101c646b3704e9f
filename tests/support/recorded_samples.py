"""One small run a format, as its recorder would write it; made up."""

from tests.support.recorded_traces import SECRET

START = 1_700_000_000


def iso(second):
    return f"2026-01-01T00:00:{second:06.3f}Z"


def codex_root():
    """A root thread that starts one helper, talks to it, waits for it and stops it for good."""

    def activity(kind, call):
        child = {"agent_thread_id": "kid", "agent_path": "/root/Finch"}
        return "event_msg", {"type": "sub_agent_activity", "kind": kind, "event_id": call, **child}

    def call(name, call_id, arguments):
        asked = {"type": "function_call", "name": name, "arguments": arguments, "call_id": call_id}
        return "response_item", asked

    def output(call_id):
        return "response_item", {
            "type": "function_call_output",
            "call_id": call_id,
            "output": SECRET,
        }

    answer = [{"text": f"Message Type: FINAL_ANSWER\n{SECRET}"}]
    rows = [
        ("session_meta", {"id": "root", "cwd": SECRET, "cli_version": "0.1"}),
        ("event_msg", {"type": "user_message", "message": SECRET}),
        ("response_item", {"type": "reasoning", "summary": []}),
        call("spawn_agent", "s1", '{"agent_type": "finder"}'),
        activity("started", "s1"),
        output("s1"),
        ("event_msg", token_count(100, 100)),
        ("event_msg", token_count(100, 100)),
        call("shell", "c1", SECRET),
        output("c1"),
        ("event_msg", {"type": "exec_command_end", "call_id": "c1", "duration": {"secs": 1}}),
        activity("interacted", "i1"),
        ("event_msg", {"type": "guardian_assessment", "status": "denied", "rationale": SECRET}),
        ("response_item", {"type": "agent_message", "author": "/root/Finch", "content": answer}),
        activity("interrupted", "x1"),
        ("response_item", {"type": "message", "role": "assistant", "content": [{"text": SECRET}]}),
        ("event_msg", token_count(150, 50)),
        ("event_msg", {"type": "task_complete", "last_agent_message": SECRET}),
    ]
    return [
        {"timestamp": iso(2 * place), "type": kind, "payload": payload}
        for place, (kind, payload) in enumerate(rows)
    ]


def token_count(total, last):
    usage = {"input_tokens": last - 10, "output_tokens": 10, "cached_input_tokens": 5}
    return {
        "type": "token_count",
        "info": {"total_token_usage": {"total_tokens": total}, "last_token_usage": usage},
    }


def codex_kid():
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "root", "depth": 1}}}
    rows = [
        (9, "session_meta", {"id": "kid", "source": source}),
        (9.5, "event_msg", {"type": "user_message", "message": SECRET}),
        (
            10,
            "response_item",
            {"type": "custom_tool_call", "name": "grep", "input": SECRET, "call_id": "k1"},
        ),
        (
            11,
            "response_item",
            {"type": "custom_tool_call_output", "call_id": "k1", "output": SECRET},
        ),
        (
            12,
            "response_item",
            {"type": "message", "role": "assistant", "content": [{"text": SECRET}]},
        ),
        (13, "event_msg", {"type": "task_complete", "last_agent_message": SECRET}),
    ]
    return [
        {"timestamp": iso(time), "type": kind, "payload": payload} for time, kind, payload in rows
    ]


def otlp(*spans):
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}


def otel_span(name, start, end, parent="", /, trace="a" * 32, **attributes):
    """One span; its id is the name in hexadecimal, attribute names have __ for a dot."""
    pairs = [
        {
            "key": key.replace("__", "."),
            "value": {"intValue": str(one)} if isinstance(one, int) else {"stringValue": one},
        }
        for key, one in attributes.items()
    ]
    return {
        "traceId": trace,
        "spanId": span_id(name),
        "parentSpanId": span_id(parent) if parent else "",
        "name": name,
        "startTimeUnixNano": str(int((START + start) * 1e9)),
        "endTimeUnixNano": str(int((START + end) * 1e9)),
        "attributes": pairs,
    }


def span_id(name):
    return name.encode().hex().ljust(16, "0")[:16]


def genai_run():
    """A lead that calls a searcher as a tool; usage rolls up on the agent spans as some SDKs write it."""
    agent, tool, chat = "invoke_agent", "execute_tool", "chat"
    use = {"gen_ai__usage__input_tokens": 40, "gen_ai__usage__output_tokens": 10}
    return otlp(
        otel_span(
            "lead",
            0,
            20,
            gen_ai__operation__name=agent,
            gen_ai__agent__name="lead",
            **_times(use, 3),
        ),
        otel_span("chat1", 1, 2, "lead", gen_ai__operation__name=chat, input__value=SECRET, **use),
        otel_span(
            "ask", 3, 12, "lead", gen_ai__operation__name=tool, gen_ai__tool__name="ask_searcher"
        ),
        otel_span(
            "search", 4, 11, "ask", gen_ai__operation__name=agent, gen_ai__agent__name="searcher"
        ),
        otel_span("chat2", 5, 6, "search", gen_ai__operation__name=chat, **use),
        otel_span(
            "web",
            7,
            9,
            "search",
            gen_ai__operation__name=tool,
            gen_ai__tool__name="web",
            input__value=SECRET,
        ),
        otel_span("chat3", 13, 15, "lead", gen_ai__operation__name=chat, **use),
    )


def _times(usage, factor):
    return {key: amount * factor for key, amount in usage.items()}


def sdk_rows():
    """A triage agent that hands over to billing, which asks a helper of its own kind as a tool."""
    usage = {"input_tokens": 100, "output_tokens": 20}
    return [
        {"object": "trace", "id": "t1", "workflow_name": SECRET},
        sdk("task", "", 0, 30, type="custom", name="task", data={"usage": usage}),
        sdk("a1", "task", 0, 8, type="agent", name="triage"),
        sdk("u1", "a1", 0, 8, type="custom", name="turn", data={"usage": usage}),
        sdk("g1", "u1", 1, 2, type="guardrail", name="pii", triggered=False),
        sdk("m1", "u1", 3, 5, type="generation", input=SECRET, usage=usage),
        sdk("h1", "u1", 6, 7, type="handoff", from_agent="triage", to_agent="billing"),
        sdk("a2", "task", 9, 30, type="agent", name="billing"),
        sdk("u2", "a2", 9, 20, type="custom", name="turn", data={"usage": usage}),
        sdk("m2", "u2", 10, 11, type="response"),
        sdk("f1", "u2", 12, 19, type="function", name="second_opinion", input=SECRET),
        sdk("a3", "f1", 13, 18, type="agent", name="billing"),
        sdk("m3", "a3", 14, 17, type="generation", usage=usage),
        sdk("m4", "a2", 21, 29, type="generation", usage=usage),
    ]


def sdk(span, parent, start, end, /, **data):
    return {
        "object": "trace.span",
        "id": span,
        "trace_id": "t1",
        "parent_id": parent or None,
        "started_at": iso(start),
        "ended_at": iso(end),
        "span_data": data,
        "error": None,
    }


def led_log():
    """A log of a team with a lead."""
    return {
        "question": SECRET,
        "question_ID": "q1",
        "mistake_agent": "WebSurfer",
        "mistake_step": "3",
        "mistake_reason": SECRET,
        "history": [
            {"role": "human", "content": SECRET},
            {"role": "Orchestrator (thought)", "content": SECRET},
            {"role": "Orchestrator (-> WebSurfer)", "content": SECRET},
            {"role": "WebSurfer", "content": SECRET},
            {"role": "Orchestrator (thought)", "content": "Request satisfied."},
            {"role": "Orchestrator (termination condition)", "content": SECRET},
        ],
    }


def team_log():
    """A log of a team without a lead."""
    return {
        "is_correct": False,
        "question_ID": "q2",
        "mistake_agent": "Coder",
        "mistake_step": 0,
        "history": [
            {"name": "Coder", "role": "assistant", "content": f"run this: {SECRET}"},
            {"name": "Computer_terminal", "role": "user", "content": "exitcode: 1 (failed)"},
            {"name": "Coder", "role": "assistant", "content": SECRET},
            {"name": "Checker", "role": "user", "content": "TERMINATE"},
        ],
    }


def atif_run():
    """A trajectory with one embedded sub-agent, one that is missing, and a finish call."""
    refs = [{"trajectory_id": "inner"}, {"session_id": "gone"}]
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": "outer",
        "agent": {"name": "coder"},
        "continued_trajectory_ref": None,
        "steps": [
            {"step_id": 1, "source": "system", "message": SECRET},
            {"step_id": 2, "source": "user", "message": SECRET, "timestamp": iso(1)},
            {
                "step_id": 3,
                "source": "agent",
                "timestamp": iso(2),
                "message": SECRET,
                "metrics": {"prompt_tokens": 50, "completion_tokens": 10, "cached_tokens": 20},
                "tool_calls": [
                    {
                        "tool_call_id": "d1",
                        "function_name": "delegate",
                        "arguments": {"to": SECRET},
                    },
                    {"tool_call_id": "b1", "function_name": "bash", "arguments": {"cmd": SECRET}},
                ],
                "observation": {
                    "results": [
                        {"source_call_id": "d1", "subagent_trajectory_ref": refs},
                        {"source_call_id": "b1", "content": SECRET},
                    ]
                },
            },
            {
                "step_id": 4,
                "source": "agent",
                "timestamp": iso(9),
                "message": SECRET,
                "metrics": {"prompt_tokens": 70, "completion_tokens": 10},
                "tool_calls": [{"tool_call_id": "e1", "function_name": "finish", "arguments": {}}],
            },
        ],
        "subagent_trajectories": [
            {
                "trajectory_id": "inner",
                "agent": {"name": "tester"},
                "steps": [
                    {"source": "user", "message": SECRET, "timestamp": iso(3)},
                    {
                        "source": "agent",
                        "message": SECRET,
                        "timestamp": iso(5),
                        "metrics": {"prompt_tokens": 5},
                    },
                ],
            }
        ],
        "final_metrics": {"total_prompt_tokens": 130, "total_completion_tokens": 30},
    }
