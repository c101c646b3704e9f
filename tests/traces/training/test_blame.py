"""Rules that blame a step, each with a run in which the answer is known by hand; predictions beside labels."""

import json

import pytest

from corpus.traces.document import Row
from corpus.traces.training.blame import (
    EVERY,
    NO_SIBLING,
    Accuracy,
    blamed_steps,
    read_labels,
    scored,
)
from corpus.traces.training.tables import BLAME
from tests.support.made_traces import act, run_of
from tests.support.recorded_samples import led_log
from tests.traces.training.test_rewards import written


def failed_run(name="run-1", task="bake", changed=None):
    """A lead with two workers; `ann` takes two steps and `bob` three, of which one call is open."""
    events = [
        act("plan", 0, "orchestrator_decision", "lead", x_steps=1),
        act("ann", 1, "spawn", "lead", to="ann"),
        act("bob", 2, "spawn", "lead", to="bob"),
        act("a1", 3, "tool_call", "ann", x_call_id="1", x_steps=1),
        act("r1", 4, "tool_result", "web", x_call_id="1", trusted=False),
        act("b1", 5, "message", "bob", to="ann", x_steps=1),
        act("a2", 6, "return", "ann", to="lead", x_steps=1),
        act("b2", 7, "tool_call", "bob", x_call_id="2", x_steps=1),
        act("b3", 8, "return", "bob", to="lead", x_steps=1),
        act("end", 9, "aggregate", "lead", x_steps=1),
    ]
    for event in events:
        if event["type"].startswith("tool"):
            event["tool"] = "web"
        event |= (changed or {}).get(event["id"], {})
    head = {"trace_id": name, "task_id": task, "system": "made-up", "events": events, "edges": []}
    return {**head, "rewards": {}, "costs": {"tokens": 0, "wall_clock_s": 9}}


def blamed(*traces, **options):
    """Return agent, step and event by trace and rule."""
    rows = list(blamed_steps(map(run_of, traces), **options))
    found = {}
    for row in rows:
        found[row["trace"], row["rule"]] = (row["agent"], row["step"], row["event"])
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("most-active", ("bob", 2, "b1")),
        ("open-call", ("bob", 4, "b2")),
        # `ann` called; `bob` acts between, but has not read the answer.
        ("untrusted", ("ann", 3, "a2")),
    ],
)
def test_each_rule_blames_one_step(rule, expected):
    assert blamed(failed_run())["run-1", rule] == expected


def test_a_run_is_compared_with_the_first_one_of_its_task():
    runs = [
        failed_run("one"),
        failed_run("two", changed={"b1": {"to": "lead"}}),
        failed_run("three", changed={"r1": {"content_ref": "sha256:1"}}),
        failed_run("same"),
        failed_run("alone", "fry"),
    ]
    found = blamed(*runs, rules=["divergence"])
    assert found == {
        ("one", "divergence"): ("bob", 2, "b1"),
        ("two", "divergence"): ("bob", 2, "b1"),
        # The answer is of the agent that called.
        ("three", "divergence"): ("ann", 1, "r1"),
        ("same", "divergence"): (None, None, None),
        ("alone", "divergence"): (None, None, None),
    }


def test_a_run_that_is_over_first_has_no_event_to_blame():
    longer, shorter = failed_run("long"), failed_run("short")
    del shorter["events"][-1]
    found = blamed(longer, shorter, rules=["divergence"])
    assert found["long", "divergence"] == ("lead", 6, "end")
    assert found["short", "divergence"] == (None, None, None)


def test_without_an_answer_the_reason_is_there():
    asked = act("ask", 0, "human_intervention", "user")
    trace = {**failed_run(task="unknown"), "events": [asked]}
    rows = list(blamed_steps([run_of(trace)]))
    assert [row["rule"] for row in rows] == list(BLAME)
    assert all(row["agent"] is None and row["why"] for row in rows)
    assert rows[-1]["why"] == NO_SIBLING


def test_without_a_clock_the_times_are_the_steps():
    trace = failed_run()
    for event in trace["events"]:
        event["x_inferred"] = ["t"]
    (row,) = blamed_steps([run_of(trace)], ["open-call"])
    assert (row["step"], row["steps"]) == (7, 10)


def test_in_a_team_in_which_nobody_spawns_all_are_compared():
    trace = failed_run()
    trace["events"] = [event for event in trace["events"] if event["type"] != "spawn"]
    for event in trace["events"][-2:]:
        event["agent"] = "lead"
    assert blamed(trace)["run-1", "most-active"] == ("lead", 0, "plan")


