"""How a run becomes rows of the three tables of a store."""

import json

import pyarrow as pa
import pytest

from corpus.traces.measures.catalogue import CATALOGUE
from corpus.traces.store.schema import (
    EDGES,
    EVENTS,
    MEASURES,
    TABLES,
    TRACES,
    WHOLE,
    edge_columns,
    event_columns,
    trace_row,
)
from tests.support.made_traces import event, pair, run_of
from tests.support.stores import bring, numbered, rows


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
def test_keys_that_the_schema_does_not_name_are_kept_at_their_event(tmp_path, spelled):
    trace = pair()
    trace["events"][2]["latency:s"] = 0.25
    text = json.dumps(trace)
    (tmp_path / "a.json").write_text(
        text.replace("latency:s", r"latency\u003as") if spelled else text
    )
    bring(tmp_path / "st", tmp_path / "a.json")
    kept = [row["more"] for row in rows(tmp_path / "st", "events").to_pylist()]
    assert kept == [None, None, '{"latency:s": 0.25}', *[None] * 5]


def test_the_schema_has_whole_numbers_where_the_measures_do(tmp_path, inputs):
    bring(tmp_path / "st", inputs)
    schema = rows(tmp_path / "st", "traces").schema
    assert schema.field("events").type == pa.int64()
    assert schema.field("span").type == pa.int64()
    assert schema.field("parallelism").type == pa.float64()


def test_a_row_of_a_trace_fills_every_column_with_its_type():
    row = trace_row(("a.jsonl", 4), "d", run_of(numbered(3)))
    assert row.keys() == set(TRACES.names)
    assert pa.table({name: [value] for name, value in row.items()}, schema=TRACES).num_rows == 1
    assert (row["digest"], row["file"], row["line"], row["trace_id"]) == (
        "d",
        "a.jsonl",
        4,
        "run-3",
    )
    assert row["rewards"] == [("team", pytest.approx(0.3)), ("style", 1)]
    assert row["costs"] == list(numbered(3)["costs"].items())
    assert row["metrics"] == [("accuracy", 3 / 7)]


def test_a_trace_without_metrics_has_an_empty_map():
    assert trace_row(("a.json", 1), "d", run_of(pair()))["metrics"] == []


def test_columns_of_events_are_a_slice_in_the_order_of_the_trace():
    trace = pair()
    event(trace, "told").update(trusted=False, content_ref="ref", x_tokens=7, x_end=5)
    run = run_of(trace)
    columns = event_columns("d", run, (), 3, 5)
    assert columns.keys() == set(EVENTS.names)
    assert {name: list(columns[name]) for name in ("digest", "trace_id", "position", "more")} == {
        "digest": ["d", "d"],
        "trace_id": ["pair", "pair"],
        "position": [3, 4],
        "more": [None, None],
    }
    found = {name: list(values) for name, values in columns.items()}
    assert (found["id"], found["t"]) == (["ask", "told"], [2, 4])
    assert (found["tool"], found["x_steps"]) == (["shop", "shop"], [2, None])
    assert (found["trusted"], found["content_ref"]) == ([None, False], [None, "ref"])
    assert (found["x_tokens"], found["x_end"]) == ([None, 7], [None, 5])
    assert (found["x_run"], found["x_inferred"]) == ([None, None], [None, None])


def test_a_slice_beyond_the_end_is_what_there_is():
    run = run_of(pair())
    more = [f"{number}" for number in range(8)]
    columns = event_columns("d", run, more, 6, 11)
    assert list(columns["id"]) == ["bob-done", "tea"]
    assert list(columns["more"]) == ["6", "7"]
    assert list(columns["to_agent"]) == ["lead", None]
    assert list(columns["from_agent"]) == ["bob", None]
    assert list(edge_columns("d", run, 9, 12)["src"]) == []


def test_columns_of_edges_are_a_slice():
    columns = edge_columns("d", run_of(pair()), 3, 5)
    assert columns.keys() == set(EDGES.names)
    assert {name: list(values) for name, values in columns.items()} == {
        "digest": ["d", "d"],
        "trace_id": ["pair", "pair"],
        "src": ["ask", "told"],
        "dst": ["told", "ann-done"],
        "type": ["tool_dependency", "causal"],
    }


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
