"""Rewards from files: each goes to what it was given for, and nothing is guessed."""

import json

import pytest

from corpus.traces.training.rewards import Rewards, read_rewards
from tests.support.imported import findings_of, refused, refused_at
from tests.support.made_traces import act, run_of
from tests.support.recorded_rollouts import verifiers_rollout


def trace_of_team(name="run-1", task="bake"):
    """A lead that spawns a worker; the worker takes two steps, each with a call."""
    events = [
        act("plan", 0, "orchestrator_decision", "lead", x_steps=1),
        act("spawn", 1, "spawn", "lead", to="worker"),
        act("c1", 2, "tool_call", "worker", x_steps=1),
        act("c2", 3, "tool_call", "worker", x_steps=1),
    ]
    for event in events[2:]:
        event |= {"tool": "oven", "x_call_id": f"call-{event['id']}"}
    costs = {"tokens": 0, "wall_clock_s": 3}
    head = {"trace_id": name, "task_id": task, "events": events, "edges": []}
    return {**head, "rewards": {"team": 1.0}, "costs": costs}


def attached(path, *traces):
    """Return the traces with the rewards of a file, and the codes of what was found."""
    rewards = Rewards(read_rewards(path))
    codes = []
    for trace in traces:
        codes += [one.code for one in rewards.attach(trace, run_of(trace))]
    return list(traces), codes + [one.code for one in rewards.unmatched()]


def written(folder, text, name="rewards.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_each_row_of_a_table_goes_to_what_it_names(tmp_path):
    path = written(
        tmp_path,
        "session,channel,agent,call,step,value\n"
        "run-1,test,,,,0.5\nrun-1,,worker,,,2\nrun-1,prm,,call-c1,,3\n"
        "run-1,prm,worker,,c2,4\nrun-1,prm,,,plan,5\n",
    )
    (trace,), codes = attached(path, trace_of_team())
    assert codes == []
    assert trace["rewards"] == {"team": 1.0, "test": 0.5, "reward@worker": 2.0}
    given = {event["id"]: event.get("x_rewards") for event in trace["events"]}
    assert given == {"plan": {"prm": 5.0}, "spawn": None, "c1": {"prm": 3.0}, "c2": {"prm": 4.0}}


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        ("run-1,team,,,2\n", ["OT502"]),
        ("run-1,x,,,2\nrun-1,x,,,3\n", ["OT502"]),
        ("run-1,x,worker,c1,2\nrun-1,x,,c1,3\n", ["OT502"]),
        ("run-1,team,,,1\n", []),
        ("run-2,team,,,1\n", ["OT504"]),
        ("run-1,x,baker,,1\n", ["OT505"]),
        ("run-1,x,worker,3,1\n", ["OT505"]),
        ("run-1,x,lead,c1,1\n", ["OT505"]),
        ("run-1,x,,2,1\n", ["OT505"]),
    ],
)
def test_what_cannot_be_paired_is_a_finding(tmp_path, rows, codes):
    path = written(tmp_path, f"trace,channel,agent,step,value\n{rows}")
    assert attached(path, trace_of_team())[1] == codes


@pytest.mark.parametrize("row", ["run-1,nan", "run-1,inf", "run-1,", "run-1,good", ",1"])
def test_a_reward_is_a_finite_number_of_a_run(tmp_path, row):
    path = written(tmp_path, f"trace,value\nrun-1,1\n{row}\n")
    assert set(refused_at(read_rewards, path)) == {("OT501", 3)}


def test_a_table_has_known_columns_only(tmp_path):
    findings = findings_of(read_rewards, written(tmp_path, "trace,reward\nrun-1,1\n"))
    assert [(one.code, one.value) for one in findings] == [("OT501", "reward")]


def test_nan_in_json_lines_is_a_finding_at_its_line(tmp_path):
    lines = '{"trace": "run-1", "value": 1}\n{"trace": "run-1", "value": NaN}\n'
    assert refused_at(read_rewards, written(tmp_path, lines, "rewards.jsonl")) == [("OT501", 2)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.jsonl", b'{"trace": "run-1", "value": 1, "agents": "worker"}'),
        ("r.jsonl", b'{"trace": "run-1", "value": 1e999}'),
        ("r.jsonl", b'{"trace": "run-1", "value": 1' + b"0" * 400 + b"}"),
        ("r.jsonl", b'{"trace": "run-1", "value": [1]}'),
        ("r.jsonl", b'["run-1", 1]'),
        ("r.csv", b"trace,value\nrun-1,1,2\n"),
        ("r.csv", b"trace,value\nrun-\xff,1\n"),
        ("r.csv", b""),
        # Its rewards are in the trace, once it is converted.
        ("r.json", json.dumps(verifiers_rollout()).encode()),
    ],
)
def test_a_file_that_is_not_understood_is_a_finding(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    assert set(refused(read_rewards, path)) == {"OT501"}


def test_an_event_whose_rewards_are_of_another_type_gets_new_ones(tmp_path):
    trace = trace_of_team()
    trace["events"][0]["x_rewards"] = "many"
    path = written(tmp_path, "trace,step,value\nrun-1,plan,1\n")
    (rewarded,), _ = attached(path, trace)
    assert rewarded["events"][0]["x_rewards"] == {"reward": 1.0}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (
            {
                "trial_name": "bake__1",
                "task_name": "bake",
                "verifier_result": {"rewards": {"r": 1}},
            },
            [("bake__1", "r", "", "", 1)],
        ),
        (
            {
                "eval": {"task": "cake"},
                "plan": {},
                "samples": [
                    {"id": 4, "epoch": 1, "scores": {"match": {"value": "C"}}},
                    {"uuid": "u", "id": 5, "epoch": 1, "scores": {"j": {"value": {"a": 0.5}}}},
                ],
            },
            [("cake.4-1", "match", "", "", 1), ("u", "j.a", "", "", 0.5)],
        ),
    ],
    ids=["harbor", "inspect"],
)
def test_results_of_other_programs(tmp_path, document, expected):
    rows = read_rewards(written(tmp_path, json.dumps(document), "result.json"))
    found = [(row.trace, row.channel, row.agent, row.step, row.value) for row in rows]
    assert found == expected