def prediction(trace, agent, step, **keys):
    known = {"agents": ["lead", "ann"], "steps": 9, "framework": "x", "rule": "judge"}
    return {"trace": trace, "agent": agent, "step": step, **known, **keys}


def score_of(path, *predictions):
    """Return the tallies, and the codes and lines of all findings."""
    findings = []
    rows = [Row(line, one) for line, one in enumerate(predictions, 1)]
    tallies, unlabelled = scored(read_labels(path, findings), "p.jsonl", rows, 2, findings)
    return tallies, unlabelled, [(one.code, one.line) for one in findings]


def test_agents_steps_and_near_steps_are_counted_by_framework(tmp_path):
    path = written(tmp_path, "trace,agent,step\na,ann,3\nb,lead,4\nc,ann,5\nd,ann,6\n")
    tallies, unlabelled, findings = score_of(
        path,
        prediction("a", "ann", 3),
        prediction("b", "ann", 6),
        prediction("c", "ann", 8, framework="y"),
        prediction("d", None, None, framework="y"),
        prediction("e", "ann", 1),
    )
    assert findings == []
    assert unlabelled == 1
    assert tallies == {
        ("x", "judge"): Accuracy(runs=2, predicted=2, agent=1, step=1, near=2),
        ("y", "judge"): Accuracy(runs=2, predicted=1, agent=1, step=0, near=0),
        (EVERY, "judge"): Accuracy(runs=4, predicted=3, agent=2, step=1, near=2),
    }


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("b,ann,3\n", [("OT510", 2)]),
        ("a,bob,3\n", [("OT510", 2)]),
        ("a,ann,9\n", [("OT510", 2)]),
        ("a,ann,-1\n", [("OT509", 2)]),
        ("a,ann,\n", [("OT509", 2)]),
        ("a,,3\n", [("OT509", 2)]),
        (",ann,3\n", [("OT509", 2)]),
        ("a,ann,3\na,ann,4\n", [("OT509", 3)]),
    ],
)
def test_a_label_that_does_not_fit_counts_nowhere(tmp_path, rows, expected):
    path = written(tmp_path, f"trace,agent,step\n{rows}")
    tallies, _, findings = score_of(path, prediction("a", "ann", 3))
    assert findings == expected
    assert tallies == {}


def test_a_second_prediction_of_one_rule_and_one_of_no_trace_are_findings(tmp_path):
    path = written(tmp_path, "trace,agent,step\na,ann,3\n")
    other = prediction("a", "lead", 1, rule="first")
    rows = [prediction("a", "ann", 3), prediction("a", "ann", 4), other, {"agent": "ann"}, 5]
    tallies, _, findings = score_of(path, *rows)
    assert findings == [("OT509", 2), ("OT509", 4), ("OT509", 5)]
    assert tallies["x", "judge"] == Accuracy(1, 1, 1, 1, 1)
    assert tallies["x", "first"] == Accuracy(1, 1, 0, 0, 1)


def test_predictions_of_other_programs_need_neither_agents_nor_rule(tmp_path):
    path = written(tmp_path, '{"trace": "a", "agent": "ann", "step": 3}\n', "labels.jsonl")
    tallies, _, findings = score_of(path, {"trace": "a", "agent": "ann", "step": 3})
    assert findings == []
    assert tallies["unknown", "prediction"] == Accuracy(1, 1, 1, 1, 1)


def test_labels_are_read_from_logs_of_the_benchmark(tmp_path):
    path = written(tmp_path, json.dumps(led_log()), "log.json")
    (label,) = read_labels(path, [])
    assert (label.trace, label.agent, label.step) == ("q1", "WebSurfer", 3)


def test_names_that_the_converter_hashes_are_found(tmp_path):
    path = written(tmp_path, "trace,agent,step\nwhat is this?,/home/ada,3\n")
    hidden = {"agents": ["agent-cf2d5242"]}
    tallies, _, findings = score_of(
        path, prediction("id-d7ceda28c0ed", "agent-cf2d5242", 3, **hidden)
    )
    assert findings == []
    assert tallies["x", "judge"] == Accuracy(1, 1, 1, 1, 1)


@pytest.mark.parametrize(
    ("text", "name"),
    [(b"trace,agent,step\n\xff,ann,3\n", "labels.csv"), (b'{"trace": "b"}\n{"a\n', "labels.jsonl")],
)
def test_a_broken_file_is_a_finding(tmp_path, text, name):
    path = tmp_path / name
    path.write_bytes(text)
    findings = []
    assert list(read_labels(path, findings)) == []
    assert findings
