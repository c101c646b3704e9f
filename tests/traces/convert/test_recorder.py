"""A trace in the making: who depends on what, whose tokens, which losses."""

from typing import Any

import pytest

from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, Loss
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.usage import Usage
from tests.support.converted import Readable
from tests.support.recorded_traces import into, kinds, only

SMALL = Usage(input=5, output=1, model="small")
LARGE = Usage(input=7, model="large")


@pytest.fixture
def draft():
    return Recorder("run 1", "test", Readable())


def causes(trace: dict[str, Any], event: dict[str, Any]) -> list[str]:
    return [cause["id"] for cause, _ in into(trace, event)]


def edges(trace: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(edge["src"], edge["dst"], edge["type"]) for edge in trace["edges"]]


def test_an_empty_draft_is_a_trace_without_events():
    found = Recorder("", "test", Redaction()).finish()
    assert found.losses == ()
    assert found.trace == {
        "trace_id": "unnamed",
        "task_id": "unknown",
        "system": "test",
        "topology": "unknown",
        "events": [],
        "edges": [],
        "rewards": {},
        "costs": {"tokens": 0, "wall_clock_s": 0.0, "tool_calls": 0, "messages": 0},
        "metrics": {"corpus.steps": 0},
    }


def test_calls_of_one_step_are_siblings_and_the_next_step_waits_for_all(draft):
    draft.step("a", 0.0)
    for _ in range(2):
        call = draft.add("tool_call", "a", 0.0)
        draft.answer(call, "tool_result", "a", 1.0)
    draft.step("a", 2.0)
    draft.add("tool_call", "a", 2.0)
    assert edges(draft.finish().trace) == [
        ("e1", "e3", "tool_dependency"),
        ("e2", "e4", "tool_dependency"),
        ("e3", "e5", "causal"),
        ("e4", "e5", "causal"),
    ]


def test_after_a_decision_the_next_event_depends_on_it_alone(draft):
    draft.add("tool_call", "a", 0.0)
    draft.step("a", 1.0)
    draft.settle("a", ())
    draft.add("spawn", "a", 1.0)
    draft.add("spawn", "a", 1.0)
    assert edges(draft.finish().trace) == [
        ("e1", "e2", "causal"),
        ("e2", "e3", "spawn"),
        ("e2", "e4", "spawn"),
    ]


def test_an_event_takes_up_the_steps_that_wait_with_their_tokens(draft):
    draft.step("a", 0.0, SMALL)
    draft.step("a", 1.0, SMALL)
    assert (draft.tokens, len(draft)) == (12, 0)
    draft.add("tool_call", "a", 2.0, (), SMALL)
    (event,) = draft.finish().trace["events"]
    assert (event["x_steps"], event["x_tokens"], event["x_tokens_output"]) == (2, 18, 3)
    assert (event["t"], event["x_model"], draft.tokens) == (0.0, "small", 18)


def test_a_step_of_another_model_leaves_the_one_that_waits_an_event_of_its_own(draft):
    draft.step("a", 0.0, SMALL)
    draft.step("a", 1.0, LARGE)
    draft.add("tool_call", "a", 2.0)
    found = draft.finish()
    assert kinds(found.trace) == ["orchestrator_decision", "tool_call"]
    assert [event["x_model"] for event in found.trace["events"]] == ["small", "large"]
    assert found.trace["events"][0]["x_inferred"] == ["type"]
    assert [loss.kind for loss in found.losses] == [INFERRED]


def test_an_event_with_tokens_of_two_models_names_neither(draft):
    draft.step("a", 0.0, SMALL)
    draft.add("tool_call", "a", 0.0, (), LARGE)
    found = draft.finish()
    assert "x_model" not in found.trace["events"][0]
    assert found.trace["costs"]["tokens"] == 13
    assert [loss.kind for loss in found.losses] == [AMBIGUOUS]


def test_late_tokens_go_to_the_waiting_step_else_to_the_last_one(draft):
    assert not draft.spend("a", SMALL)
    draft.step("a", 0.0)
    assert draft.spend("a", SMALL)
    draft.add("tool_call", "a", 0.0)
    draft.add("tool_call", "a", 0.0)
    assert draft.spend("a", SMALL)
    events = draft.finish().trace["events"]
    assert [event.get("x_tokens") for event in events] == [12, None]


