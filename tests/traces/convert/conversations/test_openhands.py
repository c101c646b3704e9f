"""OpenHands: what its actions and observations become."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.traces.convert.conversations.openhands import FORMAT, recognise
from tests.support.converted import converted, lost, recorded, shown, stop_of
from tests.support.recorded_traces import only

Event = dict[str, Any]


def did(number: int, action: str, source: str = "agent", **args: Any) -> Event:
    return {"id": number, "source": source, "action": action, "args": args}


def saw(number: int, cause: int, observation: str, **extras: Any) -> Event:
    event = {"id": number, "source": "environment", "cause": cause, "observation": observation}
    return {**event, "content": "out", "extras": extras}


def asked(number: int = 0) -> Event:
    return did(number, "message", "user", content="go")


def ran(**observation: Any) -> list[Event]:
    return [asked(), did(1, "run", command="x"), {**saw(2, 1, "run"), **observation}]


@pytest.mark.parametrize(
    ("observation", "failed"),
    [
        ({"extras": {"metadata": {"exit_code": 0}}, "success": True}, False),
        ({"extras": {"metadata": {"exit_code": 1}}, "success": False}, True),
        ({"extras": {"exit_code": 2}}, True),
        ({"extras": {"metadata": {"exit_code": True}}}, False),
        ({"extras": {}, "success": False}, True),
        ({"extras": {}}, False),
    ],
)
def test_the_exit_code_tells_whether_a_command_failed(observation: Event, failed: bool) -> None:
    (found,) = converted(FORMAT, ran(**observation))
    assert only(found.trace, type="tool_result").get("x_error") == (failed or None)
    assert lost(found, "exit code was not seen") == []


def test_a_command_that_is_still_running_has_not_failed() -> None:
    """OpenHands writes -1 for it, and `success` as false, since that is not 0."""
    waiting = {"extras": {"metadata": {"exit_code": -1}}, "success": False}
    (found,) = converted(FORMAT, ran(**waiting))
    assert "x_error" not in only(found.trace, type="tool_result")
    assert lost(found, "exit code was not seen") == [("ambiguous", 1)]


def test_an_action_that_a_person_rejects_meets_a_safety_event() -> None:
    events = [asked(), did(1, "run"), saw(2, 1, "user_rejected"), did(3, "run"), saw(4, 3, "error")]
    (found,) = converted(FORMAT, events)
    assert shown(found.trace, "tool", "x_error")[1:] == [
        ("tool_call", "main", "run", None),
        ("safety_event", "main", "run", None),
        ("tool_result", "main", "run", True),
        ("tool_call", "main", "run", None),
        ("tool_result", "main", "run", True),
    ]


def test_what_a_delegate_does_lies_between_its_spawn_and_return() -> None:
    events = [
        asked(),
        did(1, "delegate", agent="Browser", inputs={"task": "read"}),
        did(2, "browse"),
        # Its answer to the delegate's own caller is the observation below, not these two.
        did(3, "message", content="half"),
        did(4, "finish", outputs={"text": "all"}),
        saw(5, 2, "browse"),
        saw(6, 1, "delegate", outputs={}),
        did(7, "finish", final_thought="done"),
    ]
    (found,) = converted(FORMAT, events)
    assert shown(found.trace, "to") == [
        ("human_intervention", "user", "main"),
        ("orchestrator_decision", "main", None),
        ("spawn", "main", "Browser"),
        ("tool_call", "Browser", None),
        ("orchestrator_decision", "Browser", None),
        ("tool_result", "Browser", None),
        ("return", "Browser", "main"),
        ("aggregate", "main", None),
        ("return", "main", "user"),
    ]
    assert stop_of(found.trace) == "explicit"


def test_a_delegate_that_does_not_come_back_leaves_the_run_cut_short() -> None:
    events = [asked(), did(1, "delegate", agent="Browser"), did(2, "finish")]
    (found,) = converted(FORMAT, events)
    assert stop_of(found.trace) == "truncated"


def test_an_answer_ends_the_run_until_a_person_asks_again() -> None:
    said = did(1, "message", content="done")
    (ended,) = converted(FORMAT, [asked(), said])
    assert stop_of(ended.trace) == "implicit"
    (again,) = converted(FORMAT, [asked(), said, asked(2)])
    assert stop_of(again.trace) == "truncated"
    assert [event["role"] for event in again.trace["events"] if "role" in event] == ["task", "user"]


def test_actions_of_one_answer_of_the_model_are_one_step() -> None:
    def by(answer: str, call: str) -> Event:
        usage = {"prompt_tokens": 5, "completion_tokens": 1}
        response = {"id": answer, "usage": usage, "model": "m"}
        return {"tool_call_metadata": {"tool_call_id": call, "model_response": response}}

    events = [
        asked(),
        {**did(1, "run"), **by("r1", "c1")},
        {**did(2, "read"), **by("r1", "c2")},
        {**saw(3, 2, "read"), **by("r1", "c2")},
        {**saw(4, 1, "run"), **by("r1", "c1")},
        {**did(5, "finish"), **by("r2", "c3")},
    ]
    (found,) = converted(FORMAT, events)
    assert shown(found.trace, "x_call_id", "x_steps", "x_tokens")[1:] == [
        ("tool_call", "main", "c1", 1, 6),
        ("tool_call", "main", "c2", None, None),
        ("tool_result", "main", "c2", None, None),
        ("tool_result", "main", "c1", None, None),
        ("return", "main", None, 1, 6),
    ]


def test_without_ids_an_observation_is_that_of_the_event_which_caused_it() -> None:
    events = [asked(), did(1, "run"), did(2, "read"), saw(3, 2, "read"), saw(4, 9, "run")]
    (found,) = converted(FORMAT, events)
    assert shown(found.trace, "x_call_id")[1:] == [
        ("tool_call", "main", "event-1"),
        ("tool_call", "main", "event-2"),
        ("tool_result", "main", "event-2"),
    ]
    assert lost(found, "type observation run") == [("dropped", 1)]


def test_what_is_neither_asked_nor_done_by_the_agent_is_counted_as_lost() -> None:
    events = [asked(), did(1, "condensation"), did(2, "run", "user"), {"id": 3}, saw(4, 0, "null")]
    (found,) = converted(FORMAT, [*events, did(5, "message", content="ok")])
    dropped = [loss.what for loss in found.losses if "of the type" in loss.what]
    assert dropped == [
        "events of the type action condensation",
        "events of the type action run",
        "events of the type none",
        "events of the type observation null",
    ]


def test_one_event_alone_may_be_a_coincidence() -> None:
    assert not recognise(recorded([asked()]))
    assert recognise(recorded([asked(), did(1, "run")]))
    assert recognise(recorded({"history": [asked(), saw(1, 0, "run")]}))
    assert not recognise(recorded([{**asked(), "source": "robot"}, {**asked(), "args": None}]))


def test_what_was_asked_and_answered_is_the_content() -> None:
    events = [
        asked(),
        did(1, "run", command="ls"),
        saw(2, 1, "run"),
        did(3, "delegate", agent="Browser", inputs="read"),
        saw(4, 3, "delegate"),
        did(5, "finish", outputs={}, final_thought="done"),
    ]
    (found,) = converted(FORMAT, events, redact=False)
    assert shown(found.trace, "content_ref", "role") == [
        ("human_intervention", "user", "go", "task"),
        ("tool_call", "main", '{"command": "ls"}', None),
        ("tool_result", "main", "out", None),
        ("orchestrator_decision", "main", None, None),
        ("spawn", "main", "read", "Browser"),
        ("return", "Browser", "out", None),
        ("aggregate", "main", None, None),
        ("return", "main", "done", None),
    ]
    (said,) = converted(FORMAT, [asked(), did(1, "message", content="hello")], redact=False)
    assert said.trace["events"][-1]["content_ref"] == "hello"


def test_tokens_are_sorted_by_kind_and_model() -> None:
    usage = {
        "prompt_tokens": 50,
        "prompt_tokens_details": {"cached_tokens": 30},
        "cache_creation_input_tokens": 5,
        "completion_tokens": 7,
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    response = {"id": "r", "usage": usage, "model": "m"}
    event = {**did(1, "run"), "tool_call_metadata": {"model_response": response}}
    bare = {**did(2, "run"), "tool_call_metadata": {"model_response": {"id": "s", "model": "n"}}}
    (found,) = converted(FORMAT, [asked(), event, bare])
    kinds = ("input", "cached", "cache_write", "output", "reasoning")
    tokens = shown(found.trace, "x_model", *(f"x_tokens_{kind}" for kind in kinds))
    assert [one[2:] for one in tokens[1:]] == [("m", 15, 30, 5, 7, 2), ("n", *[None] * 5)]


def test_two_calls_of_one_id_get_both_of_their_results() -> None:
    def by(call: str) -> Event:
        return {"tool_call_metadata": {"tool_call_id": call, "model_response": {"id": "r"}}}

    events = [asked(), {**did(1, "run"), **by("c")}, {**did(2, "read"), **by("c")}]
    events += [{**saw(3, 1, "run"), **by("c")}, {**saw(4, 2, "read"), **by("c")}]
    events += [{**saw(5, 2, "read"), **by("c")}, did(6, "finish")]
    (found,) = converted(FORMAT, events)
    results = [event["tool"] for event in found.trace["events"] if event["type"] == "tool_result"]
    assert results == ["run", "read"]
    assert lost(found, "whose call is not in the input") == [("dropped", 1)]
    assert stop_of(found.trace) == "explicit"
