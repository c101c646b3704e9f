"""A run of a few events in which each thing that a target writes happens once."""

from typing import Any


def every_event():
    """A person asks, a tool fails, a helper is spawned, hands over and returns, a check looks on."""
    usage = {"x_tokens": 9, "x_tokens_input": 2, "x_tokens_cached": 3, "x_tokens_output": 4}
    lead: dict[str, Any] = {"agent": "lead"}
    bob: dict[str, Any] = {"agent": "bob", "to": "lead"}
    call = {"tool": "shop", "x_call_id": "c1"}
    events = [
        {"id": "ask", "t": 0, "type": "human_intervention", "agent": "user", "to": "lead"},
        {"id": "buy", "t": 1, "type": "tool_call", **lead, **call, "x_model": "m", **usage},
        {"id": "got", "t": 2.5, "type": "tool_result", **lead, **call, "x_error": True},
        {"id": "call", "t": 3, "type": "spawn", **lead, "to": "bob", "role": "boiler"},
        {"id": "over", "t": 4, "type": "message", **bob, "role": "handoff"},
        {"id": "check", "t": 5, "type": "safety_event", **lead, "role": "policy"},
        {"id": "done", "t": 6, "type": "return", **bob, "from": "bob", "x_end": 7},
    ]
    events[0] |= {"role": "task", "content_ref": "ref", "trusted": False}
    events[1] |= {"x_steps": 1}
    events[6] |= {"x_steps": 2, "x_stop_reason": "implicit"}
    edges = [("buy", "got", "tool_dependency"), ("call", "over", "spawn")]
    return {
        "trace_id": "small",
        "task_id": "tea",
        "system": "mine",
        "events": events,
        "edges": [{"src": src, "dst": dst, "type": kind} for src, dst, kind in edges],
        "rewards": {"team": 1, "style": 0},
        "costs": {"tokens": 9, "wall_clock_s": 7, "tool_calls": 1, "messages": 1},
        "metrics": {"a": 1},
    }
