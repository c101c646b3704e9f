"""One part of a store: its files, its name, and what is left of it when something goes wrong."""

import errno
import hashlib
import os
from collections import Counter

import pytest
from pyarrow import parquet

from corpus.traces.store import ingest as store_ingest
from corpus.traces.store import parts as store_parts
from corpus.traces.store.parts import PartTable, PartWriter, without_duplicates
from corpus.traces.store.store import Store
from tests.support.made_traces import run_of
from tests.support.stores import bring, files_of, numbered


def test_a_full_disk_leaves_nothing_behind(tmp_path, inputs, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    store = Store.make(tmp_path / "st")
    before = files_of(tmp_path / "st")
    with monkeypatch.context() as context:
        context.setattr(store_parts.os, "fsync", full)
        with pytest.raises(OSError, match="space"):
            bring(tmp_path / "st", inputs)
    assert files_of(tmp_path / "st") == before
    assert not list((store.root / ".staging").iterdir())
    assert bring(tmp_path / "st", inputs) == Counter(added=21)


def test_a_trace_never_spans_parts_and_groups_are_bounded(tmp_path, inputs, monkeypatch):
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


@pytest.fixture
def store(tmp_path):
    return Store.make(tmp_path / "st")


def staged(store, numbers):
    writer = PartWriter(store)
    for number in numbers:
        writer.add((f"{number // 2}.jsonl", number), f"d{number}", run_of(numbered(number)))
    return writer.close()


def column(found, table, name):
    values: list[object] = parquet.read_table(found.folder / f"{table}.parquet")[name].to_pylist()
    return values


def test_the_same_traces_give_the_same_bytes(store):
    assert staged(store, range(3)).part == staged(store, range(3)).part


def test_rows_fill_whole_groups_but_for_the_last(tmp_path, monkeypatch):
    monkeypatch.setattr(store_parts, "GROUP", 4)
    monkeypatch.setattr(store_parts, "PACK", 3)
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


def test_a_part_without_some_of_its_traces_is_what_it_would_have_been(store):
    whole = staged(store, range(4))
    kept = without_duplicates(store, whole, {"d1", "d3", "elsewhere"})
    assert kept is not None
    assert kept.digests == ["d0", "d2"]
    assert kept.part.rows == {"events": 16, "edges": 16, "traces": 2}
    for table in ("events", "edges", "traces"):
        assert list(dict.fromkeys(column(kept, table, "digest"))) == ["d0", "d2"]
    named = hashlib.sha256(b"d0\nd2").hexdigest()
    assert kept.part.name == f"part-{named[:32]}"
    assert kept.part.sources == whole.part.sources
    assert not whole.folder.exists()


def test_of_a_part_of_duplicates_alone_nothing_is_left(store):
    whole = staged(store, range(2))
    assert without_duplicates(store, whole, {"d0", "d1"}) is None
    assert files_of(store.root / ".staging") == {}
