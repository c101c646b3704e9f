"""`corpus trace query` as a user runs it."""

import csv
import io
import json
import sys

import pytest

from tests.support.stores import bring, write_lines
from tests.support.trace_commands import trace

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def folder(inside, tmp_path):
    bring(tmp_path / "st", write_lines(tmp_path / "a.jsonl", range(5)))


def test_text_shows_the_first_rows_with_a_note():
    result = trace("query", "st", "SELECT id FROM events ORDER BY position", "--rows", "3")
    assert result.exit_code == 0
    assert result.stdout.count("plan") == 3
    assert "first 3 rows" in result.stdout


def test_json_and_csv_have_every_row():
    question = "SELECT trace_id, rewards, 0.0 / 0 AS nothing, NULL AS absent, '=1' AS text, -2 AS number FROM traces ORDER BY 1"
    rows = json.loads(trace("query", "st", question, "--format", "json").stdout)
    assert len(rows) == 5
    first = {
        "trace_id": "run-0",
        "rewards": {"team": 0.0, "style": 1.0},
        "nothing": None,
        "absent": None,
    }
    assert rows[0] == {**first, "text": "=1", "number": -2}
    table = list(
        csv.DictReader(io.StringIO(trace("query", "st", question, "--format", "csv").stdout))
    )
    assert len(table) == 5
    assert (table[0]["text"], table[0]["number"], table[0]["absent"]) == ("'=1", "-2", "")
    assert json.loads(table[0]["rewards"]) == {"team": 0.0, "style": 1.0}
    none = trace("query", "st", "SELECT 1 AS a WHERE false", "--format", "json")
    assert json.loads(none.stdout) == []


@pytest.mark.parametrize(
    "question", ["SELECT nonsense FROM traces", "COPY traces TO 'x'", "SELECT '\x1b[31m' FROM x"]
)
def test_a_wrong_question_is_wrong_usage(question):
    result = trace("query", "st", question)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "\x1b" not in result.stderr


def test_two_columns_of_one_name_are_refused_in_json():
    assert trace("query", "st", "SELECT 1 AS a, 2 AS a", "--format", "json").exit_code == 2


def test_a_folder_that_is_not_a_store_is_a_finding():
    result = trace("query", ".", "SELECT 1")
    assert result.exit_code == 1
    assert "OT302" in result.stderr


@pytest.mark.parametrize(
    ("package", "ours", "arguments"),
    [
        ("duckdb", "corpus.traces.store.query", ("query", "st", "SELECT 1")),
        ("distributed", "corpus.traces.store.cluster", ("stats", "st", "--local-cluster", "1")),
    ],
)
def test_a_missing_extra_is_named(monkeypatch, package, ours, arguments):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, ours, raising=False)
    result = trace(*arguments)
    assert result.exit_code == 2
    assert "pip install" in result.stderr
    assert package in result.stderr


def test_values_of_any_shape_are_valid_json_in_every_format():
    question = (
        "SELECT MAP {DATE '2020-01-02': 'nan'::DOUBLE} AS days,"
        " {'most': ['inf'::DOUBLE, 1.5::DOUBLE]} AS nested"
    )
    expected = {"days": {"2020-01-02": None}, "nested": {"most": [None, 1.5]}}
    command = ("query", "st", question)
    shown = trace(*command, "--format", "json")
    assert json.loads(shown.stdout, parse_constant=pytest.fail) == [expected]
    (row,) = csv.DictReader(io.StringIO(trace(*command, "--format", "csv").stdout))
    assert {name: json.loads(cell) for name, cell in row.items()} == expected
    assert '{"2020-01-02": null}' in trace(*command).stdout
