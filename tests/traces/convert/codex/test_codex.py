"""What the threads of Codex did, as the events of a trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.recorded_samples import codex_kid, codex_root
from tests.support.recorded_traces import Run, into, kinds, only, write_rows


@pytest.fixture
def trace(tmp_path: Path, run: Run) -> dict[str, Any]:
    write_rows(tmp_path / "rollout-kid.jsonl", codex_kid())
    write_rows(tmp_path / "rollout-root.jsonl", codex_root())
    (found,) = run(tmp_path)
    return found.trace


def test_threads_are_joined_into_one_run(trace: dict[str, Any]) -> None:
    assert (trace["trace_id"], trace["topology"]) == ("root", "centralized")
    assert kinds(trace, "Finch") == ["tool_call", "tool_result", "return"]
    assert kinds(trace, "main") == [
        *("orchestrator_decision", "spawn", "tool_call", "tool_result", "message"),
        *("safety_event", "despawn", "aggregate", "return"),
    ]


def test_usage_repeated_by_the_harness_is_counted_once(trace: dict[str, Any]) -> None:
    assert trace["costs"]["tokens"] == 150
    assert trace["metrics"]["corpus.steps"] == 3 + 2


def test_the_return_carries_the_time_of_the_helper_and_ends_the_wait(trace: dict[str, Any]) -> None:
    back = only(trace, type="return", agent="Finch")
    assert (back["t"], back["x_call_id"]) == (11.0, "kid")
    assert "x_inferred" not in back
    assert ("Finch", "aggregate") in [
        (event["agent"], edge) for event, edge in into(trace, only(trace, type="aggregate"))
    ]


def test_a_call_recorded_twice_is_one_call(trace: dict[str, Any]) -> None:
    given = [event["tool"] for event in trace["events"] if event["type"] == "tool_call"]
    assert given == ["grep", "shell"]
    assert trace["events"][-1]["x_stop_reason"] == "implicit"


def test_a_denied_action_is_a_safety_event(trace: dict[str, Any]) -> None:
    assert only(trace, type="safety_event")["x_error"] is True


def test_without_the_file_of_the_helper_its_return_is_inferred(tmp_path: Path, run: Run) -> None:
    (found,) = run(write_rows(tmp_path / "rollout-root.jsonl", codex_root()))
    assert only(found.trace, type="return", agent="Finch")["x_inferred"] == ["t"]
    assert kinds(found.trace).count("spawn") == 1


def test_only_the_end_of_a_call_gives_its_start_by_the_duration(tmp_path: Path, run: Run) -> None:
    rows = [
        row
        for row in codex_root()
        if row["payload"].get("call_id") != "c1" or "duration" in row["payload"]
    ]
    (found,) = run(write_rows(tmp_path / "r.jsonl", rows))
    call, result = only(found.trace, type="tool_call"), only(found.trace, type="tool_result")
    assert (round(result["t"] - call["t"], 6), call["x_inferred"]) == (1.0, ["t"])


def test_an_interrupted_turn_ends_the_run_from_outside(tmp_path: Path, run: Run) -> None:
    rows = codex_root()[:3]
    rows.append(
        {
            **rows[-1],
            "type": "event_msg",
            "payload": {"type": "turn_aborted", "reason": "interrupted"},
        }
    )
    (found,) = run(write_rows(tmp_path / "r.jsonl", rows))
    assert only(found.trace, role="interrupt")["type"] == "human_intervention"
    assert found.trace["events"][-1]["x_stop_reason"] == "external"
