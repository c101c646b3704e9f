"""Chat messages: what the turns of a conversation become."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.traces.convert.conversations.openai_chat import FORMAT, recognise
from tests.support.converted import converted, lost, recorded, shown, stop_of
from tests.support.recorded_talks import chat_row

Message = dict[str, Any]


def says(role: str, content: object = "words", **more: Any) -> Message:
    return {"role": role, "content": content, **more}


def calls(*names: str, **more: Any) -> Message:
    found = [{"id": name, "function": {"name": f"f-{name}", "arguments": "{}"}} for name in names]
    return says("assistant", None, tool_calls=found, **more)


ASKED = says("user")
TASK = ("human_intervention", "user", "assistant")


def test_an_answer_is_what_comes_before_a_person_or_the_end() -> None:
    talk = [ASKED, says("assistant"), says("assistant"), ASKED, says("assistant")]
    (found,) = converted(FORMAT, {"messages": talk})
    assert shown(found.trace, "to", "t", "x_steps") == [
        (*TASK, 0.0, None),
        # The first of two turns in a row is no answer yet.
        ("orchestrator_decision", "assistant", None, 1.0, 1),
        ("return", "assistant", "user", 2.0, 1),
        (*TASK, 3.0, None),
        ("return", "assistant", "user", 4.0, 1),
    ]
    assert [event.get("role") for event in found.trace["events"]][::3] == ["task", "user"]


@pytest.mark.parametrize(
    ("last", "stop"),
    [(says("assistant"), "implicit"), (ASKED, "truncated"), (calls("c"), "truncated")],
)
def test_a_conversation_without_a_last_answer_is_cut_short(last: Message, stop: str) -> None:
    (found,) = converted(FORMAT, {"messages": [ASKED, says("assistant"), last]})
    assert stop_of(found.trace) == stop


def test_results_answer_calls_by_id_in_the_older_form_by_the_function() -> None:
    older = says("assistant", None, function_call={"name": "sum", "arguments": "{}"})
    results = [says("tool", tool_call_id="b"), says("tool", tool_call_id="a")]
    talk = [ASKED, calls("a", "b"), *results, older, says("function", name="sum")]
    (found,) = converted(FORMAT, {"messages": talk})
    assert shown(found.trace, "tool", "x_call_id", "x_steps")[1:] == [
        ("tool_call", "assistant", "f-a", "a", 1),
        ("tool_call", "assistant", "f-b", "b", None),
        ("tool_result", "assistant", "f-b", "b", None),
        ("tool_result", "assistant", "f-a", "a", None),
        ("tool_call", "assistant", "sum", "sum", 1),
        ("tool_result", "assistant", "sum", "sum", None),
    ]


def test_a_result_goes_to_the_agent_that_called() -> None:
    talk = [
        ASKED,
        calls("a", name="one"),
        says("assistant", name="two"),
        says("tool", tool_call_id="a"),
    ]
    (found,) = converted(FORMAT, {"messages": talk})
    assert shown(found.trace)[-1] == ("tool_result", "one")


def test_a_result_without_its_call_is_a_loss() -> None:
    (found,) = converted(FORMAT, {"messages": [ASKED, calls("a"), says("tool", tool_call_id="z")]})
    assert lost(found, "whose call is not in the input") == [("dropped", 1)]


def test_custom_tools_are_calls_as_well() -> None:
    call = {"id": "c", "type": "custom", "custom": {"name": "grep", "input": "x"}}
    (found,) = converted(
        FORMAT, {"messages": [ASKED, says("assistant", tool_calls=[call])]}, redact=False
    )
    assert shown(found.trace, "tool", "content_ref")[1:] == [
        ("tool_call", "assistant", "grep", "x")
    ]


@pytest.mark.parametrize("person", ["user", "User_Proxy", "admin", "human", ""])
def test_named_agents_take_turns_and_people_do_not(person: str) -> None:
    """Teams write who is an agent as a name, whatever the role."""
    talk = [
        says("user", name=person),
        says("assistant", name="Coder"),
        says("user", name="Critic"),
        says("assistant", name="Coder"),
        says("user", name=person),
    ]
    (found,) = converted(FORMAT, {"messages": talk})
    assert shown(found.trace, "to") == [
        ("human_intervention", "user", "Coder"),
        ("message", "Coder", "Critic"),
        ("message", "Critic", "Coder"),
        ("return", "Coder", "user"),
        # Nobody answers: the prompt is for the agent of a conversation without names.
        ("human_intervention", "user", "assistant"),
    ]
    assert lost(found, "message to the next speaker") == [("inferred", 2)]


def test_roles_without_a_meaning_are_counted_as_lost() -> None:
    talk = [says("system"), says("developer"), ASKED, says("critic"), {}, says("assistant")]
    (found,) = converted(FORMAT, {"messages": talk})
    assert [kind for kind, *_ in shown(found.trace)] == ["human_intervention", "return"]
    assert lost(found, "type critic") == lost(found, "type none") == [("dropped", 1)]


@pytest.mark.parametrize("name", ["id", "conversation_id", "thread_id"])
def test_the_id_is_that_of_the_conversation(name: str) -> None:
    (found,) = converted(FORMAT, {name: "talk-1", "messages": [ASKED]})
    assert found.trace["trace_id"] == "talk-1"


def test_lists_of_conversations_are_one_trace_each() -> None:
    found = converted(FORMAT, [chat_row(), chat_row()], chat_row(), [ASKED], {"messages": []})
    assert len({one.trace["trace_id"] for one in found}) == len(found) == 4


def test_every_message_has_to_have_a_role_that_is_known() -> None:
    assert recognise(recorded({"messages": [ASKED, says("assistant")]}))
    assert recognise(recorded([ASKED, says("tool")]))
    assert not recognise(recorded({"messages": [ASKED, says("critic"), says("assistant")]}))
    assert not recognise(recorded({"messages": [ASKED, ASKED]}))
    assert not recognise(recorded({"messages": [says("assistant")]}))
    assert not recognise(recorded({"messages": [{}, says("assistant")]}))


def test_what_was_written_is_the_content() -> None:
    talk = [
        says("user", [{"type": "text", "text": "go"}]),
        calls("a"),
        says("tool", "out", tool_call_id="a"),
    ]
    talk += [says("assistant", "one", name="A"), says("assistant", "two", name="B")]
    (found,) = converted(FORMAT, {"messages": talk}, redact=False)
    words = [event.get("content_ref") for event in found.trace["events"]]
    assert words == ["go", "{}", "out", "one", "two"]
