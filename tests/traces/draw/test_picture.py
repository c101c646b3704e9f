"""What a picture shows, before any ink: lanes, positions, arrows, paths."""

import json
from itertools import pairwise

from corpus.traces.draw.picture import LANES, Picture
from corpus.traces.draw.time_axis import STEP
from tests.support.made_traces import event, pair, run_of
from tests.support.trace_commands import FILES


def drawn(trace):
    return Picture(run_of(trace))


def test_no_two_events_of_a_lane_overlap_and_time_never_runs_back():
    for path in FILES:
        trace = json.loads(path.read_text(encoding="utf-8"))
        marks = drawn(trace).marks
        for row in {mark.lane for mark in marks}:
            places = sorted(mark.x for mark in marks if mark.lane == row)
            assert all(after - before >= STEP - 1e-9 for before, after in pairwise(places))
        timed = sorted(
            zip((one["t"] for one in trace["events"]), (mark.x for mark in marks), strict=True)
        )
        starts: dict[float, list[float]] = {}
        for moment, x in timed:
            starts.setdefault(moment, []).append(x)
        rows = list(starts.values())
        assert all(max(one) < min(other) for one, other in pairwise(rows))


def test_inferred_edges_and_events_are_marked():
    trace = pair()
    event(trace, "ask")["x_inferred"] = ["edge:make-ann"]
    event(trace, "bob-done")["x_inferred"] = True
    found = drawn(trace)
    doubtful = {
        (trace["events"][arrow.source]["id"], arrow.lane)
        for arrow in found.arrows
        if arrow.inferred
    }
    assert doubtful == {("make-ann", 1), ("bob-done", 0), ("make-bob", 2)}
    assert [trace["events"][i]["id"] for i, mark in enumerate(found.marks) if mark.inferred] == [
        "bob-done"
    ]


def test_a_tool_that_answers_is_in_the_lane_of_its_caller():
    trace = pair()
    event(trace, "told")["agent"] = "shop"
    found = drawn(trace)
    assert len(found.lanes) == 3
    assert [work.label for work in found.work] == ["shop"]


def test_many_agents_of_one_role_and_spawner_share_a_lane():
    trace = pair()
    for number in range(40):
        child = {"id": f"s{number}", "t": 1, "type": "spawn", "agent": "lead", "to": f"w{number}"}
        back = {"id": f"r{number}", "t": 5, "type": "return", "agent": f"w{number}", "to": "lead"}
        trace["events"] += [child, back]
        trace["edges"] += [{"src": f"s{number}", "dst": f"r{number}", "type": "spawn"}]
    lanes = drawn(trace).lanes
    assert [lane.many for lane in lanes] == [False, False, False, True]
    assert [lane.name for lane in lanes] == ["lead", "ann", "bob", "40 × w"]
    assert len(lanes) <= LANES


def test_turns_are_not_called_seconds():
    trace = pair()
    for one in trace["events"]:
        one["x_inferred"] = ["t"]
    trace["costs"]["wall_clock_s"] = 0
    assert "turn" in drawn(trace).axis_label
    assert "time [s]" in drawn(pair()).axis_label


def test_a_guard_alone_has_one_lane():
    trace = pair()
    trace["events"] = [{"id": "g", "t": 0, "type": "safety_event", "agent": "guard"}]
    trace["edges"] = []
    assert [lane.name for lane in drawn(trace).lanes] == ["guard"]
