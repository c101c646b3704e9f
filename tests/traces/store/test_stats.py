"""Measures over a store: exact, whatever the order and however it is cut into parts."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.traces.measures.summary import Summary, measured
from corpus.traces.measures.timing import summed
from corpus.traces.store import ingest as store_ingest
from corpus.traces.store.stats import exact_parts, summary
from corpus.traces.store.store import Store
from tests.support.imported import refused
from tests.support.made_traces import document, run_of
from tests.support.stores import bring, numbered, write_lines


def test_a_store_gives_the_numbers_of_its_single_traces(tmp_path, monkeypatch):
    monkeypatch.setattr(store_ingest, "PART_EVENTS", 100)
    monkeypatch.setattr(store_ingest, "GROUP", 7)
    bring(tmp_path / "st", write_lines(tmp_path / "a.jsonl", range(50)))
    expected = Summary()
    for trace in map(numbered, range(50)):
        expected.add(measured(document(trace), run_of(trace)).cells)
    found = summary(Store(tmp_path / "st"))
    assert found.parts == 4
    assert found.spreads() == expected.spreads()
    assert (found.traces, found.stops, found.topologies) == (
        50,
        expected.stops,
        expected.topologies,
    )
    assert found.events["spawn"] == 100
    assert list(found.edges.values()) == [200, 100, 50, 50]
    assert found.tokens == {"aggregate": math.fsum(0.1 * n for n in range(50))}


def test_neither_order_nor_cut_changes_a_digit(tmp_path, monkeypatch):
    inputs = write_lines(tmp_path / "a.jsonl", range(40))
    bring(tmp_path / "whole", inputs)
    monkeypatch.setattr(store_ingest, "PART_EVENTS", 30)
    bring(tmp_path / "cut", inputs)

    def shuffled(function, questions):
        random.Random(4).shuffle(questions)
        return [function(question) for question in questions]

    whole, cut = (
        summary(Store(tmp_path / "whole")),
        summary(Store(tmp_path / "cut"), shuffled, verify=True),
    )
    assert cut.parts == 10
    assert cut.spreads() == whole.spreads()
    assert (cut.stops, cut.events, cut.edges, cut.tokens) == (
        whole.stops,
        whole.events,
        whole.edges,
        whole.tokens,
    )
    assert list(cut.events) == list(whole.events)


def test_rows_that_the_manifest_does_not_know_are_damage(tmp_path):
    bring(tmp_path / "st", write_lines(tmp_path / "a.jsonl", range(3)))
    store = Store(tmp_path / "st")
    manifest = next((store.root / "manifest").glob("part-*.json"))
    manifest.write_text(manifest.read_text().replace('"events": 24', '"events": 25'))
    assert refused(summary, store) == ["OT301"]


@given(st.lists(st.floats(0, 1e300), max_size=60), st.integers(0, 60))
def test_sums_of_pieces_are_the_correctly_rounded_sum(numbers, cut):
    pieces = [*exact_parts(numbers[cut:]), *exact_parts(numbers[:cut])]
    assert summed(pieces) == math.fsum(numbers)


@pytest.mark.parametrize(
    ("numbers", "parts"),
    [
        ([], []),
        ([0.0, -0.0], []),
        ([0.1] * 10, [1.0, 5.551115123125783e-17]),
        ([5e-324, 1.0, -1.0], [5e-324]),
        # Too large for a double: infinity rather than an error.
        ([1.7e308, 1.7e308], [math.inf]),
    ],
)
def test_a_sum_is_kept_as_few_numbers(numbers, parts):
    assert exact_parts(numbers) == parts
