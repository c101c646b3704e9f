"""The rules of ATIF 1.8 that a written trajectory must pass, as its public models check them."""

from datetime import datetime

KEYS = {
    "trajectory": {
        "schema_version",
        "session_id",
        "trajectory_id",
        "agent",
        "steps",
        "notes",
        "final_metrics",
        "continued_trajectory_ref",
        "extra",
        "subagent_trajectories",
    },
    "agent": {"name", "version", "model_name", "tool_definitions", "extra"},
    "step": {
        "step_id",
        "timestamp",
        "source",
        "model_name",
        "reasoning_effort",
        "message",
        "reasoning_content",
        "tool_calls",
        "observation",
        "metrics",
        "extra",
        "llm_call_count",
        "is_copied_context",
    },
    "call": {"tool_call_id", "function_name", "arguments", "extra"},
    "result": {"source_call_id", "content", "subagent_trajectory_ref", "extra"},
    "reference": {"trajectory_id", "trajectory_path", "session_id", "extra"},
    "metrics": {
        "prompt_tokens",
        "completion_tokens",
        "cached_tokens",
        "cost_usd",
        "prompt_token_ids",
        "completion_token_ids",
        "logprobs",
        "extra",
    },
}
REQUIRED = {
    "trajectory": {"schema_version", "agent", "steps"},
    "agent": {"name", "version"},
    "step": {"step_id", "source", "message"},
    "call": {"tool_call_id", "function_name", "arguments"},
}
OF_AGENTS = {"model_name", "reasoning_content", "tool_calls", "metrics", "llm_call_count"}


def check_trajectory(trajectory):
    """Assert every rule, of embedded trajectories too."""
    _keys("trajectory", trajectory)
    _keys("agent", trajectory["agent"])
    assert trajectory["schema_version"] == "ATIF-v1.8"
    assert trajectory["steps"]
    embedded = trajectory.get("subagent_trajectories", [])
    names = [inner["trajectory_id"] for inner in embedded]
    assert len(names) == len(set(names))
    for number, step in enumerate(trajectory["steps"], 1):
        assert step["step_id"] == number
        _step(step, set(names))
    for inner in embedded:
        check_trajectory(inner)


def _step(step, embedded):
    _keys("step", step)
    assert step["source"] in ("system", "user", "agent")
    if "timestamp" in step:
        datetime.fromisoformat(step["timestamp"])
    if step["source"] != "agent":
        assert not OF_AGENTS & step.keys()
    calls = set()
    for call in step.get("tool_calls", []):
        _keys("call", call)
        calls.add(call["tool_call_id"])
    if "metrics" in step:
        _keys("metrics", step["metrics"])
    for result in step.get("observation", {"results": []})["results"]:
        _keys("result", result)
        assert result.get("source_call_id") is None or result["source_call_id"] in calls
        for reference in result.get("subagent_trajectory_ref", []):
            _keys("reference", reference)
            assert reference["trajectory_id"] in embedded


def _keys(kind, node):
    assert node.keys() <= KEYS[kind], kind
    assert node.keys() >= REQUIRED.get(kind, set()), kind
    assert None not in node.values()
