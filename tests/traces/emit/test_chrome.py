"""Trace events of Chrome: a track per agent, slices that nest, arrows whose ends are in slices."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from corpus.traces.emit import chrome
from corpus.traces.emit.chrome import tracks
from tests.support.every_event import every_event
from tests.support.made_traces import event, pair, run_of, runs


def events_of(*all_runs):
    (document,), _ = chrome.write(all_runs)
    found: list[dict[str, Any]] = document["traceEvents"]
    return found


def test_an_edge_against_time_is_a_loss():
    trace = pair()
    event(trace, "ask")["t"] = 0.5
    _, (lost,) = chrome.write([run_of(trace)])
    losses = tuple(lost.values())
    assert "ask" in [loss.place for loss in losses if loss.kind == "dropped"]


@given(run=runs())
def test_every_event_has_a_slice_and_slices_of_a_track_nest(run):
    events = events_of(run)
    slices = [one for one in events if one["ph"] == "X"]
    shown = [one["args"]["id"] for one in slices if one["args"]]
    assert sorted(shown) == sorted(one.id for one in run.events)
    assert all(isinstance(one["ts"], int) and one["dur"] >= 0 for one in slices)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=20))
def test_slices_of_a_track_follow_or_contain_each_other(pairs):
    slices = [(start, start + length, place) for place, (start, length) in enumerate(pairs)]
    found = tracks(slices)
    assert sorted(one for track in found for one in track) == sorted(slices)
    for track in found:
        for position, one in enumerate(track):
            for other in track[position + 1 :]:
                assert other[0] >= one[1] or other[1] <= one[1]
        assert all(one[0] <= other[0] for one, other in pairwise(track))


def test_a_run_as_trace_events():
    events = events_of(run_of(every_event()))
    assert [
        (one["tid"], one["args"]["name"])
        for one in events
        if one["ph"] == "M" and "name" in one["args"]
    ] == [(0, "small: mine"), (1, "user"), (2, "lead"), (3, "bob")]
    slices = [one for one in events if one["ph"] == "X"]
    assert [(one["tid"], one["name"], one["cat"], one["ts"], one["dur"]) for one in slices] == [
        (1, "human_intervention", "human_intervention", 0, 1),
        (2, "lead", "agent", 1_000_000, 4_000_001),
        (2, "shop", "tool_call", 1_000_000, 1_500_000),
        (2, "shop", "tool_result", 2_500_000, 1),
        (2, "spawn", "spawn", 3_000_000, 1),
        (2, "safety_event", "safety_event", 5_000_000, 1),
        (3, "bob", "agent", 3_000_000, 4_000_000),
        (3, "message", "message", 4_000_000, 1),
        (3, "return", "return", 6_000_000, 1_000_000),
    ]
    assert slices[-1]["args"] == {
        "id": "done",
        "type": "return",
        "from": "bob",
        "to": "lead",
        "x_steps": 2,
        "x_stop_reason": "implicit",
    }