def test_a_step_that_nothing_shows_is_a_decision_by_the_end(draft):
    draft.step("b", 1.0, until=3.0)
    draft.step("a", 1.0, until=1.0)
    found = draft.finish()
    events = found.trace["events"]
    assert [(event["agent"], event.get("x_end")) for event in events] == [("a", None), ("b", 2.0)]
    assert [event["x_inferred"] for event in events] == [["type"]] * 2
    assert found.trace["costs"]["wall_clock_s"] == 2.0
    assert [(loss.kind, loss.count) for loss in found.losses] == [(INFERRED, 2)]


def test_settling_without_a_waiting_step_does_nothing(draft):
    assert draft.settle("a") is None
    assert draft.finish().losses == ()


def test_a_missing_time_is_that_of_the_event_before_and_noted(draft):
    draft.add("tool_call", "a", 5.0)
    draft.add("message", "b", None)
    found = draft.finish()
    assert [event["t"] for event in found.trace["events"]] == [0.0, 0.0]
    assert [event.get("x_inferred") for event in found.trace["events"]] == [None, ["t"]]
    assert [(loss.kind, loss.place, loss.count) for loss in found.losses] == [(INFERRED, "b", 1)]


def test_what_begins_without_a_time_begins_at_the_first_known_one(draft):
    draft.add("message", "b", None)
    draft.step("a", None)
    draft.add("message", "c", 1_700_000_000.0)
    draft.add("tool_call", "a", 1_700_000_002.0)
    found = draft.finish()
    assert [(event["agent"], event["t"]) for event in found.trace["events"]] == [
        ("b", 0.0),
        ("c", 0.0),
        ("a", 2.0),
    ]
    assert found.trace["costs"]["wall_clock_s"] == 2.0
    assert [event.get("x_inferred") for event in found.trace["events"]] == [["t"], None, None]


def test_a_waiting_step_without_a_time_begins_at_the_first_known_one(draft):
    draft.step("a", None)
    draft.add("message", "c", 1_700_000_000.0)
    trace = draft.finish().trace
    assert [event["t"] for event in trace["events"]] == [0.0, 0.0]


def test_the_missing_time_of_a_step_is_noted_where_the_step_has_an_event(draft):
    draft.add("message", "b", 5.0)
    draft.step("a", None)
    draft.settle("a", ())
    found = draft.finish()
    assert only(found.trace, agent="a")["x_inferred"] == ["t"]
    assert [(loss.kind, loss.place) for loss in found.losses] == [(INFERRED, "a")]


def test_a_guessed_time_of_a_step_is_marked(draft):
    draft.step("a", 5.0, guessed=True)
    draft.settle("a", ())
    found = draft.finish()
    assert only(found.trace, agent="a")["x_inferred"] == ["t"]
    assert found.losses == (), "whoever guessed has noted it"


def test_without_a_clock_every_time_is_marked_and_the_duration_is_unknown(draft):
    draft.has_clock = False
    draft.add("message", "a", 3.0)
    draft.add("message", "a", None)
    draft.step("a", None)
    found = draft.finish()
    assert all("t" in event["x_inferred"] for event in found.trace["events"])
    assert found.trace["costs"]["wall_clock_s"] == 0
    assert [loss.count for loss in found.losses] == [1], "that of the step without an action"


def test_an_answer_takes_the_place_of_its_call(draft):
    call = draft.add("tool_call", "a", 0.0)
    assert not draft.answered(call)
    draft.answer(call, "tool_result", "a", 1.0, inferred=("t",), x_error=None, tool="")
    assert draft.answered(call)
    assert draft.frontier("a") == [1]
    answer = draft.finish().trace["events"][1]
    assert (answer["x_inferred"], "x_error" in answer, "tool" in answer) == (["t"], False, False)


def test_the_next_step_of_a_parent_depends_on_a_return_in_place_of_the_spawn(draft):
    spawn = draft.add("spawn", "a", 0.0)
    back = draft.add("return", "b", 1.0)
    draft.replace("a", spawn, back, inferred=True)
    draft.replace("a", spawn, back)
    assert draft.frontier("a") == [back]
    draft.step("a", 2.0)
    draft.add("aggregate", "a", 2.0)
    trace = draft.finish().trace
    assert causes(trace, trace["events"][2]) == ["e2"]
    assert trace["events"][2]["x_inferred"] == ["edge:e2"]


