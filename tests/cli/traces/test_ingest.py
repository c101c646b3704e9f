"""`corpus trace ingest`: what comes into a store, once, whole, and after an interrupt as well."""

import gc
import os
import sys

import pytest
from filelock import FileLock

from corpus.traces.store import ingest as store_ingest
from corpus.traces.store.store import LOCK
from tests.support.stores import rows, write_lines
from tests.support.trace_commands import trace

pytestmark = pytest.mark.usefixtures("inside")


def test_broken_traces_make_exit_code_1_and_the_rest_comes_in(tmp_path):
    with write_lines(tmp_path / "a.jsonl", range(2)).open("a") as file:
        file.write("[]\n")
    result = trace("ingest", "a.jsonl", "-o", "st")
    assert result.exit_code == 1
    assert "a.jsonl:3" in result.stderr
    assert "2 traces added" in result.stderr


def test_two_ingests_do_not_write_at_once(tmp_path):
    write_lines(tmp_path / "a.jsonl", range(1))
    trace("ingest", "a.jsonl", "-o", "st")
    with FileLock(tmp_path / "st" / LOCK):
        assert trace("ingest", "a.jsonl", "-o", "st").exit_code == 2


def interrupted(call, moment):
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
def test_an_interrupted_ingest_ends_in_one_line_and_goes_on_later(tmp_path, monkeypatch):
    monkeypatch.setattr(store_ingest, "PART_EVENTS", 16)  # several parts
    write_lines(tmp_path / "a.jsonl", range(3))
    whole = ("ingest", "a.jsonl", "-o", "whole")
    calls = interrupted(lambda: trace(*whole), 0)
    assert len(list(tmp_path.glob("whole/traces/part-*"))) > 1
    assert calls > 200
    for moment in range(1, calls, 71):
        ingest = ("ingest", "a.jsonl", "-o", f"st{moment}")
        ended = []
        interrupted(lambda ingest=ingest, ended=ended: ended.append(trace(*ingest)), moment)
        assert ended[0].exit_code == 130, moment
        assert len(ended[0].stderr.splitlines()) == 1
        assert trace(*ingest).exit_code == 0
        for table in ("traces", "events", "edges"):
            assert rows(tmp_path / f"st{moment}", table).equals(rows(tmp_path / "whole", table))
    # Such files are closed here, and not in a test that expects none.
    gc.collect()


def test_the_last_line_counts_what_was_added_known_and_broken(tmp_path):
    path = write_lines(tmp_path / "a.jsonl", range(3))
    command = ("ingest", "a.jsonl", "-o", "st")
    first = trace(*command)
    assert first.stderr == "3 traces added, 0 known before, 0 broken; st has 3 traces in 1 part\n"
    again = trace(*command)
    assert again.stderr == (
        "0 traces added, 0 known before, 1 file known before, 0 broken; st has 3 traces in 1 part\n"
    )
    with path.open("a") as file:
        file.write("[]\n")
    grown = trace(*command)
    assert (grown.exit_code, grown.stdout) == (1, "")
    last = grown.stderr.splitlines()[-1]
    assert last == "0 traces added, 3 known before, 1 broken; st has 3 traces in 1 part"


def test_a_file_that_is_not_there_is_a_finding_and_the_others_come_in(tmp_path):
    write_lines(tmp_path / "a.jsonl", range(1))
    result = trace("ingest", "a.jsonl", "none.jsonl", "-o", "st")
    assert result.exit_code == 1
    assert "none.jsonl" in result.stderr
    assert rows(tmp_path / "st", "traces").num_rows == 1


@pytest.mark.parametrize("name", ["-", "empty"])
def test_without_a_file_to_read_no_store_is_made(tmp_path, name):
    (tmp_path / "empty").mkdir()
    assert trace("ingest", name, "-o", "st").exit_code == 2
    assert not (tmp_path / "st").exists()


def test_a_folder_with_other_files_is_no_store(tmp_path):
    write_lines(tmp_path / "a.jsonl", range(1))
    before = sorted(tmp_path.iterdir())
    assert trace("ingest", "a.jsonl", "-o", ".").exit_code == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_whose_name_is_not_text_comes_in_once(tmp_path):
    odd = os.fsencode(tmp_path) + b"/odd\xff.jsonl"
    write_lines(tmp_path / "a.jsonl", range(2)).rename(os.fsdecode(odd))
    command = ("ingest", tmp_path, "-o", tmp_path / "st")
    assert trace(*command).exit_code == 0
    again = trace(*command)
    assert "0 traces added, 0 known before, 1 file known before" in again.stderr
    (name,) = set(rows(tmp_path / "st", "traces").column("file").to_pylist())
    assert name.endswith("/odd\\xff.jsonl")


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    write_lines(tmp_path / "a.jsonl", range(2))
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "corpus.traces.store.cluster", raising=False)
    result = trace("ingest", "a.jsonl", "-o", "st", "--local-cluster", "1")
    assert result.exit_code == 2
    assert "pip install" in result.stderr
