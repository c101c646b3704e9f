"""Measures over a store: exact, however it is cut into parts."""

from corpus.traces.measures.summary import Summing, measured
from corpus.traces.store import ingest as store_ingest
from corpus.traces.store import stats
from corpus.traces.store.stats import summary
from corpus.traces.store.store import Store
from tests.support.imported import refused
from tests.support.made_traces import document, run_of
from tests.support.stores import bring, numbered, write_lines


def test_a_store_gives_the_numbers_of_its_single_traces_however_it_is_cut(tmp_path, monkeypatch):
    inputs = write_lines(tmp_path / "a.jsonl", range(50))
    bring(tmp_path / "whole", inputs)
    monkeypatch.setattr(store_ingest, "PART_EVENTS", 100)
    monkeypatch.setattr(store_ingest, "GROUP", 7)
    monkeypatch.setattr(stats, "AT_ONCE", 150)
    bring(tmp_path / "cut", inputs)
    expected = Summing()
    for trace in map(numbered, range(50)):
        expected.add(measured(document(trace), run_of(trace)).cells)
    assert len(Store(tmp_path / "cut").parts()) == 4
    for name in ("whole", "cut"):
        assert summary(Store(tmp_path / name)) == expected.summary()


def test_rows_that_the_manifest_does_not_know_are_damage(tmp_path):
    bring(tmp_path / "st", write_lines(tmp_path / "a.jsonl", range(3)))
    store = Store(tmp_path / "st")
    manifest = next((store.root / "manifest").glob("part-*.json"))
    manifest.write_text(manifest.read_text().replace('"traces": 3', '"traces": 4'))
    assert refused(summary, store) == ["OT301"]