def test_an_inferred_event_needs_no_mark_for_its_edges(draft):
    other = draft.add("message", "b", 0.0)
    draft.seed("a", other, inferred=True)
    draft.add("aggregate", "a", 1.0, ("event",))
    assert draft.finish().trace["events"][1]["x_inferred"] is True


def test_what_an_agent_depends_on_can_be_set(draft):
    first = draft.add("tool_call", "a", 0.0)
    second = draft.add("tool_call", "a", 0.0)
    draft.close("a")
    third = draft.add("tool_call", "a", 1.0)
    draft.depend_on("a", [first])
    draft.add("tool_call", "a", 2.0)
    draft.seed("a", third)
    draft.seed("a", third)
    draft.add("tool_call", "a", 3.0)
    trace = draft.finish().trace
    assert [causes(trace, event) for event in trace["events"][2:]] == [
        [f"e{first + 1}", f"e{second + 1}"],
        [f"e{first + 1}"],
        [f"e{first + 1}", f"e{third + 1}"],
    ]


def test_an_edge_has_the_type_it_was_first_given_and_none_leads_to_itself(draft):
    one, other = draft.add("message", "a", 0.0), draft.add("tool_call", "b", 1.0)
    draft.link(one, one)
    draft.link(one, other, "causal")
    draft.link(one, other, "message")
    assert edges(draft.finish().trace) == [("e1", "e2", "causal")]


def test_an_effect_older_than_its_cause_loses_the_edge(draft):
    cause, effect = draft.add("message", "a", 2.0), draft.add("tool_call", "b", 1.0)
    draft.link(cause, effect)
    found = draft.finish()
    assert (found.trace["edges"], kinds(found.trace)) == ([], ["tool_call", "message"])
    assert [loss.kind for loss in found.losses] == [AMBIGUOUS]


def test_costs_are_those_of_the_events(draft):
    draft.metrics["task_success"] = 1
    draft.step("a", 100.0, SMALL)
    draft.add("tool_call", "a", 101.0, x_end=104.5)
    draft.add("message", "a", 103.0)
    trace = draft.finish().trace
    costs = {"tokens": 6, "wall_clock_s": 3.5, "tool_calls": 1, "messages": 1}
    assert trace["costs"] == costs
    assert trace["metrics"] == {"corpus.steps": 1, "task_success": 1}


@pytest.mark.parametrize(
    ("reason", "ends"), [("implicit", 1), ("explicit", 1), ("truncated", 3), ("external", 3)]
)
def test_a_run_that_ends_by_itself_ends_with_its_last_answer(draft, reason, ends):
    draft.run["version"] = "1"
    draft.run["limit"] = ""
    draft.stop_reason = reason
    draft.add("return", "a", 0.0, to="user")
    draft.add("return", "a", 1.0, to="user")
    draft.add("return", "b", 2.0, to="a")
    draft.add("tool_call", "b", 3.0)
    events = draft.finish().trace["events"]
    assert [event.get("x_stop_reason") for event in events].index(reason) == ends
    assert [event.get("x_run") for event in events] == [
        {"format": "test", "version": "1"},
        *[None] * 3,
    ]


def test_losses_are_ordered_by_kind_and_words(draft):
    for kind, what in ((AMBIGUOUS, "a"), (DROPPED, "b"), (INFERRED, "d"), (DROPPED, "a")):
        draft.lose(Loss(kind, "x", what))
    losses = [(loss.kind, loss.what) for loss in draft.finish().losses]
    assert losses == [(INFERRED, "d"), (DROPPED, "a"), (DROPPED, "b"), (AMBIGUOUS, "a")]


def test_the_id_of_the_task_is_the_hash_of_what_was_asked():
    draft = Recorder("run 1", "test", Redaction())
    draft.task = "go"
    trace = draft.finish().trace
    assert (trace["trace_id"], trace["task_id"]) == (
        "id-b945d8cb026e",
        Redaction().content("go", "user"),
    )
