"""`corpus trace reward` as a command."""

import json

import pytest

from tests.support.trace_commands import trace
from tests.traces.training.test_rewards import trace_of_team, written


@pytest.fixture
def lines(tmp_path):
    traces = [trace_of_team("run-1"), trace_of_team("run-2")]
    return written(tmp_path, "".join(json.dumps(one) + "\n" for one in traces), "runs.jsonl")


def rewards_in(path):
    return [json.loads(line)["rewards"] for line in path.read_text().splitlines()]


def test_traces_are_written_with_their_rewards(tmp_path, lines):
    table = written(tmp_path, "trace,channel,value\nrun-2,test,0.5\n")
    out = tmp_path / "out.jsonl"
    result = trace("reward", lines, "--from", table, "-o", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert rewards_in(out) == [{"team": 1.0}, {"team": 1.0, "test": 0.5}]
    assert trace("validate", out).exit_code == 0


def test_where_rewards_contradict_each_other_nothing_is_written(tmp_path, lines):
    table = written(tmp_path, "trace,channel,value\nrun-2,test,0.5\nrun-2,test,0.6\n")
    out = tmp_path / "out.jsonl"
    result = trace("reward", lines, "--from", table, "-o", out)
    assert result.exit_code == 1
    assert "OT502" in result.stderr
    assert not out.exists()


def test_rewards_of_other_traces_are_warnings(tmp_path, lines):
    result = trace("reward", lines, "--from", written(tmp_path, "trace,value\nrun-9,1\n"))
    assert result.exit_code == 0
    assert "OT504" in result.stderr
    assert len(result.stdout.splitlines()) == 2


def test_one_option_gives_all_rewards_to_one_trace(tmp_path, lines):
    graded = {"trial_name": "t", "task_name": "bake", "verifier_result": {"rewards": {"r": 1}}}
    path = written(tmp_path, json.dumps(graded), "result.json")
    result = trace("reward", lines, "--from", path, "--trace", "run-1")
    first, second = result.stdout.splitlines()
    assert json.loads(first)["rewards"] == {"team": 1.0, "r": 1}
    assert json.loads(second)["rewards"] == {"team": 1.0}


def test_a_json_file_has_one_trace(tmp_path, lines):
    table = written(tmp_path, "trace,value\nrun-2,1\n")
    out = tmp_path / "out.json"
    assert trace("reward", lines, "--from", table, "-o", out).exit_code == 2
    assert not out.exists()
