"""What an ingest brings in: each trace once, whatever happens on the way."""

import errno
import gzip
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from pyarrow import parquet

from corpus.model.finding import Finding
from corpus.traces.store import ingest as store_ingest
from corpus.traces.store.ingest import PartTable, ingest, input_files, plan, work
from corpus.traces.store.store import Store
from tests.support.made_traces import edge, pair
from tests.support.stores import bring, files_of, numbered, rows, write_lines


def test_twice_adds_nothing_and_changes_no_file(tmp_path, inputs):
    bring(tmp_path / "st", inputs)
    before = files_of(tmp_path / "st")
    assert bring(tmp_path / "st", inputs) == Counter(skipped=2)
    assert files_of(tmp_path / "st") == before


def test_a_file_that_grew_and_a_copy_under_another_name_add_only_what_is_new(tmp_path, inputs):
    bring(tmp_path / "st", inputs)
    write_lines(inputs / "a.jsonl", range(23))
    (inputs / "copy.json").write_text(json.dumps(pair(), indent=1))
    write_lines(inputs / "other.jsonl", range(15, 25))
    assert bring(tmp_path / "st", inputs) == Counter(added=5, known=28, skipped=2)
    assert rows(tmp_path / "st", "traces").num_rows == 26
    assert rows(tmp_path / "st", "events").num_rows == 26 * 8


def test_doubles_in_two_tasks_come_in_once_from_the_first(tmp_path, inputs, monkeypatch):
    monkeypatch.setattr(store_ingest, "TASK_BYTES", 1)
    write_lines(inputs / "z.jsonl", range(10, 30))
    assert bring(tmp_path / "st", inputs) == Counter(added=31, known=10)
    found = {row["trace_id"]: row["file"] for row in rows(tmp_path / "st", "traces").to_pylist()}
    assert found["run-19"].endswith("a.jsonl")
    assert found["run-20"].endswith("z.jsonl")
    # Of a task on a cluster that has known traces, too: it is done again.
    far = Store.make(tmp_path / "far")
    files = input_files([str(inputs)], far.root)
    there = ingest(far, files, 1 << 20, lambda findings: None, mapped=map)
    assert there == Counter(added=31, known=10)
    assert_same_rows(tmp_path / "st", tmp_path / "far")


def test_broken_traces_are_named_each_time_and_stop_nothing(tmp_path, inputs):
    broken = pair()
    broken["edges"][0]["dst"] = "nobody"
    with (inputs / "a.jsonl").open("a") as file:
        file.write("{\n" + json.dumps(broken) + "\n" + json.dumps(numbered(99)) + "\n")
    for outcome in (Counter(added=22, broken=2), Counter(known=21, broken=2, skipped=1)):
        found: list[Finding] = []
        assert bring(tmp_path / "st", inputs, report=found.extend) == outcome
        assert [(f.code, f.line) for f in found] == [("OT005", 21), ("OT003", 22)]


def assert_same_rows(one, other):
    for table in ("traces", "events", "edges"):
        assert rows(one, table).equals(rows(other, table))


def test_a_killed_ingest_continues(tmp_path, inputs, monkeypatch):
    monkeypatch.setattr(store_ingest, "PART_EVENTS", 24)
    # Killed while the fourth part is written.
    real = Store.adopt

    def dying(store, folder, part):
        if len(store.parts()) == 3:
            raise KeyboardInterrupt
        real(store, folder, part)

    with monkeypatch.context() as context:
        context.setattr(Store, "adopt", dying)
        with pytest.raises(KeyboardInterrupt):
            bring(tmp_path / "st", inputs)
    store = Store(tmp_path / "st")
    (store.path("events", "part-half")).write_bytes(b"half a file")
    assert (store.root / ".staging").exists()
    store.sweep()
    assert not (store.root / ".staging").exists()
    assert not store.path("events", "part-half").exists()
    assert bring(tmp_path / "st", inputs) == Counter(added=12, known=9)
    bring(tmp_path / "other", inputs)
    assert_same_rows(tmp_path / "st", tmp_path / "other")


DYING = """
import os, pathlib, signal, sys
from corpus.cli.main import main
from corpus.traces.store import ingest as store_ingest
store_ingest.PART_EVENTS = 400
inputs, store, target = sys.argv[1:]
def writing(document, digest, run, real=store_ingest.trace_row):
    if len(list(pathlib.Path(store, "manifest").glob("part-*"))) == int(target):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(document, digest, run)
store_ingest.trace_row = writing
main(["trace", "ingest", inputs, "-o", store])
"""


@pytest.mark.slow
def test_a_command_killed_again_ends_with_the_same_rows(tmp_path, inputs, run, monkeypatch):
    write_lines(inputs / "a.jsonl", range(500))
    for target in (3, 7):
        ended = subprocess.run(
            [sys.executable, "-c", DYING, inputs, tmp_path / "st", str(target)], check=False
        )
        assert ended.returncode == -signal.SIGKILL
        assert len(Store(tmp_path / "st").parts()) == target < 11
    monkeypatch.setattr(store_ingest, "PART_EVENTS", 400)
    assert run("trace", "ingest", inputs, "-o", tmp_path / "st").exit_code == 0
    bring(tmp_path / "whole", inputs)
    assert_same_rows(tmp_path / "st", tmp_path / "whole")
    store = Store(tmp_path / "st")
    # Events, edges and traces of each part, and nothing half written.
    assert len(list(store.root.glob("[te]*/*"))) == 3 * len(store.parts())


