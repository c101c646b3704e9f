"""`corpus trace stats`: formats, exit codes."""

import csv
import io
import json
import os
from functools import partial
from pathlib import Path

import pytest

from corpus.traces.measures.catalogue import NAMES
from tests.support.trace_commands import EXAMPLES, REPORT, trace

ONE = str(REPORT)
ALONE = {
    "trace_id": "alone",
    "task_id": "t",
    "events": [{"id": "a", "t": 0, "type": "return", "agent": "solo", "x_steps": 4}],
    "edges": [],
    "rewards": {"team": 0.5},
    "costs": {"tokens": 16400, "wall_clock_s": 120},
}


run = partial(trace, "stats")


def test_csv_has_a_row_for_each_trace_and_a_column_for_each_measure():
    rows = list(csv.DictReader(io.StringIO(run(EXAMPLES, "--format", "csv").stdout)))
    found = json.loads(run(EXAMPLES, "--format", "json").stdout)["traces"]
    assert [row["trace_id"] for row in found] == [row["trace_id"] for row in rows]
    # In JSON, `agents` has one member for each.
    for name in set(NAMES) - {"agents"}:
        read = [float(row[name]) if row[name] else None for row in rows]
        assert [row[name] for row in found] == read


def test_a_broken_trace_is_named_and_the_rest_is_measured(tmp_path):
    lines = [json.dumps(ALONE), "{", json.dumps(ALONE | {"trace_id": "second"})]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines))
    result = run(path, "--format", "csv")
    assert result.exit_code == 1
    assert [row["line"] for row in csv.DictReader(io.StringIO(result.stdout))] == ["1", "3"]
    assert "a.jsonl:2" in result.stderr


def test_without_a_valid_trace_json_is_valid_and_without_files_usage_is_wrong(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("{")
    result = run(path, "--format", "json")
    assert (json.loads(result.stdout)["traces"], result.exit_code) == ([], 1)
    path.unlink()
    result = run(tmp_path, "--format", "json")
    assert (result.stdout, result.exit_code) == ("", 2)


def test_numbers_whose_sum_is_beyond_all_numbers_stop_nothing(tmp_path):
    path = tmp_path / "a.jsonl"
    events = [
        {**ALONE["events"][0], "id": name, "x_tokens": 1.7e308, "x_steps": 1.7e308}
        for name in "abc"
    ]
    lines = [json.dumps(ALONE | {"trace_id": name, "events": events}) for name in ("one", "two")]
    path.write_text("\n".join(lines))
    found = json.loads(run(path, "--format", "json").stdout, parse_constant=pytest.fail)
    assert [one["steps"] for one in found["traces"]] == [None, None]
    assert run(path).exit_code == run(path, "--format", "csv").exit_code == 0
    store = str(tmp_path / "store")
    assert trace("ingest", path, "-o", store).exit_code == 0
    summed = json.loads(run(store, "--format", "json").stdout, parse_constant=pytest.fail)[
        "summary"
    ]
    assert summed["traces"] == 2
    validated = trace("validate", path)
    assert "OT112" in validated.stdout


@pytest.mark.parametrize("name", ["ROWS.CSV", "rows.json"])
def test_the_ending_of_the_output_is_its_format_unless_another_one_is_asked_for(tmp_path, name):
    path = tmp_path / name
    assert run(ONE, "-o", path).exit_code == 0
    starts = {".csv": b"file,line,", ".json": b'{\n  "traces"'}
    assert path.read_bytes().startswith(starts[path.suffix.lower()])
    assert run(ONE, "-o", path, "--format", "text").exit_code == 0
    assert path.read_bytes().startswith(b"example-hierarchical")


def test_a_cell_has_the_same_bytes_on_standard_output_as_in_a_file(tmp_path):
    path = tmp_path / "coloured.json"
    path.write_text(json.dumps({**ALONE, "trace_id": "\x1b[31mred"}))
    assert run(path, "-o", tmp_path / "rows.csv").exit_code == 0
    assert b"\x1b[31mred" in run(path, "--format", "csv").stdout_bytes
    assert run(path, "--format", "csv").stdout_bytes == (tmp_path / "rows.csv").read_bytes()
    assert "\x1b" not in run(path).stdout


def test_models_without_a_price_are_named_and_the_price_stays_open(tmp_path):
    table = tmp_path / "prices.csv"
    table.write_text("model,kind,price\nm,input,3\n")
    alone = json.loads(json.dumps(ALONE))
    alone["events"][0].update(x_tokens=5, x_tokens_input=5, x_model="other")
    alone["costs"]["tokens"] = 5
    path = tmp_path / "run.json"
    path.write_text(json.dumps(alone))
    result = run(path, "--prices", table, "--format", "json")
    (found,) = json.loads(result.stdout)["traces"]
    assert (found["price"], found["unpriced_tokens"]) == (None, 5)
    assert found["unpriced"] == [{"model": "other", "kind": "input", "tokens": 5}]
    assert "other" in result.stderr


@pytest.mark.parametrize("format_", ["json", "csv"])
def test_a_file_whose_name_is_not_text_has_a_row_as_any_other(tmp_path, format_):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff.json")
    Path(path).write_text(json.dumps(ALONE), encoding="utf-8")
    output = tmp_path / "rows"
    assert run(path, "--format", format_, "-o", output).exit_code == 0
    if format_ == "csv":
        (row,) = csv.DictReader(output.read_text("utf-8").splitlines())
    else:
        (row,) = json.loads(output.read_text("utf-8"))["traces"]
    assert row["file"] == f"{tmp_path}/odd\\xff.json"
