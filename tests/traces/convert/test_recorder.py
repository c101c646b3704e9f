"""A trace in the making: who depends on what, whose tokens, which losses."""

import pytest

from corpus.traces.convert.format import AMBIGUOUS, INFERRED
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.usage import Usage
from tests.support.converted import Readable
from tests.support.recorded_traces import into, kinds

SMALL = Usage(input=5, output=1, model="small")
LARGE = Usage(input=7, model="large")


@pytest.fixture
def draft():
    return Recorder("run 1", "test", Readable())


def causes(trace, event):
    return [cause["id"] for cause, _ in into(trace, event)]


def edges(trace):
    return [(edge["src"], edge["dst"], edge["type"]) for edge in trace["edges"]]


def test_a_step_of_another_model_leaves_the_one_that_waits_an_event_of_its_own(draft):
    draft.at(0.0).step("a", SMALL)
    draft.at(1.0).step("a", LARGE)
    draft.at(2.0).add("tool_call", "a")
    found = draft.finish()
    assert kinds(found.trace) == ["orchestrator_decision", "tool_call"]
    assert [event["x_model"] for event in found.trace["events"]] == ["small", "large"]
    assert found.trace["events"][0]["x_inferred"] == ["type"]
    assert [loss.kind for loss in found.losses] == [INFERRED]


def test_an_event_with_tokens_of_two_models_names_neither(draft):
    draft.at(0.0).step("a", SMALL)
    draft.at(0.0).add("tool_call", "a", (), LARGE)
    found = draft.finish()
    assert "x_model" not in found.trace["events"][0]
    assert found.trace["costs"]["tokens"] == 13
    assert [loss.kind for loss in found.losses] == [AMBIGUOUS]


def test_a_waiting_step_without_a_time_begins_at_the_first_known_one(draft):
    draft.at(None).step("a")
    draft.at(1700000000.0).add("message", "c")
    trace = draft.finish().trace
    assert [event["t"] for event in trace["events"]] == [0.0, 0.0]


def test_an_event_depends_once_on_what_its_agent_has_seen_and_was_sent(draft):
    first = draft.at(0.0).add("tool_call", "a")
    draft.at(0.0).add("tool_call", "a")
    sent = draft.at(0.5).add("tool_call", "b")
    draft.close("a")
    for known in (sent, sent, first):
        draft.seed("a", known)
    draft.at(1.0).add("tool_call", "a")
    trace = draft.finish().trace
    assert causes(trace, trace["events"][3]) == ["e1", "e2", "e3"]


def test_an_edge_leads_to_another_event_and_is_there_once(draft):
    one, other = draft.at(0.0).add("message", "a"), draft.at(1.0).add("tool_call", "b")
    draft.link(one, one)
    draft.link(one, other)
    draft.link(one, other)
    assert edges(draft.finish().trace) == [("e1", "e2", "message")]
