"""`corpus trace ingest` and `corpus trace stats` of a store, as a user runs them."""

import json

import pytest

from tests.support.stores import write_lines
from tests.support.trace_commands import trace

pytestmark = pytest.mark.usefixtures("inside")


def test_ingest_and_stats(tmp_path):
    write_lines(tmp_path / "a.jsonl", range(12))
    first = trace("ingest", "*.jsonl", "-o", "st")
    assert (first.exit_code, first.stdout) == (0, "")
    assert "12 traces added" in first.stderr
    again = trace("ingest", "a.jsonl", "-o", "st")
    assert "0 traces added" in again.stderr
    found = json.loads(trace("stats", "st", "--format", "json").stdout)
    files = json.loads(trace("stats", "a.jsonl", "--format", "json").stdout)
    assert found["summary"]["measures"] == files["summary"]["measures"]
    text = trace("stats", "st")
    assert text.exit_code == 0
    lines = text.stdout.splitlines()
    assert lines[0] == "12 traces"


def test_wrong_usage(tmp_path):
    write_lines(tmp_path / "a.jsonl", range(1))
    assert trace("ingest", "a.jsonl", "-o", "st").exit_code == 0
    assert trace("stats", "st", "--format", "csv").exit_code == 2
    assert trace("stats", "st", "--credit").exit_code == 2


def test_a_store_is_named_alone_and_one_in_a_folder_is_passed_over(tmp_path):
    write_lines(tmp_path / "a.jsonl", range(2))
    assert trace("ingest", "a.jsonl", "-o", "st").exit_code == 0
    result = trace("stats", "st", "a.jsonl")
    assert (result.exit_code, "is a store" in result.stderr) == (2, True)
    assert "2 traces, 0 with errors" in trace("validate", ".").stderr
    refused = trace("validate", "st")
    assert (refused.exit_code, "is a store" in refused.stderr) == (2, True)
