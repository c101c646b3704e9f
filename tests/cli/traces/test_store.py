"""`corpus trace ingest` and `corpus trace stats` of a store, as a user runs them."""

import json

from tests.support.stores import write_lines


def test_ingest_and_stats(run, tmp_path):
    write_lines(tmp_path / "a.jsonl", range(12))
    first = run("trace", "ingest", "*.jsonl", "-o", "st", cwd=tmp_path)
    assert (first.exit_code, first.stdout) == (0, "")
    assert "12 traces added" in first.stderr
    again = run("trace", "ingest", "a.jsonl", "-o", "st", cwd=tmp_path)
    assert "0 traces added" in again.stderr
    found = json.loads(
        run("trace", "stats", "st", "--format", "json", "--verify", cwd=tmp_path).stdout
    )
    files = json.loads(run("trace", "stats", "a.jsonl", "--format", "json", cwd=tmp_path).stdout)
    assert found["summary"]["measures"] == files["summary"]["measures"]
    assert found["summary"]["events_by_type"]["spawn"] == 24
    text = run("trace", "stats", "st", cwd=tmp_path)
    assert text.exit_code == 0
    lines = text.stdout.splitlines()
    assert lines[0] == "12 traces"
    heads = [line.split() for line in lines if " by type " in line]
    assert heads == [["events", "by", "type", "events", "tokens"], ["edges", "by", "type", "edges"]]
    assert ["spawn", "24", "-"] in [line.split() for line in lines]


def test_wrong_usage(run, tmp_path):
    write_lines(tmp_path / "a.jsonl", range(1))
    assert run("trace", "ingest", "a.jsonl", "-o", "st", cwd=tmp_path).exit_code == 0
    assert run("trace", "stats", "st", "--format", "csv", cwd=tmp_path).exit_code == 2
    assert run("trace", "stats", "st", "--credit", cwd=tmp_path).exit_code == 2


def test_a_store_among_files_is_wrong_usage_and_one_in_a_folder_is_passed_over(run, tmp_path):
    write_lines(tmp_path / "a.jsonl", range(2))
    assert run("trace", "ingest", "a.jsonl", "-o", "st", cwd=tmp_path).exit_code == 0
    for command in (("validate", "st"), ("stats", "st", "a.jsonl"), ("label", "st")):
        result = run("trace", *command, cwd=tmp_path)
        assert (result.exit_code, "is a store" in result.stderr) == (2, True)
    assert "2 traces, 0 with errors" in run("trace", "validate", ".", cwd=tmp_path).stderr
