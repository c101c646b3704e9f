"""What agents and people do, as events that depend on what they follow from."""

from typing import Any

import pytest

from corpus.traces.convert.names import USER
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.usage import Usage
from tests.support.converted import Readable
from tests.support.recorded_traces import into, kinds, only

TASK_ID = "go"


@pytest.fixture
def actions():
    return Recorder("r", "test", Readable())


def trace_of(actions: Recorder) -> dict[str, Any]:
    return actions.finish().trace


def causes(trace: dict[str, Any], event: dict[str, Any]) -> list[tuple[str, str]]:
    return [(cause["type"], edge) for cause, edge in into(trace, event)]


def test_the_first_prompt_is_the_task(actions):
    actions.prompt("main", 0.0, "go")
    actions.prompt("main", 1.0, "on")
    trace = trace_of(actions)
    asked = [(one["agent"], one["role"], one["to"], one["content_ref"]) for one in trace["events"]]
    assert asked == [(USER, "task", "main", "go"), (USER, "user", "main", "on")]
    assert trace["task_id"] == TASK_ID


@pytest.mark.parametrize("nothing", ["", None, [], {}])
def test_a_task_without_content_is_unknown_and_no_later_prompt_takes_its_place(actions, nothing):
    actions.prompt("main", 0.0, nothing)
    actions.prompt("main", 1.0, "go")
    trace = trace_of(actions)
    assert [one["role"] for one in trace["events"]] == ["task", "user"]
    assert trace["task_id"] == "unknown"


def test_a_run_that_begins_with_an_interruption_has_no_task(actions):
    actions.interrupt("main", 0.0, "stop")
    actions.prompt("main", 1.0, "go")
    trace = trace_of(actions)
    assert [one["role"] for one in trace["events"]] == ["interrupt", "user"]
    assert trace["task_id"] == "unknown"


def test_an_interruption_follows_from_the_work_and_not_from_the_prompt(actions):
    actions.prompt("main", 0.0, "go")
    actions.step("main", 1.0)
    call = actions.tool_call("main", 2.0, "shell", "c", "ls")
    actions.tool_result(call, 3.0, "a.txt")
    actions.step("main", 4.0)
    actions.interrupt("main", 5.0)
    trace = trace_of(actions)
    assert kinds(trace, "main") == ["tool_call", "tool_result", "orchestrator_decision"]
    last = only(trace, role="interrupt")
    assert causes(trace, last) == [("orchestrator_decision", "causal")]


def test_a_tool_answers_its_call(actions):
    call = actions.tool_call("main", 0.0, "shell", "c1", {"cmd": "ls"}, usage=Usage(output=3))
    actions.tool_result(call, 1.0, "a.txt", failed=True, marks=("t",))
    actions.step("main", 2.0)
    actions.hand_back("main", USER, 2.0, "done")
    trace = trace_of(actions)
    asked, answer, back = trace["events"]
    assert (asked["tool"], asked["x_call_id"], asked["x_tokens"]) == ("shell", "c1", 3)
    assert asked["content_ref"] == '{"cmd": "ls"}'
    assert (answer["tool"], answer["x_call_id"], answer["x_error"]) == ("shell", "c1", True)
    assert (answer["content_ref"], answer["x_inferred"]) == ("a.txt", ["t"])
    assert causes(trace, answer) == [("tool_call", "tool_dependency")]
    assert causes(trace, back) == [("tool_result", "causal")]


def test_a_refused_call_has_a_safety_event_before_its_result(actions):
    call = actions.tool_call("main", 0.0, "shell", "c1", "rm")
    actions.tool_result(call, 1.0, "no", refused=True)
    trace = trace_of(actions)
    assert kinds(trace) == ["tool_call", "safety_event", "tool_result"]
    assert causes(trace, trace["events"][1]) == [("tool_call", "safety_flow")]
    assert causes(trace, trace["events"][2]) == [("safety_event", "safety_flow")]
    assert (trace["events"][1]["tool"], trace["events"][2]["x_call_id"]) == ("shell", "c1")
    assert "x_error" not in trace["events"][2]


