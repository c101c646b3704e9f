"""A store gives its traces back as they were read."""

import json
from pathlib import Path

from corpus.traces.store.store import Store
from corpus.traces.store.stored import stored
from tests.support.every_event import every_event
from tests.support.stores import bring, numbered


def test_traces_come_back_whole(tmp_path):
    traces = [every_event(), numbered(1), numbered(2)]
    traces[0]["events"][1] |= {"x_rewards": {"prm": 0.5}, "x_contents": {"user": ["sha256:1"]}}
    traces[0]["events"][2] |= {"free": {"a": [1]}, "x_inferred": ["t"]}
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(json.dumps(trace) + "\n" for trace in traces), encoding="utf-8")
    bring(tmp_path / "store", path)
    store = Store(tmp_path / "store")
    found = [document for part in store.parts() for document in stored(store, part)]
    assert [json.loads(document.raw) for document in found] == traces
    assert [(Path(one.file).name, one.line) for one in found] == [
        ("runs.jsonl", 1),
        ("runs.jsonl", 2),
        ("runs.jsonl", 3),
    ]
