"""What a session of Claude Code did, as the events of a trace."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from corpus.traces.checks.validate import validate
from corpus.traces.reading.reading import TraceText
from tests.support.recorded_traces import (
    SECRET,
    Recorder,
    Run,
    into,
    kinds,
    only,
    say,
    task,
    use,
)


def test_counts_of_a_session_with_two_helpers_in_sequence(
    tmp_path: Path, two_helpers: Recorder, run: Run
) -> None:
    (found,) = run(two_helpers.write(tmp_path / "s.jsonl"))
    steps = Counter[str]()
    for event in found.trace["events"]:
        steps[event["agent"]] += event.get("x_steps", 0)
    assert steps == {"user": 0, "main": 10, "helper-1": 3, "helper-2": 7}
    assert found.trace["metrics"]["corpus.spawn_calls"] == 3
    assert found.trace["metrics"]["corpus.spawn_calls_failed"] == 1
    assert kinds(found.trace).count("spawn") == 2
    assert found.trace["topology"] == "centralized"


def test_a_task_that_never_started_is_a_failed_tool_call(
    tmp_path: Path, two_helpers: Recorder, run: Run
) -> None:
    (found,) = run(two_helpers.write(tmp_path / "s.jsonl"))
    result = only(found.trace, tool="Task", type="tool_result")
    assert result["x_error"] is True
    assert [(event["type"], edge) for event, edge in into(found.trace, result)] == [
        ("tool_call", "tool_dependency")
    ]


def test_usage_is_counted_once_a_step(tmp_path: Path, two_helpers: Recorder, run: Run) -> None:
    (found,) = run(two_helpers.write(tmp_path / "s.jsonl"))
    helpers = (3 + 7) * 3 + 2
    assert found.trace["costs"]["tokens"] == 14 + 26 + 35 + 7 * 10 + helpers
    given = sum(event.get("x_tokens", 0) for event in found.trace["events"])
    assert given == found.trace["costs"]["tokens"]


def test_edges_run_from_decision_over_helper_to_aggregate(
    tmp_path: Path, two_helpers: Recorder, run: Run
) -> None:
    (found,) = run(two_helpers.write(tmp_path / "s.jsonl"))
    trace = found.trace
    spawn = only(trace, type="spawn", to="helper-1")
    assert [(event["type"], edge) for event, edge in into(trace, spawn)] == [
        ("orchestrator_decision", "spawn")
    ]
    first = next(event for event in trace["events"] if event["agent"] == "helper-1")
    assert [(event["id"], edge) for event, edge in into(trace, first)] == [(spawn["id"], "spawn")]
    assert f"edge:{spawn['id']}" in first["x_inferred"], (
        "joined by the prompt, which no field states"
    )
    aggregate = next(event for event in trace["events"] if event["type"] == "aggregate")
    assert ("return", "aggregate") in [
        (event["type"], edge) for event, edge in into(trace, aggregate)
    ]


def test_parallel_calls_of_one_step_do_not_depend_on_each_other(
    tmp_path: Path, recorder: Recorder, run: Run
) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", use("a", "Read"), use("b", "Read"))
    recorder.result("main", "b", "B")
    recorder.result("main", "a", "A")
    recorder.step("main", "m2", say("both read"))
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    calls = [event for event in found.trace["events"] if event["type"] == "tool_call"]
    assert [[event["type"] for event, _ in into(found.trace, call)] for call in calls] == [
        ["human_intervention"]
    ] * 2
    last = only(found.trace, type="return")
    assert [event["type"] for event, _ in into(found.trace, last)] == ["tool_result", "tool_result"]
    assert last["x_stop_reason"] == "implicit"


def test_agent_files_are_found_beside_the_session(
    tmp_path: Path, recorder: Recorder, run: Run
) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", task("t1", "look", "Explore"))
    inside = Recorder()
    inside.rows = recorder.rows[:]
    inside.ask("ab12", "other words", agentId="ab12")
    inside.step("ab12", "x1", say("seen"))
    recorder.rows = inside.rows[:]
    recorder.result("main", "t1", "seen", agentId="ab12", totalTokens=5)
    inside.write(tmp_path / "agent-ab12.jsonl", inside.rows[2:])
    kept = [row for row in recorder.rows if not row["isSidechain"]]
    (found,) = run(recorder.write(tmp_path / "session.jsonl", kept))
    assert found.trace["events"][0]["x_run"]["layout"] == "files"
    assert kinds(found.trace, "Explore-1") == ["return"]
    assert "x_inferred" not in only(found.trace, type="spawn"), (
        "the agent id is written in the result"
    )


@pytest.mark.parametrize("kept", [True, False], ids=["with its file", "without"])
def test_a_helper_that_is_resumed_is_one_agent_that_returns_twice(
    tmp_path: Path, recorder: Recorder, run: Run, kept: bool
) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", task("t1", "look", "Explore"))
    recorder.ask("ab12", "look", agentId="ab12")
    recorder.step("ab12", "x1", say("seen"))
    recorder.row("ab12", "attachment", None, attachment={"hookEvent": "SubagentStop"})
    recorder.result("main", "t1", "seen", agentId="ab12", totalTokens=5)
    recorder.step(
        "main", "m2", use("t2", "Task", prompt="look again", subagent_type="Explore", resume="ab12")
    )
    recorder.ask("ab12", "look again", agentId="ab12")
    recorder.step("ab12", "x2", use("c", "Read"))
    recorder.result("ab12", "c", "more")
    recorder.step("ab12", "x3", say("seen more"))
    recorder.row("ab12", "attachment", None, attachment={"hookEvent": "SubagentStop"})
    recorder.result("main", "t2", "seen more", agentId="ab12", totalTokens=6)
    recorder.step("main", "m3", use("t3", "Task", prompt="and again", resume="nobody"))
    recorder.result("main", "t3", "no such agent", error=True)
    recorder.step("main", "m4", say("done"))
    if kept:
        recorder.write(
            tmp_path / "agent-ab12.jsonl", [row for row in recorder.rows if row["isSidechain"]]
        )
    (found,) = run(
        recorder.write(
            tmp_path / "s.jsonl", [row for row in recorder.rows if not row["isSidechain"]]
        )
    )
    trace = found.trace
    assert [event["to"] for event in trace["events"] if event["type"] == "spawn"] == ["Explore-1"]
    woken = only(trace, type="message")
    assert (woken["agent"], woken["to"], woken["x_call_id"]) == ("main", "Explore-1", "t2")
    own = (
        ["return", "tool_call", "tool_result", "return", "despawn"]
        if kept
        else ["return", "return"]
    )
    assert kinds(trace, "Explore-1") == own
    backs = [
        event
        for event in trace["events"]
        if event["type"] == "return" and event["agent"] == "Explore-1"
    ]
    assert [back["x_call_id"] for back in backs] == ["t1", "t2"]
    again = next(e for e in trace["events"] if e["agent"] == "Explore-1" and e["t"] > woken["t"])
    assert woken["id"] in [event["id"] for event, _ in into(trace, again)]
    assert (
        trace["metrics"]["corpus.spawn_calls"],
        trace["metrics"]["corpus.spawn_calls_failed"],
    ) == (2, 1)
    assert kinds(trace).count("aggregate") == 2
    assert validate(TraceText("a.json", 1, json.dumps(trace).encode(), True)).findings == []


def test_a_helper_whose_file_is_missing_returns_and_is_noted(
    tmp_path: Path, recorder: Recorder, run: Run
) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", task("t1", "look"))
    recorder.result("main", "t1", "seen", agentId="gone", totalTokens=70)
    recorder.step("main", "m2", say("done"), input_tokens=1)
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    back = only(found.trace, type="return", agent="helper-1")
    assert (back["x_tokens"], back["x_inferred"]) == (70, ["t"])
    assert [loss.kind for loss in found.losses] == ["inferred", "dropped"]


def test_nothing_of_a_prompt_argument_or_path_leaks(
    tmp_path: Path, two_helpers: Recorder, run: Run
) -> None:
    path = two_helpers.write(tmp_path / "ada-secret-session.jsonl")
    (hidden,) = run(path)
    written = json.dumps(hidden.trace)
    for leak in (SECRET, "4711", "ada", "look left", "done right", "/home", str(tmp_path)):
        assert leak not in written
    (shown,) = run(path, redact=False)
    assert SECRET in json.dumps(shown.trace)
    assert kinds(shown.trace) == kinds(hidden.trace)


def test_a_refused_call_is_a_safety_event(tmp_path: Path, recorder: Recorder, run: Run) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", use("a", "Bash"))
    recorder.result("main", "a", "The user doesn't want to proceed with this tool use.", error=True)
    recorder.ask("main", "[Request interrupted by user for tool use]")
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert kinds(found.trace) == [
        "human_intervention",
        "tool_call",
        "safety_event",
        "tool_result",
        "human_intervention",
    ]
    assert (found.trace["events"][-1]["role"], found.trace["events"][-1]["x_stop_reason"]) == (
        "interrupt",
        "external",
    )


@pytest.mark.parametrize("times", [None, "yesterday", 12, {"a": 1}, "2026-01-01T00:00:00+99:99"])
def test_missing_times_are_those_of_the_row_before(
    tmp_path: Path, recorder: Recorder, run: Run, times: object
) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", say("done"))
    recorder.rows[1]["timestamp"] = times
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert found.trace["events"][1]["x_inferred"] == ["t"]


def test_a_background_helper_returns_when_it_is_done(
    tmp_path: Path, recorder: Recorder, run: Run
) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", task("t1", "watch"))
    recorder.result("main", "t1", "started", status="async_launched", agentId="bg")
    recorder.step("main", "m2", use("c", "Read"))
    recorder.result("main", "c", "x")
    recorder.ask("bg", "watch", agentId="bg")
    recorder.step("bg", "b1", say("seen"))
    recorder.rows[-1]["agentId"] = "bg"
    recorder.step("main", "m3", say("finished"))
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    back = only(found.trace, type="return", agent="helper-1")
    assert "x_inferred" not in back
    after = only(found.trace, type="aggregate")
    assert f"edge:{back['id']}" in after["x_inferred"]
    assert [loss.kind for loss in found.losses] == ["ambiguous"]


def test_a_helper_that_broke_off_in_a_call_truncates_no_run_that_answers(
    tmp_path: Path, recorder: Recorder, run: Run
) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", task("t1", "look"), input_tokens=1)
    recorder.ask("kid", "look")
    recorder.step("kid", "k1", use("k-c1", "Read", path="p"), input_tokens=1)
    recorder.result("main", "t1", "it failed", error=True, agentId="kid")
    for row in recorder.rows[2:4]:
        row["agentId"] = "kid"
    cut_off = list(recorder.rows)
    recorder.step("main", "m2", say("done"), input_tokens=1)
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert only(found.trace, x_stop_reason="implicit")["type"] == "return"
    (found,) = run(recorder.write(tmp_path / "s.jsonl", cut_off))
    assert only(found.trace, x_stop_reason="truncated") == found.trace["events"][-1]


def test_an_interruption_in_the_row_of_the_refused_call_counts(
    tmp_path: Path, recorder: Recorder, run: Run
) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", use("a", "Bash"))
    recorder.result("main", "a", "The user doesn't want to proceed with this.", error=True)
    content = recorder.rows[-1]["message"]["content"]
    content.append(say("[Request interrupted by user for tool use]"))
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert [
        event["type"] for event, _ in into(found.trace, only(found.trace, role="interrupt"))
    ] == ["tool_result"]
    assert found.trace["events"][-1]["x_stop_reason"] == "external"


def test_attachments_without_a_meaning_are_counted_by_type(
    tmp_path: Path, recorder: Recorder, run: Run
) -> None:
    recorder.ask("main", "go")
    for _ in range(2):
        recorder.row("main", "attachment", None, attachment={"type": "new_reminder"})
    recorder.step("main", "m1", say("done"))
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert [loss.count for loss in found.losses if "attachment new_reminder" in loss.what] == [2]
