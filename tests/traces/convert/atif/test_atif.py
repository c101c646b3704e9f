"""What the steps of a trajectory did, as the events of a trace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.recorded_samples import atif_run
from tests.support.recorded_traces import Run, into, kinds, only, write_rows


def save(path: Path, run: dict[str, Any]) -> Path:
    path.write_text(json.dumps(run, indent=2))
    return path


def test_sub_agents_run_between_their_spawn_and_return(tmp_path: Path, run: Run) -> None:
    (found,) = run(save(tmp_path / "t.json", atif_run()))
    trace = found.trace
    assert kinds(trace, "tester") == ["return"]
    result = {event["to"] for event in trace["events"] if event["type"] == "spawn"}
    assert result == {"tester", "sub-agent"}
    assert only(trace, type="return", agent="sub-agent")["x_inferred"] is True
    assert "x_inferred" not in only(trace, type="return", agent="tester")
    assert kinds(trace).count("tool_call") == 1
    assert [event["type"] for event, _ in into(trace, trace["events"][-1])].count("return") == 2


def test_usage_is_that_of_the_steps_and_the_rest_is_noted(tmp_path: Path, run: Run) -> None:
    (found,) = run(save(tmp_path / "t.json", atif_run()))
    assert (found.trace["costs"]["tokens"], found.trace["metrics"]["corpus.steps"]) == (145, 3)
    assert [loss.count for loss in found.losses if "final metrics" in loss.what] == [15]


def test_a_finish_call_is_an_explicit_stop(tmp_path: Path, run: Run) -> None:
    (found,) = run(save(tmp_path / "t.json", atif_run()))
    last = found.trace["events"][-1]
    assert (last["type"], last["to"], last["x_stop_reason"]) == ("return", "user", "explicit")


def test_a_missing_continuation_is_not_taken_as_the_end(tmp_path: Path, run: Run) -> None:
    first = atif_run()
    first["continued_trajectory_ref"] = "../../etc/passwd"
    (found,) = run(save(tmp_path / "t.json", first))
    assert found.trace["events"][-1]["x_stop_reason"] == "truncated"


def test_observations_without_a_call_answer_an_inferred_one(tmp_path: Path, run: Run) -> None:
    trajectory = atif_run()
    trajectory["steps"] = [
        {"source": "user", "message": "go"},
        {"source": "agent", "message": "ls", "observation": {"results": [{"content": "a.txt"}]}},
    ]
    (found,) = run(save(tmp_path / "t.json", trajectory))
    assert only(found.trace, type="tool_call")["x_inferred"] is True
    assert found.trace["costs"]["wall_clock_s"] == 0, "there is no clock"
    assert [event["t"] for event in found.trace["events"]] == [0, 1, 1, 1]


def test_a_very_deep_chain_of_sub_agents_ends(tmp_path: Path, run: Run) -> None:
    rows = []
    for depth in range(1500):
        refs = [{"trajectory_id": f"t{depth + 1}"}]
        step = {"source": "agent", "observation": {"results": [{"subagent_trajectory_ref": refs}]}}
        rows.append(
            {
                "schema_version": "ATIF-v1.7",
                "trajectory_id": f"t{depth}",
                "agent": {"name": "a"},
                "steps": [step],
            }
        )
    assert run(write_rows(tmp_path / "deep.jsonl", rows))