def test_an_input_that_cannot_be_read_is_a_finding(tmp_path, inputs):
    found: list[Finding] = []
    assert bring(
        tmp_path / "st", inputs / "b.json", tmp_path / "no.json", report=found.extend
    ) == Counter(added=1, broken=1)
    assert [finding.code for finding in found] == ["OT005"]


def test_patterns_and_folders_name_each_file_once_and_never_the_store(tmp_path, inputs):
    bring(inputs / "st", inputs)
    names = [str(inputs / "*.json*"), str(inputs), str(inputs / "b.json")]
    assert [path.name for path in input_files(names, inputs / "st")] == ["a.jsonl", "b.json"]


def test_a_pipe_as_input_is_refused_without_waiting(tmp_path, inputs):
    os.mkfifo(inputs / "c.json")
    found: list[Finding] = []
    assert bring(tmp_path / "one", inputs)["broken"] == 0
    assert bring(tmp_path / "two", inputs / "c.json", report=found.extend)["broken"] == 1
    assert [(f.code, Path(f.file).name) for f in found] == [("OT005", "c.json")]


def tasks_of(folder, *files):
    return list(plan(Store.make(folder / "st"), files, 1 << 20, Counter()))


def pieces_of(folder, *files):
    found = []
    for task in tasks_of(folder, *files):
        found += work(task)[1]
    return found


def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path, monkeypatch):
    file = write_lines(tmp_path / "a.jsonl", range(2))
    real = store_ingest.valid_run

    def growing(document):
        os.utime(file, (1, 1))
        return real(document)

    monkeypatch.setattr(store_ingest, "valid_run", growing)
    (piece,) = pieces_of(tmp_path, file)
    assert piece.sources == {}
    assert piece.part is not None


def test_findings_are_bounded_and_broken_traces_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(store_ingest, "MOST", 3)
    monkeypatch.setattr(store_ingest, "EACH", 2)
    trace = pair()
    trace["edges"] = [edge("no", "no")] * 5
    file = tmp_path / "a.jsonl"
    file.write_text(f"{json.dumps(trace)}\n" * 4)
    (piece,) = pieces_of(tmp_path, file)
    assert piece.counts == Counter(broken=4)
    assert [one.line for one in piece.findings] == [1, 1, 2, 2]
    assert piece.part is None


def test_a_file_that_cannot_be_read_to_its_end_is_read_again(tmp_path):
    file = tmp_path / "a.jsonl.gz"
    packed = gzip.compress(f"{json.dumps(pair())}\n".encode() + os.urandom(3000).hex().encode())
    file.write_bytes(packed[:-30])
    (piece,) = pieces_of(tmp_path, file)
    assert (piece.counts, piece.sources) == (Counter(broken=1), {})
    assert piece.part is not None


def test_a_full_disk_leaves_nothing_behind(tmp_path, inputs, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    store = Store.make(tmp_path / "st")
    before = files_of(tmp_path / "st")
    with monkeypatch.context() as context:
        context.setattr(store_ingest.os, "fsync", full)
        with pytest.raises(OSError, match="space"):
            bring(tmp_path / "st", inputs)
    assert files_of(tmp_path / "st") == before
    assert not list((store.root / ".staging").iterdir())
    assert bring(tmp_path / "st", inputs) == Counter(added=21)


def test_a_trace_never_spans_parts_and_groups_are_bounded(tmp_path, inputs, monkeypatch):
    monkeypatch.setattr(store_ingest, "PART_EVENTS", 20)
    monkeypatch.setattr(store_ingest, "GROUP", 5)
    monkeypatch.setattr(store_ingest, "PACK", 3)
    bring(tmp_path / "st", inputs)
    store = Store(tmp_path / "st")
    assert [part.rows["traces"] for part in store.parts()] == [3] * 7
    for part in store.parts():
        with parquet.ParquetFile(store.path("events", part.name)) as file:
            groups = [
                file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)
            ]
            assert 0 < min(groups) <= max(groups) <= 5
            held = set(file.read(["digest"])["digest"].to_pylist())
        assert len(held) == 3
        table = parquet.read_table(store.path("traces", part.name))
        assert set(table["digest"].to_pylist()) == held
        assert sum(table["events"].to_pylist()) == part.rows["events"]


def test_rows_fill_whole_groups_but_for_the_last(tmp_path, monkeypatch):
    monkeypatch.setattr(store_ingest, "GROUP", 4)
    monkeypatch.setattr(store_ingest, "PACK", 3)
    table = PartTable(tmp_path, "edges")
    for start in range(0, 10, 2):
        names = [f"e{number}" for number in range(start, start + 2)]
        table.add(dict.fromkeys(table.schema.names, names))
    table.close()
    with parquet.ParquetFile(tmp_path / "edges.parquet") as file:
        groups = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
        assert groups == [4, 4, 2]
        assert file.read(["src"])["src"].to_pylist() == [f"e{number}" for number in range(10)]
    assert table.rows == 10
