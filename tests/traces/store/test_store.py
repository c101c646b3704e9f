"""Stores: what an ingest brings in, once each, whatever happens on the way."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from corpus.model.finding import CorpusError, Finding
from corpus.traces.reading.reading import Limits
from corpus.traces.store import ingest as store_ingest
from corpus.traces.store import parts as store_parts
from corpus.traces.store import store as store_files
from corpus.traces.store.ingest import IngestOutcome, RunningTask, gather, input_files, plan
from corpus.traces.store.stats import summary
from corpus.traces.store.store import Store
from tests.support.made_traces import pair
from tests.support.stores import bring, numbered, rows, write_lines


def files_of(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    write_lines(folder / "a.jsonl", range(20))
    (folder / "b.json").write_text(json.dumps(pair(), indent=1))
    return folder


def test_a_trace_comes_in_with_its_measures_events_and_edges(tmp_path: Path, inputs: Path) -> None:
    assert bring(tmp_path / "st", inputs) == IngestOutcome(21, 0, 0, 0)
    traces = {row["trace_id"]: row for row in rows(tmp_path / "st", "traces").to_pylist()}
    assert traces["pair"]["critical_steps"] == 5.0
    assert traces["pair"]["file"].endswith("b.json")
    assert (traces["run-3"]["line"], traces["run-3"]["events"]) == (4, 8)
    assert dict(traces["run-3"]["rewards"]) == numbered(3)["rewards"]
    assert dict(traces["run-3"]["metrics"]) == {"accuracy": 3 / 7}
    assert dict(traces["pair"]["costs"]) == pair()["costs"]
    events = [
        row for row in rows(tmp_path / "st", "events").to_pylist() if row["trace_id"] == "pair"
    ]
    assert [row["id"] for row in events] == [event["id"] for event in pair()["events"]]
    asked = events[3]
    assert (asked["tool"], asked["x_call_id"], asked["x_steps"], asked["role"]) == (
        "shop",
        "c1",
        2.0,
        None,
    )
    assert events[5]["from_agent"] == "ann"
    assert events[5]["to_agent"] == "lead"
    assert {row["digest"] for row in events} == {traces["pair"]["digest"]}
    edges = [row for row in rows(tmp_path / "st", "edges").to_pylist() if row["trace_id"] == "pair"]
    assert sorted((e["src"], e["dst"], e["type"]) for e in edges) == sorted(
        (e["src"], e["dst"], e["type"]) for e in pair()["edges"]
    )


def test_twice_adds_nothing_and_changes_no_file(tmp_path: Path, inputs: Path) -> None:
    bring(tmp_path / "st", inputs)
    before = files_of(tmp_path / "st")
    assert bring(tmp_path / "st", inputs) == IngestOutcome(0, 0, 0, 2)
    assert files_of(tmp_path / "st") == before


def test_a_file_that_grew_and_a_copy_under_another_name_add_only_what_is_new(
    tmp_path: Path, inputs: Path
) -> None:
    bring(tmp_path / "st", inputs)
    write_lines(inputs / "a.jsonl", range(23))
    (inputs / "copy.json").write_text(json.dumps(pair(), indent=1))
    write_lines(inputs / "other.jsonl", range(15, 25))
    assert bring(tmp_path / "st", inputs) == IngestOutcome(5, 28, 0, 2)
    assert rows(tmp_path / "st", "traces").num_rows == 26
    assert rows(tmp_path / "st", "events").num_rows == 26 * 8


def test_doubles_in_two_tasks_come_in_once_from_the_first(
    tmp_path: Path, inputs: Path, monkeypatch
) -> None:
    monkeypatch.setattr(store_ingest, "TASK_BYTES", 1)
    write_lines(inputs / "z.jsonl", range(10, 30))
    assert bring(tmp_path / "st", inputs) == IngestOutcome(31, 10, 0, 0)
    found = {row["trace_id"]: row["file"] for row in rows(tmp_path / "st", "traces").to_pylist()}
    assert found["run-19"].endswith("a.jsonl")
    assert found["run-20"].endswith("z.jsonl")
    for part in (store := Store(tmp_path / "st")).parts():
        store.verify(part)


def test_broken_traces_are_named_each_time_and_stop_nothing(tmp_path: Path, inputs: Path) -> None:
    broken = pair()
    broken["edges"][0]["dst"] = "nobody"
    with (inputs / "a.jsonl").open("a") as file:
        file.write("{\n" + json.dumps(broken) + "\n" + json.dumps(numbered(99)) + "\n")
    for outcome in (IngestOutcome(22, 0, 2, 0), IngestOutcome(0, 21, 2, 1)):
        found: list[Finding] = []
        assert bring(tmp_path / "st", inputs, report=found.extend) == outcome
        assert [(f.code, f.line) for f in found] == [("OT005", 21), ("OT003", 22)]


def test_a_killed_ingest_continues(tmp_path: Path, inputs: Path, monkeypatch) -> None:
    monkeypatch.setattr(store_ingest, "PART_EVENTS", 24)
    store = Store.make(tmp_path / "st")
    tasks = list(plan(store, input_files([str(inputs)], store.root), Limits()))

    def some():
        """Pieces until the process is killed while it writes."""
        for count, piece in enumerate(RunningTask(tasks[0]).pieces()):
            if count == 3:
                return
            yield piece

    assert gather(store, some(), print) == IngestOutcome(9, 0, 0, 0)
    (store.path("events", "part-half")).write_bytes(b"half a file")
    assert (store.root / ".staging").exists()
    store.sweep()
    assert not (store.root / ".staging").exists()
    assert not store.path("events", "part-half").exists()
    assert bring(tmp_path / "st", inputs) == IngestOutcome(12, 9, 0, 0)
    bring(tmp_path / "other", inputs)
    for table in ("traces", "events", "edges"):
        assert rows(tmp_path / "st", table).equals(rows(tmp_path / "other", table))


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, inputs: Path, monkeypatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    store = Store.make(tmp_path / "st")
    before = files_of(tmp_path / "st")
    with monkeypatch.context() as context:
        context.setattr(store_parts.os, "fsync", full)
        with pytest.raises(OSError, match="space"):
            bring(tmp_path / "st", inputs)
    assert files_of(tmp_path / "st") == before
    assert not list((store.root / ".staging").iterdir())
    assert bring(tmp_path / "st", inputs) == IngestOutcome(21, 0, 0, 0)


DYING = """
import os, pathlib, signal, sys
from corpus.cli.main import main
from corpus.traces.store import ingest as store_ingest, parts as store_parts
store_ingest.PART_EVENTS = 400
inputs, store, target = sys.argv[1:]
def writing(place, digest, run, real=store_parts.trace_row):
    if len(list(pathlib.Path(store, "manifest").glob("part-*"))) == int(target):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(place, digest, run)
