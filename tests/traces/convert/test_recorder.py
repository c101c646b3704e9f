"""A trace in the making: who depends on what, whose tokens, names and results, which losses."""

import pytest

from corpus.traces.convert.events import QueuedEvent, in_order
from corpus.traces.convert.format import AMBIGUOUS
from corpus.traces.convert.recorder import Recorder, guess_topology
from corpus.traces.convert.usage import Usage
from tests.support.converted import Readable, each
from tests.support.recorded_traces import into

SMALL = Usage(input=5, output=1, model="small")
LARGE = Usage(input=7, model="large")


@pytest.fixture
def draft():
    return Recorder("run 1", "test", Readable())


def causes(trace, event):
    return [cause["id"] for cause, _ in into(trace, event)]


def edges(trace):
    return [(edge["src"], edge["dst"], edge["type"]) for edge in trace["edges"]]


def test_an_event_with_tokens_of_two_models_names_neither(draft):
    draft.at(0.0).step("a", SMALL)
    draft.at(0.0).add("tool_call", "a", (), LARGE)
    found = draft.finish()
    assert "x_model" not in found.trace["events"][0]
    assert found.trace["costs"]["tokens"] == 13
    assert [loss.kind for loss in found.losses] == [AMBIGUOUS]


def test_a_waiting_step_without_a_time_begins_at_the_first_known_one(draft):
    draft.at(None).step("a")
    draft.step("b")
    draft.settle("b")
    draft.at(1700000000.0).add("message", "c")
    trace = draft.finish().trace
    assert [event["t"] for event in trace["events"]] == [0.0, 0.0, 0.0]


def test_an_edge_leads_to_another_event_and_is_there_once(draft):
    one, other = draft.at(0.0).add("message", "a"), draft.at(1.0).add("tool_call", "b")
    draft.link(one, one)
    draft.link(one, other)
    draft.link(one, other)
    assert edges(draft.finish().trace) == [("e1", "e2", "message")]


@pytest.mark.parametrize("nothing", ["", None, [], {}])
def test_a_task_without_content_is_unknown_and_no_later_prompt_takes_its_place(draft, nothing):
    draft.at(0.0).prompt("main", nothing)
    draft.at(1.0).prompt("main", "go")
    trace = draft.finish().trace
    assert each(trace, "human_intervention", "role") == ["task", "user"]
    assert trace["task_id"] == "unknown"


def at(*times):
    return [QueuedEvent("message", "a", time) for time in times]


def test_where_causes_run_in_a_circle_the_clock_decides():
    late, one, other = events = at(2, 1, 1)
    other.causes[one] = one.causes[other] = False
    assert in_order(events) == [one, other, late]


def spawn(agent, to):
    return {"type": "spawn", "agent": agent, "to": to}


def message(agent, to, **more):
    return {"type": "message", "agent": agent, "to": to, **more}


@pytest.mark.parametrize(
    ("events", "topology"),
    [
        ([], "unknown"),
        ([spawn("a", "b"), spawn("a", "c")], "centralized"),
        ([spawn("a", "b"), spawn("b", "c")], "hierarchical"),
        ([message("a", "b")], "swarm"),
        ([spawn("a", "b"), message("b", "a"), message("a", "b")], "centralized"),
        ([spawn("a", "b"), spawn("a", "c"), message("b", "c")], "mixed"),
        ([message("a", "user"), message("human", "a"), message("a", "a")], "unknown"),
        ([message("a", "b", x_inferred=["t", "to"])], "unknown"),
        ([message("a", "b", x_inferred=True)], "unknown"),
        ([message("a", "b", x_inferred=["t"])], "swarm"),
        ([{"type": "spawn", "agent": "a"}, {"type": "message", "agent": "a"}], "unknown"),
    ],
)
def test_the_topology_is_what_stated_spawns_and_messages_draw(events, topology):
    assert guess_topology(events) == topology
