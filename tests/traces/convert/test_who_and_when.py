import json
from pathlib import Path

import pytest

from corpus.traces.convert.document import RecordedFile, Row
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.who_and_when import convert
from tests.support.recorded_samples import led_log, team_log
from tests.support.recorded_traces import SECRET, into, kinds, only


def test_a_led_team(tmp_path, run):
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


def test_the_annotated_mistake_is_kept_without_its_reason(tmp_path, run):
    path = tmp_path / "log.json"
    path.write_text(json.dumps(led_log()))
    (found,) = run(path)
    assert only(found.trace, x_mistake=True)["agent"] == "WebSurfer"
    assert found.trace["metrics"]["corpus.mistake_step"] == 3
    assert "the reason given for the mistake" in [
        loss.what for loss in found.losses if loss.kind == "dropped"
    ]


def test_a_team_without_a_lead(tmp_path, run):
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


def test_a_log_that_breaks_off_is_truncated(tmp_path, run):
    log = led_log()
    log["history"] = log["history"][:4]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    (found,) = run(path)
    assert found.trace["events"][-1]["x_stop_reason"] == "truncated"


def converted(log):
    (found,) = convert([RecordedFile(Path("log.json"), (Row(1, log),))], Redaction())
    return found


@pytest.mark.parametrize("step", [None, "", "unknown", -1, 6, "6", True])
def test_a_mistake_whose_step_is_not_in_the_log_is_a_loss_and_marks_no_turn(step):
    found = converted({**led_log(), "mistake_step": step})
    assert not any("x_mistake" in event for event in found.trace["events"])
    assert "corpus.mistake_step" not in found.trace["metrics"]
    assert [loss.kind for loss in found.losses if "mistake whose step" in loss.what] == ["dropped"]


def test_turns_without_a_speaker_are_losses_and_keep_their_place():
    log = led_log()
    log["history"][1:1] = ["broken", {"content": SECRET}]
    log["mistake_step"] = 5
    found = converted(log)
    assert only(found.trace, x_mistake=True)["agent"] == "WebSurfer"
    assert [loss.count for loss in found.losses if "without a speaker" in loss.what] == [2]


@pytest.mark.parametrize(
    ("output", "failed"),
    [("exitcode: 0 (execution succeeded)", None), ("exitcode: 1", True), ("hello", None)],
)
def test_an_exit_code_other_than_zero_is_a_failure(output, failed):
    log = team_log()
    log["history"][1]["content"] = output
    result = only(converted(log).trace, type="tool_result")
    assert result.get("x_error") is failed


def test_a_list_of_logs_names_each_by_its_position():
    document = RecordedFile(Path("logs.json"), (Row(1, [led_log(), 7, team_log()]),))
    found = list(convert([document], Redaction()))
    places = [one.losses[-1].place for one in found]
    assert [one.trace["trace_id"] for one in found] == ["q1", "q2"]
    assert places == ["logs.json:1", "logs.json:2"]


def told(log):
    keys = ("t", "type", "agent", "from", "to", "role", "tool")
    return [tuple(event.get(key) for key in keys) for event in converted(log).trace["events"]]


def test_a_lead_whose_agents_never_answered_answers_itself():
    log = led_log()
    log["history"] = [log["history"][0], log["history"][-1]]
    assert told(log)[-1] == (1, "return", "Orchestrator", None, "user", None, None)


def test_a_person_who_speaks_later_asks_no_second_task():
    log = led_log()
    log["history"].append({"role": "human", "content": "more"})
    assert told(log)[-1][1:] == ("human_intervention", "user", None, None, "user", None)


def test_the_last_speaker_of_a_team_speaks_to_nobody():
    log = team_log()
    del log["history"][1:]
    assert told(log) == [(0, "message", "Coder", "Coder", None, None, None)]
