"""Many documents on several processors: the same findings in the same order as on one."""

import json
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial

from corpus.model.finding import Finding
from corpus.traces import batches
from corpus.traces.batches import applied, grouped
from corpus.traces.checks.validate import Checked, check
from corpus.traces.reading.reading import NOT_JSON, TraceText
from tests.support.made_traces import pair


def documents(number):
    """Sound traces, every third one broken in some way, and one that could not be read."""
    made: list[TraceText | Finding] = []
    for line in range(1, number + 1):
        trace = pair()
        if line % 3 == 0:
            trace["edges"][0]["type"] = "message"
        raw = b"{" if line % 7 == 0 else json.dumps(trace).encode()
        made.append(TraceText("a.jsonl", line, raw, False))
    made.insert(5, NOT_JSON.at("b.jsonl", 9, problem="too large", remedy="split it"))
    return made


def test_helpers_find_what_one_process_finds_in_the_same_order(monkeypatch):
    monkeypatch.setattr(batches, "ALONE", 10)
    monkeypatch.setattr(batches, "BATCH_BYTES", 20_000)
    monkeypatch.setattr(batches, "LARGE_BYTES", 100_000)
    items = documents(120)
    large = pair()
    large["events"][0]["note"] = "x" * 200_000
    items.insert(60, TraceText("a.jsonl", 1000, json.dumps(large).encode(), False))
    without = partial(check, ignored={"OT118"})
    expected = list(map(without, items))
    assert list(applied(iter(items), without, 2)) == expected
    assert list(applied(iter(items), without, 1)) == expected
    assert {finding.code for found in expected for finding in found.findings} == {"OT005", "OT111"}


def test_groups_are_bounded_in_number_and_weight():
    assert list(grouped([4, 4, 4, 30, 1], abs, 10, 9)) == [[4, 4], [4], [30], [1]]
    assert list(grouped([1, 1, 1], abs, 10, 2)) == [[1, 1], [1]]
    assert list(grouped([], abs, 10, 2)) == []


def test_few_documents_start_no_helper(monkeypatch):
    monkeypatch.setattr(batches, "ProcessPoolExecutor", None)
    assert len(list(applied(iter(documents(20)), check, 4))) == 21


def test_helpers_that_die_lose_nothing(monkeypatch):
    monkeypatch.setattr(batches, "ALONE", 10)
    monkeypatch.setattr(batches, "BATCH_BYTES", 20_000)
    monkeypatch.setattr(batches, "ProcessPoolExecutor", Doomed)
    items = documents(60)
    assert list(applied(iter(items), check, 2)) == [check(item) for item in items]


class Doomed:
    """A pool whose helpers are killed: the first batch is accepted and lost, later ones are refused."""

    def __init__(self, *_arguments, **_keys):
        self.accepted = 0

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        pass

    def submit(self, *_arguments):
        self.accepted += 1
        if self.accepted > 1:
            raise BrokenProcessPool
        future: Future[list[Checked]] = Future()
        future.set_exception(BrokenProcessPool())
        return future