def test_calls_with_one_written_id_have_ids_of_their_own(actions):
    """Models number their calls anew for each agent, some for each step."""
    calls = [actions.tool_call(agent, 0.0, "shell", "call_1", "ls") for agent in "aab"]
    for call in reversed(calls):
        actions.tool_result(call, 1.0, None)
    events = trace_of(actions)["events"]
    assert [event["x_call_id"] for event in events[:3]] == ["call_1", "call_1.2", "call_1.3"]
    assert [event["x_call_id"] for event in events[3:]] == ["call_1.3", "call_1.2", "call_1"]


def test_a_call_without_an_id_gets_one_that_its_result_has(actions):
    for time in (0.0, 2.0):
        call = actions.tool_call("main", time, "shell", "", "ls")
        actions.tool_result(call, time + 1, None)
    trace = trace_of(actions)
    ids = [event["x_call_id"] for event in trace["events"]]
    assert ids == ["call-1", "call-1", "call-2", "call-2"]
    for answer in trace["events"][1::2]:
        assert ("tool_call", "tool_dependency") in causes(trace, answer)


def test_a_spawned_agent_depends_on_its_spawn(actions):
    actions.step("main", 0.0)
    actions.settle("main", ())
    actions.spawn("main", "kid", 0.0, "c1", "look", "finder")
    actions.spawn("main", "guess", 0.0, "c2", marks=("to",), guessed=True)
    for agent in ("kid", "guess"):
        actions.step(agent, 1.0)
        actions.hand_back(agent, "main", 2.0, None)
    trace = trace_of(actions)
    spawn = only(trace, type="spawn", to="kid")
    assert (spawn["role"], spawn["content_ref"], spawn["x_call_id"]) == ("finder", "look", "c1")
    assert causes(trace, spawn) == [("orchestrator_decision", "spawn")]
    back = only(trace, type="return", agent="kid")
    assert causes(trace, back) == [("spawn", "spawn")]
    assert "x_inferred" not in back
    guessed = only(trace, type="spawn", to="guess")
    assert (guessed["x_inferred"], "role" in guessed) == (["to"], False)
    assert only(trace, type="return", agent="guess")["x_inferred"] == [f"edge:{guessed['id']}"]


def test_a_message_leads_to_the_next_step_of_its_receiver(actions):
    actions.tool_call("b", 0.0, "shell", "c", "ls")
    actions.message("a", "b", 1.0, "hello", x_extra=1)
    actions.step("b", 2.0)
    actions.message("b", "a", 3.0, "hi")
    trace = trace_of(actions)
    first, second = (event for event in trace["events"] if event["type"] == "message")
    assert (first["from"], first["to"], first["x_extra"]) == ("a", "b", 1)
    assert causes(trace, second) == [("tool_call", "causal"), ("message", "message")]


def test_an_answer_to_a_person_leads_to_the_next_prompt(actions):
    actions.prompt("main", 0.0, "go")
    actions.step("main", 1.0)
    actions.hand_back("main", USER, 1.0, "done", x_error=None)
    actions.prompt("main", 2.0, "on")
    trace = trace_of(actions)
    again = only(trace, role="user")
    assert ("return", "return") in causes(trace, again)


def test_a_return_waits_for_all_that_the_agent_has_called(actions):
    calls = [actions.tool_call("kid", 0.0, "shell", name, "ls") for name in ("c1", "c2")]
    for call in calls:
        actions.tool_result(call, 1.0, None)
    actions.hand_back("kid", "main", 2.0, "done")
    # The parent reads it where a converter tells, which may be much later.
    actions.tool_call("main", 3.0, "shell", "c3", "ls")
    trace = trace_of(actions)
    back = only(trace, type="return")
    assert (back["from"], back["to"]) == ("kid", "main")
    assert causes(trace, back) == [("tool_result", "causal")] * 2
    assert causes(trace, trace["events"][-1]) == []


def test_names_and_content_leave_as_hashes():
    actions = Recorder("r", "test", Redaction())
    actions.tool_call("main", 0.0, "/home/ada/run", "a b", "launch 4711")
    written = str(trace_of(actions))
    assert all(part not in written for part in ("ada", "a b", "4711"))
