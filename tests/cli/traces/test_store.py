"""`corpus trace ingest` and `corpus trace stats` of a store, as a user runs them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from corpus.traces.store import ingest as store_ingest
from corpus.traces.store.store import LOCK
from tests.support.stores import rows, write_lines


def test_ingest_and_stats(run, tmp_path: Path) -> None:
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
    assert "12 traces" in text.stdout


def test_broken_traces_make_exit_code_1_and_the_rest_comes_in(run, tmp_path: Path) -> None:
    with write_lines(tmp_path / "a.jsonl", range(2)).open("a") as file:
        file.write("[]\n")
    result = run("trace", "ingest", "a.jsonl", "-o", "st", cwd=tmp_path)
    assert result.exit_code == 1
    assert "a.jsonl:3" in result.stderr
    assert "2 traces added" in result.stderr


def test_wrong_usage(run, tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", range(1))
    (tmp_path / "empty").mkdir()
    assert run("trace", "ingest", "-", "-o", "st", cwd=tmp_path).exit_code == 2
    assert run("trace", "ingest", "empty", "-o", "st", cwd=tmp_path).exit_code == 2
    assert run("trace", "ingest", "a.jsonl", "-o", "st", cwd=tmp_path).exit_code == 0
    assert run("trace", "stats", "st", "--format", "csv", cwd=tmp_path).exit_code == 2
    assert run("trace", "stats", "st", "--credit", cwd=tmp_path).exit_code == 2
    assert run("trace", "ingest", "a.jsonl", "-o", ".", cwd=tmp_path).exit_code == 1
    assert not (tmp_path / LOCK).exists()


def test_two_ingests_do_not_write_at_once(run, tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", range(1))
    run("trace", "ingest", "a.jsonl", "-o", "st", cwd=tmp_path)
    with FileLock(tmp_path / "st" / LOCK):
        assert run("trace", "ingest", "a.jsonl", "-o", "st", cwd=tmp_path).exit_code == 2


def test_a_store_among_files_is_wrong_usage_and_one_in_a_folder_is_passed_over(
    run, tmp_path: Path
) -> None:
    write_lines(tmp_path / "a.jsonl", range(2))
    assert run("trace", "ingest", "a.jsonl", "-o", "st", cwd=tmp_path).exit_code == 0
    for command in (("validate", "st"), ("stats", "st", "a.jsonl"), ("label", "st")):
        result = run("trace", *command, cwd=tmp_path)
        assert (result.exit_code, "is a store" in result.stderr) == (2, True)
    assert "2 traces, 0 with errors" in run("trace", "validate", ".", cwd=tmp_path).stderr


def interrupted(call, moment: int) -> int:
    """Make a call, interrupt it at one of the calls that the modules of the store make, and return how many it made."""
    made = 0

    def interrupt(frame, event, _):
        nonlocal made
        if event in ("call", "c_call") and frame.f_globals.get("__name__", "").startswith(
            "corpus.traces.store"
        ):
            made += 1
            if made == moment:
                sys.setprofile(None)
                raise KeyboardInterrupt

    before = sys.getprofile()
    sys.setprofile(interrupt)
    try:
        call()
    finally:
        sys.setprofile(before)
    return made


# An interrupt between the opening of a file and its `with` leaves the file to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupted_ingest_ends_in_one_line_and_goes_on_later(
    run, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(store_ingest, "PART_EVENTS", 24)  # several parts
    write_lines(tmp_path / "a.jsonl", range(5))
    whole = ("trace", "ingest", "a.jsonl", "-o", "whole")
    calls = interrupted(lambda: run(*whole, cwd=tmp_path), 0)
    assert calls > 200
    for moment in range(1, calls, 29):
        ingest = ("trace", "ingest", "a.jsonl", "-o", f"st{moment}")
        ended = []
        interrupted(
            lambda ingest=ingest, ended=ended: ended.append(run(*ingest, cwd=tmp_path)), moment
        )
        assert ended[0].exit_code == 130, moment
        assert len(ended[0].stderr.splitlines()) == 1
        assert run(*ingest, cwd=tmp_path).exit_code == 0
        for table in ("traces", "events", "edges"):
            assert rows(tmp_path / f"st{moment}", table).equals(rows(tmp_path / "whole", table))


@pytest.mark.parametrize("name", ["_pack", "_flush"])
def test_an_interrupt_while_a_part_is_closed_leaves_no_part(
    run, tmp_path: Path, monkeypatch, name
) -> None:
    from corpus.traces.store.parts import PartTable

    def interrupt(*_):
        raise KeyboardInterrupt

    write_lines(tmp_path / "a.jsonl", range(3))
    with monkeypatch.context() as patched:
        patched.setattr(PartTable, name, interrupt)
        assert run("trace", "ingest", "a.jsonl", "-o", "st", cwd=tmp_path).exit_code == 130
    assert list((tmp_path / "st").glob("*/part-*")) == []
    assert run("trace", "ingest", "a.jsonl", "-o", "st", cwd=tmp_path).exit_code == 0
