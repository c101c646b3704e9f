"""Stores: what an ingest brings in, once each, whatever happens on the way, as rows of tables."""

import json
import random
import re
import shutil
from pathlib import Path

import duckdb
import pytest

from corpus.model.finding import CorpusError
from corpus.traces.store import store as store_files
from corpus.traces.store.stats import summary
from corpus.traces.store.store import Store, write_whole
from tests.support.imported import findings_of, refused
from tests.support.made_traces import pair
from tests.support.stores import bring, files_of, rows, write_lines


@pytest.fixture
def store(tmp_path, inputs):
    bring(tmp_path / "st", inputs)
    return Store(tmp_path / "st")


def damaged(call, *arguments):
    """Code and file of each finding with which a call is refused."""
    return [(one.code, one.file) for one in findings_of(call, *arguments)]


def test_damage_is_named(store):
    part = store.parts()[0]
    path = store.path("events", part.name)
    whole = path.read_bytes()
    for spoil in (lambda: path.write_bytes(whole[:-1]), path.unlink):
        spoil()
        assert refused(store.parts) == ["OT301"]
    (store.root / "manifest" / f"{part.name}.json").write_text('{"version": 1}')
    assert refused(store.parts) == ["OT301"]


def _spoilt(raw, chance):
    """The bytes with one of them changed, lost, or doubled; or cut short."""
    place = chance.randrange(len(raw))
    ways = (bytes([chance.randrange(256)]), b"", raw[place : place + 1] * 2)
    return (
        raw[:place]
        if chance.random() < 0.1
        else raw[:place] + chance.choice(ways) + raw[place + 1 :]
    )


@pytest.mark.slow
def test_a_damaged_file_is_flagged_or_changes_nothing(tmp_path, inputs):
    bring(tmp_path / "st", inputs)
    sound = summary(Store(tmp_path / "st"))
    names = sorted(files_of(tmp_path / "st"))
    chance = random.Random(7)
    root = tmp_path / "copy"

    def unharmed():
        assert summary(Store(root)) == sound
        bring(root, inputs)
        digests = rows(root, "traces")["digest"].to_pylist()
        assert len(digests) == len(set(digests)) == 21

    flagged = 0
    for turn in range(120):
        shutil.copytree(tmp_path / "st", root)
        path = root / names[turn % len(names)]
        path.write_bytes(_spoilt(path.read_bytes(), chance))
        # Without its digest, too, a file is read, or refused with a finding.
        for act in (lambda: summary(Store(root)), unharmed, lambda: bring(root, inputs)):
            try:
                act()
            except CorpusError as error:
                assert {f.code for f in error.findings} <= {"OT301", "OT302"}
                flagged += act is unharmed
        shutil.rmtree(root)
    assert flagged > 60


def test_other_folders_and_other_versions_are_refused(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("dear")
    Store.make(tmp_path / "new")
    (tmp_path / "new" / "store.json").write_text('{"format": "corpus trace store", "version": 99}')
    for name in ("full", "new"):
        assert refused(Store.make, tmp_path / name) == ["OT302"]
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("name", ["traces", "manifest", ".staging"])
def test_a_store_with_a_link_in_place_of_a_folder_is_refused(tmp_path, inputs, name):
    for root in ("mine", "theirs"):
        bring(tmp_path / root, inputs)
    mine = files_of(tmp_path / "mine")
    shutil.rmtree(tmp_path / "theirs" / name, ignore_errors=True)
    (tmp_path / "theirs" / name).symlink_to(tmp_path / "mine" / name)
    assert refused(Store, tmp_path / "theirs") == ["OT302"]
    assert files_of(tmp_path / "mine") == mine


def test_a_part_that_is_a_link_is_damage(tmp_path, store):
    path = store.path("events", store.parts()[0].name)
    path.rename(tmp_path / "elsewhere.parquet")
    path.symlink_to(tmp_path / "elsewhere.parquet")
    assert damaged(store.parts) == [("OT301", str(path))]


@pytest.mark.parametrize("change", ["deep", "infinite", "escaping", "list"])
def test_a_hostile_manifest_is_damage(store, change):
    path = next((store.root / "manifest").glob("part-*.json"))
    known = json.loads(path.read_text())
    text = {
        "deep": "[" * 100_000,
        "infinite": json.dumps(known).replace(
            f'"events": {known["rows"]["events"]}', '"events": 1e999'
        ),
        "escaping": json.dumps(known | {"sizes": {"../../x": 1}}),
        "list": json.dumps(known | {"rows": [1, 2, 3]}),
    }[change]
    path.write_text(text)
    assert damaged(Store(store.root).parts) == [("OT301", str(path))]


def test_a_row_group_of_somebody_else_is_not_read_into_memory(store, monkeypatch):
    monkeypatch.setattr(store_files, "GROUP", 5)
    assert refused(summary, Store(store.root)) == ["OT301"]


def test_a_sweep_removes_what_no_manifest_names_and_nothing_else(store):
    kept = files_of(store.root)
    temporary = ".x.0123456789ab.tmp"
    for name in (
        "events/part-0.parquet",
        f"traces/{temporary}",
        f"edges/{temporary}",
        ".staging/a/b",
    ):
        (store.root / name).parent.mkdir(parents=True, exist_ok=True)
        (store.root / name).touch()
    strangers = {"events/notes.parquet": b"", "edges/part-0.txt": b"", "traces/x.tmp": b""}
    for name in strangers:
        (store.root / name).touch()
    store.sweep()
    assert files_of(store.root) == {**kept, **strangers}


def test_json_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a.json"
    write_whole(path, {"ü": [1]})
    assert json.loads(path.read_text(encoding="utf-8")) == {"ü": [1]}
    with pytest.raises(TypeError):
        write_whole(path, {"a": object()})
    assert files_of(tmp_path) == {"a.json": '{\n "ü": [\n  1\n ]\n}\n'.encode()}


def events_of(folder, text):
    """The rows of the events of a trace in a store."""
    (folder / "a.json").write_text(text)
    bring(folder / "st", folder / "a.json")
    return rows(folder / "st", "events").to_pylist()


def test_texts_of_any_kind_survive(tmp_path):
    trace = pair()
    trace["events"][0] |= {
        "role": "über 🐜 \u0000",
        "x_run": {"b": [1, None]},
        "x_error": 0,
        "x_inferred": ["t"],
    }
    first = events_of(tmp_path, json.dumps(trace))[0]
    assert (first["role"], first["x_run"], first["x_error"]) == (
        "über 🐜 \u0000",
        '{"b":[1,null]}',
        "0",
    )
    assert first["x_inferred"] == '["t"]'


def test_duckdb_answers_the_questions_of_the_documentation(tmp_path, monkeypatch, capsys):
    bring(tmp_path / "store", write_lines(tmp_path / "a.jsonl", range(3)))
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[3] / "docs/traces-at-scale.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(program, {})
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("steps", "reward", "x_model"))
    joined = "FROM traces JOIN events USING (digest) SELECT count(*), sum(rewards['style'])"
    assert duckdb.sql(joined).fetchall() == [(24, 24.0)]