store_parts.trace_row = writing
main(["trace", "ingest", inputs, "-o", store])
"""


@pytest.mark.slow
def test_a_command_killed_again_and_again_ends_with_the_same_rows(
    tmp_path: Path, inputs: Path
) -> None:
    write_lines(inputs / "a.jsonl", range(1500))
    for target in (4, 9, 20):
        ended = subprocess.run(
            [sys.executable, "-c", DYING, inputs, tmp_path / "st", str(target)], check=False
        )
        assert ended.returncode == -signal.SIGKILL
        assert len(Store(tmp_path / "st").parts()) == target < 31
    subprocess.run([sys.executable, "-c", DYING, inputs, tmp_path / "st", "1000"], check=True)
    bring(tmp_path / "whole", inputs)
    for table in ("traces", "events", "edges"):
        assert rows(tmp_path / "st", table).equals(rows(tmp_path / "whole", table))
    files = [
        path
        for name in ("traces", "events", "edges")
        for path in (tmp_path / "st" / name).iterdir()
    ]
    assert len(files) == 3 * len(Store(tmp_path / "st").parts())


def test_a_trace_never_spans_parts_and_groups_are_bounded(
    tmp_path: Path, inputs: Path, monkeypatch
) -> None:
    monkeypatch.setattr(store_ingest, "PART_EVENTS", 20)
    monkeypatch.setattr(store_parts, "GROUP", 5)
    monkeypatch.setattr(store_parts, "PACK", 3)
    bring(tmp_path / "st", inputs)
    store = Store(tmp_path / "st")
    assert [part.rows["traces"] for part in store.parts()] == [3] * 7
    for part in store.parts():
        with parquet.ParquetFile(store.path("events", part.name)) as file:
            groups = [
                file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)
            ]
            assert set(groups[:-1]) == {5}
            assert 0 < groups[-1] <= 5
            held = set(file.read(["digest"])["digest"].to_pylist())
        assert len(held) == 3
        table = parquet.read_table(store.path("traces", part.name))
        assert set(table["digest"].to_pylist()) == held
        assert sum(table["events"].to_pylist()) == part.rows["events"]


def test_an_input_that_cannot_be_read_is_a_finding(tmp_path: Path, inputs: Path) -> None:
    found: list[Finding] = []
    assert bring(
        tmp_path / "st", inputs / "b.json", tmp_path / "no.json", report=found.extend
    ) == IngestOutcome(1, 0, 1, 0)
    assert [finding.code for finding in found] == ["OT005"]


def test_patterns_and_folders_name_each_file_once_and_never_the_store(
    tmp_path: Path, inputs: Path
) -> None:
    bring(inputs / "st", inputs)
    names = [str(inputs / "*.json*"), str(inputs), str(inputs / "b.json")]
    assert [path.name for path in input_files(names, inputs / "st")] == ["a.jsonl", "b.json"]


def test_damage_is_named(tmp_path: Path, inputs: Path) -> None:
    bring(tmp_path / "st", inputs)
    store = Store(tmp_path / "st")
    part = store.parts()[0]
    path = store.path("events", part.name)
    whole = path.read_bytes()
    path.write_bytes(whole[:-9] + b"X" + whole[-8:])
    with pytest.raises(CorpusError) as raised:
        store.verify(part)
    assert [(f.code, f.file) for f in raised.value.findings] == [("OT301", str(path))]
    for spoil in (lambda: path.write_bytes(whole[:-1]), path.unlink):
        spoil()
        with pytest.raises(CorpusError) as raised:
            store.parts()
        assert [f.code for f in raised.value.findings] == ["OT301"]
    (store.root / "manifest" / f"{part.name}.json").write_text('{"version": 1}')
    with pytest.raises(CorpusError):
        store.parts()


def _spoilt(raw: bytes, chance: random.Random) -> bytes:
    """The bytes with one of them changed, lost, or doubled; or cut short."""
    place = chance.randrange(len(raw))
    ways = (bytes([chance.randrange(256)]), b"", raw[place : place + 1] * 2)
    return (
        raw[:place]
        if chance.random() < 0.1
        else raw[:place] + chance.choice(ways) + raw[place + 1 :]
    )


@pytest.mark.slow
def test_a_damaged_file_is_flagged_or_changes_nothing(tmp_path: Path, inputs: Path) -> None:
    bring(tmp_path / "st", inputs)
    sound = summary(Store(tmp_path / "st")).spreads()
    names = sorted(files_of(tmp_path / "st"))
    chance = random.Random(7)
    flagged = 0
    for turn in range(300):
        root = Path(shutil.copytree(tmp_path / "st", tmp_path / f"{turn}"))
        path = root / names[turn % len(names)]
        path.write_bytes(_spoilt(path.read_bytes(), chance))
        try:
            assert summary(Store(root), verify=True).spreads() == sound
            bring(root, inputs)
            digests = rows(root, "traces")["digest"].to_pylist()
            assert len(digests) == len(set(digests)) == 21
        except CorpusError as error:
            assert {f.code for f in error.findings} <= {"OT301", "OT302"}
            flagged += 1
        shutil.rmtree(root)
    assert flagged > 200


@pytest.mark.slow
def test_unexpected_damage_is_a_finding(tmp_path: Path, inputs: Path) -> None:
    bring(tmp_path / "st", inputs)
    store = Store(tmp_path / "st")
    chance = random.Random(8)
    for turn in range(200):
        path = store.path(["traces", "events", "edges"][turn % 3], store.parts()[0].name)
        raw = path.read_bytes()
        place = chance.randrange(len(raw))
        path.write_bytes(
            raw[:place] + bytes([raw[place] ^ 1 << chance.randrange(8)]) + raw[place + 1 :]
        )
        for act in (lambda: summary(store), lambda: bring(store.root, inputs)):
            try:
                act()
            except CorpusError as error:
                assert {f.code for f in error.findings} <= {"OT301"}
        path.write_bytes(raw)


def test_other_folders_and_other_versions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("dear")
    Store.make(tmp_path / "new")
    (tmp_path / "new" / "store.json").write_text('{"format": "corpus trace store", "version": 99}')
    for name in ("full", "new"):
        with pytest.raises(CorpusError) as raised:
            Store.make(tmp_path / name)
        assert [f.code for f in raised.value.findings] == ["OT302"]
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.txt"]


def test_texts_of_any_kind_survive(tmp_path: Path) -> None:
    trace = pair()
    trace["events"][0] |= {
        "role": "über 🐜 \u0000",
        "x_run": {"b": [1, None]},
        "x_error": 0,
        "x_inferred": ["t"],
        "model": {"name": "tiny"},
        "digits": 10**30,
    }
    (tmp_path / "a.json").write_text(json.dumps(trace))
    bring(tmp_path / "st", tmp_path / "a.json")
    first = rows(tmp_path / "st", "events").to_pylist()[0]
    assert (first["role"], first["x_run"], first["x_error"]) == (
        "über 🐜 \u0000",
        '{"b":[1,null]}',
        "0",
    )
    assert first["x_inferred"] == '["t"]'
    assert json.loads(first["more"]) == {"model": {"name": "tiny"}, "digits": 10**30}


@pytest.mark.parametrize("spelled", [False, True])
def test_keys_that_the_schema_does_not_name_are_kept_at_their_event(
    tmp_path: Path, spelled: bool
) -> None:
    trace = pair()
    trace["events"][2]["latency:s"] = 0.25
    text = json.dumps(trace)
    (tmp_path / "a.json").write_text(
        text.replace("latency:s", r"latency\u003as") if spelled else text
    )
    bring(tmp_path / "st", tmp_path / "a.json")
    kept = [row["more"] for row in rows(tmp_path / "st", "events").to_pylist()]
    assert kept == [None, None, '{"latency:s": 0.25}', *[None] * 5]


@pytest.mark.parametrize("name", ["traces", "manifest", ".staging"])
def test_a_store_with_a_link_in_place_of_a_folder_is_refused(
    tmp_path: Path, inputs: Path, name: str
) -> None:
    for root in ("mine", "theirs"):
        bring(tmp_path / root, inputs)
    mine = files_of(tmp_path / "mine")
    shutil.rmtree(tmp_path / "theirs" / name, ignore_errors=True)
    (tmp_path / "theirs" / name).symlink_to(tmp_path / "mine" / name)
    with pytest.raises(CorpusError) as raised:
        Store(tmp_path / "theirs").sweep()
    assert [f.code for f in raised.value.findings] == ["OT302"]
    assert files_of(tmp_path / "mine") == mine


def test_a_part_that_is_a_link_is_damage(tmp_path: Path, inputs: Path) -> None:
    bring(tmp_path / "st", inputs)
    store = Store(tmp_path / "st")
    path = store.path("events", store.parts()[0].name)
    path.rename(tmp_path / "elsewhere.parquet")
    path.symlink_to(tmp_path / "elsewhere.parquet")
    with pytest.raises(CorpusError) as raised:
        store.parts()
    assert [(f.code, f.file) for f in raised.value.findings] == [("OT301", str(path))]


@pytest.mark.parametrize("change", ["deep", "infinite", "escaping", "list"])
def test_a_hostile_manifest_is_damage(tmp_path: Path, inputs: Path, change: str) -> None:
    bring(tmp_path / "st", inputs)
    path = next((tmp_path / "st" / "manifest").glob("part-*.json"))
    known = json.loads(path.read_text())
    text = {
        "deep": "[" * 100_000,
        "infinite": json.dumps(known).replace(
            f'"events": {known["rows"]["events"]}', '"events": 1e999'
        ),
        "escaping": json.dumps(known | {"files": {"../../x": [1, "0"]}}),
        "list": json.dumps(known | {"rows": [1, 2, 3]}),
    }[change]
    path.write_text(text)
    with pytest.raises(CorpusError) as raised:
        Store(tmp_path / "st").parts()
    assert [f.code for f in raised.value.findings] == ["OT301"]


@pytest.mark.parametrize(
    ("name", "code"), [("manifest/done-0.json", "OT301"), ("store.json", "OT302")]
)
def test_a_list_or_mark_nested_beyond_measure_is_a_finding(
    tmp_path: Path, inputs: Path, name: str, code: str
) -> None:
    bring(tmp_path / "st", inputs)
    (tmp_path / "st" / name).write_text("[" * 100_000)
    with pytest.raises(CorpusError) as raised:
        list(Store(tmp_path / "st").done())
    assert [f.code for f in raised.value.findings] == [code]


def test_a_pipe_as_input_is_refused_without_waiting(tmp_path: Path, inputs: Path) -> None:
    os.mkfifo(inputs / "c.json")
    found: list[Finding] = []
    assert bring(tmp_path / "one", inputs).broken == 0
    assert bring(tmp_path / "two", inputs / "c.json", report=found.extend).broken == 1
    assert [(f.code, Path(f.file).name) for f in found] == [("OT005", "c.json")]


def test_a_row_group_of_somebody_else_is_not_read_into_memory(
    tmp_path: Path, inputs: Path, monkeypatch
) -> None:
    bring(tmp_path / "st", inputs)
    monkeypatch.setattr(store_files, "GROUP", 5)
    with pytest.raises(CorpusError) as raised:
        summary(Store(tmp_path / "st"))
    assert [f.code for f in raised.value.findings] == ["OT301"]


def test_the_schema_has_whole_numbers_where_the_measures_do(tmp_path: Path, inputs: Path) -> None:
    bring(tmp_path / "st", inputs)
    schema = rows(tmp_path / "st", "traces").schema
    assert schema.field("events").type == pa.int64()
    assert schema.field("span").type == pa.int64()
    assert schema.field("parallelism").type == pa.float64()
