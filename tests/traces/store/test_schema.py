"""How a run becomes rows of the three tables of a store."""

import json

import pyarrow as pa
import pytest

from corpus.traces.measures.catalogue import CATALOGUE
from corpus.traces.store.schema import MEASURES, TABLES, TRACES, WHOLE
from tests.support.made_traces import pair
from tests.support.stores import bring, rows


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
        "model": {"name": "tiny"},
        "digits": 10**30,
    }
    first = events_of(tmp_path, json.dumps(trace))[0]
    assert (first["role"], first["x_run"], first["x_error"]) == (
        "über 🐜 \u0000",
        '{"b":[1,null]}',
        "0",
    )
    assert first["x_inferred"] == '["t"]'
    assert json.loads(first["more"]) == {"model": {"name": "tiny"}, "digits": 10**30}


@pytest.mark.parametrize("spelled", [False, True])
def test_keys_that_the_schema_does_not_name_are_kept_at_their_event(tmp_path, spelled):
    trace = pair()
    trace["events"][2]["latency:s"] = 0.25
    text = json.dumps(trace)
    if spelled:
        text = text.replace("latency:s", r"latency\u003as")
    kept = [row["more"] for row in events_of(tmp_path, text)]
    assert kept == [None, None, '{"latency:s": 0.25}', *[None] * 5]


def test_the_traces_are_written_last_since_they_make_a_part_count():
    assert list(TABLES) == ["events", "edges", "traces"]


def test_measures_that_count_are_whole_and_means_are_not():
    """A column that changes its type needs another version of the store."""
    counted = {"count", "agents", "edges", "events", "spawns", "0 or 1"}
    whole = set()
    for metric in CATALOGUE:
        if metric.unit in counted and not metric.name.endswith("_mean"):
            whole.add(metric.name)
    assert {name for name in MEASURES if TRACES.field(name).type == pa.int64()} >= whole
    assert TRACES.field("width_mean").type == pa.float64()


def test_measures_are_numbers_and_counts_are_whole():
    types = {name: TRACES.field(name).type for name in MEASURES}
    assert {name for name, kind in types.items() if kind == pa.int64()} == WHOLE & types.keys()
    assert set(types.values()) == {pa.int64(), pa.float64()}
    assert not {"digest", "file", "line", "trace_id"} & types.keys()
