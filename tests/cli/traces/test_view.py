"""`corpus trace view` as a command."""

import json

from tests.support.made_traces import event, pair
from tests.support.trace_commands import trace


def save(folder, name, *traces):
    file = folder / name
    file.write_text("".join(json.dumps(one) + "\n" for one in traces), encoding="utf-8")
    return file


def named(name):
    return {**pair(), "trace_id": name}


def test_it_writes_one_file(tmp_path):
    file = save(tmp_path, "run.json", pair())
    result = trace("view", file, "-o", tmp_path / "run.html")
    assert result.exit_code == 0
    assert (result.stdout, result.stderr) == ("", "")
    assert (tmp_path / "run.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_all_traces_of_all_files_are_shown_or_those_that_are_named(tmp_path):
    many = save(tmp_path, "many.jsonl", named("a"), named("b"), named("c"))
    one = save(tmp_path, "one.json", named("d"))
    assert trace("view", many, one, "-o", tmp_path / "all.html").exit_code == 0
    page = (tmp_path / "all.html").read_text(encoding="utf-8")
    assert page.count('"axis":') == 4
    result = trace("view", many, "--trace", "a", "--trace", "c", "-o", tmp_path / "two.html")
    assert result.exit_code == 0
    assert (tmp_path / "two.html").read_text(encoding="utf-8").count('"axis":') == 2


def test_a_broken_trace_is_named_and_nothing_is_written(tmp_path):
    broken = pair()
    event(broken, "ask")["type"] = "guess"
    file = save(tmp_path, "runs.jsonl", pair(), broken)
    result = trace("view", file, "-o", tmp_path / "run.html")
    assert result.exit_code == 1
    assert "runs.jsonl:2" in result.stderr
    assert "OT001" in result.stderr
    assert not (tmp_path / "run.html").exists()


def test_an_id_that_no_trace_has_is_wrong_usage(tmp_path):
    file = save(tmp_path, "run.json", pair())
    result = trace("view", file, "--trace", "nobody", "-o", tmp_path / "run.html")
    assert result.exit_code == 2
    assert "nobody" in result.stderr
    assert not (tmp_path / "run.html").exists()
