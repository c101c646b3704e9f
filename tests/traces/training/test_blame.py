"""The step that a rule blames, in runs in which it is known by hand; predictions beside labels."""

import json
from collections import Counter

import pytest

from corpus.traces.document import Row
from corpus.traces.training.blame import EVERY, blamed, read_labels, scored
from tests.support.made_traces import act, run_of
from tests.support.recorded_samples import led_log
from tests.traces.training.test_rewards import written


def failed_run(name="run-1"):
    """A lead with two workers; `ann` takes two steps and `bob` three, of which one call is open."""
    events = [
        act("plan", 0, "orchestrator_decision", "lead", x_steps=1),
        act("ann", 1, "spawn", "lead", to="ann"),
        act("bob", 2, "spawn", "lead", to="bob"),
        act("a1", 3, "tool_call", "ann", x_call_id="1", x_steps=1, tool="web"),
        act("r1", 4, "tool_result", "web", x_call_id="1", trusted=False, tool="web"),
        act("b1", 5, "message", "bob", to="ann", x_steps=1),
        act("a2", 6, "return", "ann", to="lead", x_steps=1),
        act("b2", 7, "tool_call", "bob", x_call_id="2", x_steps=1, tool="web"),
        act("b3", 8, "return", "bob", to="lead", x_steps=1),
    ]
    head = {"trace_id": name, "task_id": "bake", "system": "made-up", "events": events}
    return {**head, "edges": [], "rewards": {}, "costs": {"tokens": 0, "wall_clock_s": 9}}


def without_a_clock(trace):
    for event in trace["events"]:
        event["x_inferred"] = ["t"]


def without_spawns(trace):
    trace["events"] = [event for event in trace["events"] if event["type"] != "spawn"]
    for event in trace["events"][-2:]:
        event["agent"] = "lead"


def without_steps(trace):
    trace["events"] = [act("ask", 0, "human_intervention", "user")]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (dict, ("bob", 2, "b1", 6)),
        (without_a_clock, ("bob", 5, "b1", 9)),
        # The first speaker is a member like the others.
        (without_spawns, ("lead", 0, "plan", 6)),
        (without_steps, (None, None, None, 0)),
    ],
)
def test_the_first_step_of_the_most_active_agent_is_blamed(change, expected):
    trace = failed_run()
    change(trace)
    row = blamed(run_of(trace))
    assert (row["agent"], row["step"], row["event"], row["steps"]) == expected


HIT = Counter(runs=1, predicted=1, agent=1, step=1, near=1)


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
        ("x", "judge"): Counter(runs=2, predicted=2, agent=1, step=1, near=2),
        ("y", "judge"): Counter(runs=2, predicted=1, agent=1),
        (EVERY, "judge"): Counter(runs=4, predicted=3, agent=2, step=1, near=2),
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
    assert tallies["x", "judge"] == HIT
    assert tallies["x", "first"] == Counter(runs=1, predicted=1, near=1)


def test_predictions_of_other_programs_need_neither_agents_nor_rule(tmp_path):
    path = written(tmp_path, '{"trace": "a", "agent": "ann", "step": 3}\n', "labels.jsonl")
    tallies, _, findings = score_of(path, {"trace": "a", "agent": "ann", "step": 3})
    assert findings == []
    assert tallies["unknown", "prediction"] == HIT


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
    assert tallies["x", "judge"] == HIT


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
