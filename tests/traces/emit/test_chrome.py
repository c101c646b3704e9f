"""Trace events of Chrome: a track per agent, slices that nest, arrows whose ends are in slices."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.traces.emit import chrome
from corpus.traces.emit.chrome import Slice, tracks
from corpus.traces.run import Run
from tests.support.large_traces import swarm
from tests.support.made_traces import event, pair, run_of, runs


def events_of(*all_runs: Run) -> list[dict[str, Any]]:
    (emitted,) = chrome.write(all_runs)
    found: list[dict[str, Any]] = emitted.document["traceEvents"]
    return found


def names(events: list[dict[str, Any]]) -> dict[tuple[int, int], str]:
    return {
        (one["pid"], one["tid"]): one["args"]["name"]
        for one in events
        if one["name"] == "thread_name"
    }


def test_every_agent_has_a_track_and_every_run_a_process() -> None:
    events = events_of(run_of(pair()), run_of(swarm(30)))
    of_first = [name for (process, _), name in names(events).items() if process == 1]
    assert of_first == ["lead", "ann", "bob"]
    of_second = {name for (process, _), name in names(events).items() if process == 2}
    assert set(run_of(swarm(30)).agents) | {"user"} == of_second
    processes = [one["args"]["name"] for one in events if one["name"] == "process_name"]
    assert len(processes) == 2


def test_a_call_lasts_until_its_result() -> None:
    events = events_of(run_of(pair()))
    (call,) = (one for one in events if one.get("cat") == "tool_call")
    assert (call["name"], call["ts"], call["dur"]) == ("shop", 2_000_000, 2_000_000)
    assert call["args"]["x_call_id"] == "c1"


def test_edges_are_arrows_from_slice_to_slice() -> None:
    run = run_of(swarm(30))
    events = events_of(run)
    starts = {one["id"]: one for one in events if one["ph"] == "s"}
    ends = {one["id"]: one for one in events if one["ph"] == "f"}
    assert len(starts) == len(ends) == len(run.trace.edges)
    slices = [one for one in events if one["ph"] == "X"]
    begun = {(one["tid"], one["ts"]) for one in slices}
    for number, start in starts.items():
        end = ends[number]
        assert end["bp"] == "e"
        assert start["ts"] <= end["ts"]
        assert {(start["tid"], start["ts"]), (end["tid"], end["ts"])} <= begun
    assert {one["name"] for one in starts.values()} == {edge.type for edge in run.trace.edges}


def test_an_edge_against_time_is_a_loss() -> None:
    trace = pair()
    event(trace, "ask")["t"] = 0.5
    (emitted,) = chrome.write([run_of(trace)])
    ((_, losses),) = emitted.losses
    assert "ask" in [loss.place for loss in losses if loss.kind == "dropped"]


@settings(max_examples=120, deadline=None)
@given(run=runs())
def test_every_event_has_a_slice_and_slices_of_a_track_nest(run: Run) -> None:
    events = events_of(run)
    slices = [one for one in events if one["ph"] == "X"]
    shown = [one["args"]["id"] for one in slices if one["args"]]
    assert sorted(shown) == sorted(one.id for one in run.events)
    assert all(isinstance(one["ts"], int) and one["dur"] >= 0 for one in slices)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=20))
def test_slices_of_a_track_follow_or_contain_each_other(pairs: list[tuple[int, int]]) -> None:
    slices = [Slice(start, start + length, place) for place, (start, length) in enumerate(pairs)]
    found = tracks(slices)
    assert sorted(one for track in found for one in track) == sorted(slices)
    for track in found:
        for position, one in enumerate(track):
            for other in track[position + 1 :]:
                assert other.start >= one.end or other.end <= one.end
        assert all(one.start <= other.start for one, other in pairwise(track))
