"""`corpus trace query` as a user runs it."""

import csv
import io
import json
import sys

import pytest

from tests.support.stores import bring, write_lines


@pytest.fixture
def folder(tmp_path):
    bring(tmp_path / "st", write_lines(tmp_path / "a.jsonl", range(5)))
    return tmp_path


def test_text_shows_the_first_rows_with_a_note(run, folder):
    result = run(
        "trace", "query", "st", "SELECT id FROM events ORDER BY position", "--rows", "3", cwd=folder
    )
    assert result.exit_code == 0
    assert result.stdout.count("plan") == 3
    assert "first 3 rows" in result.stdout


def test_json_and_csv_have_every_row(run, folder):
    question = "SELECT trace_id, rewards, 0.0 / 0 AS nothing, NULL AS absent, '=1' AS text, -2 AS number FROM traces ORDER BY 1"
    rows = json.loads(run("trace", "query", "st", question, "--format", "json", cwd=folder).stdout)
    assert len(rows) == 5
    first = {
        "trace_id": "run-0",
        "rewards": {"team": 0.0, "style": 1.0},
        "nothing": None,
        "absent": None,
    }
    assert rows[0] == {**first, "text": "=1", "number": -2}
    table = list(
        csv.DictReader(
            io.StringIO(run("trace", "query", "st", question, "--format", "csv", cwd=folder).stdout)
        )
    )
    assert len(table) == 5
    assert (table[0]["text"], table[0]["number"], table[0]["absent"]) == ("'=1", "-2", "")
    assert json.loads(table[0]["rewards"]) == {"team": 0.0, "style": 1.0}
    none = run("trace", "query", "st", "SELECT 1 AS a WHERE false", "--format", "json", cwd=folder)
    assert json.loads(none.stdout) == []


@pytest.mark.parametrize(
    "question", ["SELECT nonsense FROM traces", "COPY traces TO 'x'", "SELECT '\x1b[31m' FROM x"]
)
def test_a_wrong_question_is_wrong_usage(run, folder, question):
    result = run("trace", "query", "st", question, cwd=folder)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "\x1b" not in result.stderr


def test_two_columns_of_one_name_are_refused_in_json(run, folder):
    assert (
        run(
            "trace", "query", "st", "SELECT 1 AS a, 2 AS a", "--format", "json", cwd=folder
        ).exit_code
        == 2
    )


def test_a_folder_that_is_not_a_store_is_a_finding(run, folder):
    result = run("trace", "query", ".", "SELECT 1", cwd=folder)
    assert result.exit_code == 1
    assert "OT302" in result.stderr


@pytest.mark.parametrize(
    ("package", "ours", "arguments"),
    [
        ("duckdb", "corpus.traces.store.query", ("query", "st", "SELECT 1")),
        ("distributed", "corpus.traces.store.cluster", ("stats", "st", "--local-cluster", "1")),
    ],
)
def test_a_missing_extra_is_named(run, folder, monkeypatch, package, ours, arguments):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, ours, raising=False)
    result = run("trace", *arguments, cwd=folder)
    assert result.exit_code == 2
    assert "pip install" in result.stderr
    assert package in result.stderr


def test_values_of_any_shape_are_valid_json_in_every_format(run, folder):
    question = (
        "SELECT MAP {DATE '2020-01-02': 'nan'::DOUBLE} AS days,"
        " {'most': ['inf'::DOUBLE, 1.5::DOUBLE]} AS nested"
    )
    expected = {"days": {"2020-01-02": None}, "nested": {"most": [None, 1.5]}}
    command = ("trace", "query", "st", question)
    shown = run(*command, "--format", "json", cwd=folder)
    assert json.loads(shown.stdout, parse_constant=pytest.fail) == [expected]
    (row,) = csv.DictReader(io.StringIO(run(*command, "--format", "csv", cwd=folder).stdout))
    assert {name: json.loads(cell) for name, cell in row.items()} == expected
    assert '{"2020-01-02": null}' in run(*command, cwd=folder).stdout
