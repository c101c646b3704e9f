"""`corpus trace rows` as a command."""

import json

import duckdb
import pandas as pd
import pytest

from tests.support.trace_commands import trace
from tests.traces.training.test_training_rows import bakery


@pytest.fixture
def lines(tmp_path):
    """Three runs of a task with rewards 0, 1 and 5, and one of another without."""
    path = tmp_path / "runs.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number, reward in enumerate((0.0, 1.0, 5.0, None)):
            trace = bakery() | {"trace_id": f"run-{number}", "rewards": {"r": reward}}
            if reward is None:
                trace |= {"task_id": "fry", "rewards": {}}
            file.write(json.dumps(trace) + "\n")
    return path


def frame(path):
    return pd.read_parquet(path)


def test_parquet_and_json_lines_have_the_same_rows(tmp_path, lines):
    for name in ("rows.parquet", "rows.jsonl"):
        result = trace("rows", lines, "-o", tmp_path / name, "--credit", "rloo")
        assert (result.exit_code, result.stdout) == (0, "")
    found = frame(tmp_path / "rows.parquet")
    written = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert found.astype(object).where(found.notna(), None).to_dict("records") == written
    advantages = found.groupby("trace")["advantage"].first()
    assert advantages.iloc[:3].tolist() == [-3.0, -1.5, 4.5]
    assert pd.isna(advantages["run-3"])
    assert set(found["credit"]) == {"rloo(channel=r,alone=none)"}


def test_what_a_comparison_lacks_is_reported(lines):
    stderr = trace("rows", lines, "--credit", "grpo").stderr
    assert "OT506" in stderr
    assert "OT507" in stderr


def test_another_program_reads_the_rows(tmp_path, lines):
    path = tmp_path / "rows.parquet"
    trace("rows", lines, "-o", path, "--unit", "decision", "--credit", "rloo")
    count = len(frame(path))
    assert duckdb.sql(f"SELECT count(*) FROM '{path}'").fetchall() == [(count,)]


def test_groups_are_listed(lines):
    result = trace("rows", lines, "--groups")
    assert result.exit_code == 0
    (line,) = (line for line in result.stdout.splitlines() if line.startswith("bake"))
    assert line.split()[1:3] == ["3", "2"]


@pytest.mark.parametrize(
    "options",
    [
        ("--credit", "shapley"),
        ("--credit", "grpo", "--channel", "other"),
        ("-o", "rows.csv"),
        ("--local-cluster", "2"),
    ],
)
def test_what_cannot_be_done_is_wrong_usage(lines, options):
    assert trace("rows", lines, *options).exit_code == 2


def test_several_channels_need_a_choice(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(bakery() | {"rewards": {"a": 1, "b": 2}}), encoding="utf-8")
    assert trace("rows", path, "--credit", "discounted").exit_code == 2
    chosen = trace("rows", path, "--credit", "discounted", "--channel", "b")
    assert json.loads(chosen.stdout.splitlines()[0])["advantage"] == 2.0


def test_a_broken_trace_is_reported_and_left_out(tmp_path, lines):
    with lines.open("a", encoding="utf-8") as file:
        file.write('{"trace_id": "x"}\n')
    result = trace("rows", lines)
    assert result.exit_code == 1
    assert "OT001" in result.stderr
    assert {json.loads(line)["trace"] for line in result.stdout.splitlines()} == {
        f"run-{number}" for number in range(4)
    }
