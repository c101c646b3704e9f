from __future__ import annotations

import json
from pathlib import Path

from tests.support.recorded_samples import led_log, team_log
from tests.support.recorded_traces import Run, into, kinds, only


def test_a_led_team(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(led_log(), indent=1))
    (found,) = run(path)
    trace = found.trace
    assert kinds(trace) == [
        *("human_intervention", "orchestrator_decision", "spawn", "message", "return"),
        *("orchestrator_decision", "aggregate"),
    ]
    assert only(trace, type="spawn")["x_inferred"] is True
    assert all(
        event["x_inferred"] is True or "t" in event["x_inferred"] for event in trace["events"]
    )
    assert trace["costs"] == {"tokens": 0, "wall_clock_s": 0, "tool_calls": 0, "messages": 1}
    assert trace["events"][-1]["x_stop_reason"] == "explicit"


def test_the_annotated_mistake_is_kept_without_its_reason(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(led_log()))
    (found,) = run(path)
    assert only(found.trace, x_mistake=True)["agent"] == "WebSurfer"
    assert found.trace["metrics"]["corpus.mistake_step"] == 3
    assert "the reason given for the mistake" in [
        loss.what for loss in found.losses if loss.kind == "dropped"
    ]


def test_a_team_without_a_lead(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps([team_log(), led_log()]))
    team, led = (one.trace for one in run(path))
    assert kinds(team) == ["tool_call", "tool_result", "message", "orchestrator_decision"]
    result = only(team, type="tool_result")
    assert (result["x_error"], [edge for _, edge in into(team, result)]) == (
        True,
        ["tool_dependency"],
    )
    assert only(team, type="message")["to"] == "Checker"
    assert (team["topology"], team["metrics"]["task_success"]) == ("unknown", 0)
    assert "task_success" not in led["metrics"]


def test_a_log_that_breaks_off_is_truncated(tmp_path: Path, run: Run) -> None:
    log = led_log()
    log["history"] = log["history"][:4]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    (found,) = run(path)
    assert found.trace["events"][-1]["x_stop_reason"] == "truncated"
