"""`corpus trace validate --profile`: what can be reported from traces, or trained with them."""

import json

import pytest

from corpus.traces.measures.reporting import CHECKLIST
from tests.support.made_traces import event, pair
from tests.support.trace_commands import trace


def run(*arguments, profile="reporting"):
    return trace("validate", *arguments, "--profile", profile)


@pytest.fixture
def one(tmp_path):
    """The pair, with a model on one event."""
    made = pair()
    event(made, "ask").update(x_tokens=600, x_model="m")
    path = tmp_path / "one.json"
    path.write_text(json.dumps(made))
    return path


@pytest.fixture
def three(tmp_path):
    """The pair, the same without a reward, and one that is broken."""
    path = tmp_path / "three.jsonl"
    lines = [pair(), {**pair(), "trace_id": "bare", "rewards": {}}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + "{\n")
    return path


def rows(text):
    """The rest of each row of a printed table, by its first cell."""
    cells = [line.split("  ", 1) for line in text.splitlines() if "  " in line]
    return {first: rest.strip() for first, rest in cells if first}


def test_each_trace_shows_what_it_records_and_what_it_lacks(three):
    result = run(three)
    assert result.exit_code == 1
    assert "three.jsonl:3" in result.stderr
    titles = [line for line in result.stdout.splitlines() if line.startswith("Reporting")]
    assert titles == ["Reporting checklist: pair", "Reporting checklist: bare"]
    found = rows(result.stdout.split("Reporting checklist: bare")[0])
    assert found["reward channels"].startswith("rewards.team")
    assert found["credit unit"].startswith("nothing")


def test_json_has_every_valid_trace(three):
    result = run(three, "--format", "json")
    assert result.exit_code == 1
    first, second = json.loads(result.stdout)
    assert (first["trace"], second["trace"]) == ("pair", "bare")
    assert [item["name"] for item in first["items"]] == list(CHECKLIST)
    of_rewards = [
        next(i for i in one["items"] if i["name"] == "rewards") for one in (first, second)
    ]
    assert [one["measures"] for one in of_rewards] == [["rewards.team"], []]


@pytest.mark.parametrize("option", [("--strict",), ("--contents", "c.jsonl")], ids=" ".join)
def test_it_takes_no_options_of_findings(one, option):
    assert run(one, *option).exit_code == 2


def test_a_folder_of_broken_traces_lists_ten_and_counts_the_rest(tmp_path):
    (tmp_path / "many.jsonl").write_text('{"trace_id": "x"}\n' * 30)
    lines = run(tmp_path / "many.jsonl").stderr.splitlines()
    assert sum("error OT" in line for line in lines) == 10
    assert "more findings" in lines[-1]


def test_fitness_fails_only_for_a_named_purpose(one):
    shown = run(one, profile="training")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert rows(shown.stdout)["reward"].split()[0] == "5"
    refused = run(one, "--for", "online", profile="training")
    assert refused.exit_code == 1
    assert "OT515" in refused.stderr


def test_fitness_as_json_has_every_valid_trace(three):
    result = run(three, "--format", "json", "--for", "offline", profile="training")
    assert result.exit_code == 1
    first, second = json.loads(result.stdout)
    assert (first["trace"], second["trace"]) == ("pair", "bare")
    assert "reward" not in first["lacks"]
    assert "reward" in second["lacks"]


def test_a_run_that_broke_off_before_a_turn_harms_no_other(tmp_path):
    asked = {"id": "ask", "t": 0, "type": "human_intervention", "agent": "me", "to": "lead"}
    crashed = {**pair(), "trace_id": "crashed", "events": [asked], "edges": []}
    path = tmp_path / "runs.jsonl"
    for others in ([], [pair()]):
        path.write_text("".join(json.dumps(one) + "\n" for one in [crashed, *others]))
        result = run(path, "--for", "preference", profile="training")
        assert ("'crashed'" in result.stderr) is not bool(others)


def test_options_of_training_need_its_profile(one):
    assert run(one, "--for", "sft").exit_code == 2
    assert run(one, "--contents", one).exit_code == 2
    assert run(one, "--train", "nobody", profile="training").exit_code == 2
