"""AutoGen teams: what their messages become."""

import pytest

from corpus.traces.convert.readers.autogen import FORMAT
from tests.support.converted import chain, converted, lost, one_run, recorded, shown, stop_of


def said(kind, source, content="words", **more):
    return {"type": kind, "source": source, "content": content, **more}


def result(*messages, stop_reason=None):
    return {"messages": list(messages), "stop_reason": stop_reason}


ASKED = said("TextMessage", "user")
TASK = ("human_intervention", "user", "writer")


def test_a_choice_of_speakers_leads_to_what_they_do():
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    choice = said("SelectSpeakerEvent", "boss", ["writer", 3], models_usage=usage)
    found = one_run(FORMAT, result(ASKED, choice, said("TextMessage", "writer")))
    assert shown(found.trace, "x_steps", "x_tokens") == [
        (*TASK[:2], None, None),
        ("orchestrator_decision", "boss", 1, 9),
        ("return", "writer", 1, None),
    ]
    assert ("orchestrator_decision", "causal", "return") in chain(found.trace)


@pytest.mark.parametrize(
    ("ran", "failed"),
    [
        ({"exit_code": 0}, None),
        ({"exit_code": 1}, True),
        # Python counts the signal that ended a process below 0.
        ({"exit_code": -9}, True),
        ({"exit_code": True}, None),
        ({}, None),
        ("text, before version 0.5", None),
    ],
)
def test_the_exit_code_tells_whether_code_failed(ran, failed):
    talk = [
        said("CodeGenerationEvent", "writer"),
        {**said("CodeExecutionEvent", "writer"), "result": ran},
    ]
    found = one_run(FORMAT, result(ASKED, *talk))
    assert shown(found.trace, "tool", "x_error")[1:] == [
        ("tool_call", "writer", "code_executor", None),
        ("tool_result", "writer", "code_executor", failed),
    ]
    assert lost(found, "answers the oldest") == [("inferred", 1)]


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("Maximum number of messages 7 reached, current message count: 7", "truncated"),
        ("Maximum number of turns 3 reached.", "truncated"),
        ("Token usage limit reached, total token count: 9", "truncated"),
        ("Timeout of 60 seconds reached", "truncated"),
        ("External termination requested", "external"),
        ("Text 'DONE' mentioned, Maximum number of messages 7 reached", "truncated"),
        # The words of a limit as a name or a text that the team agreed on.
        ("Text 'limit' mentioned", "explicit"),
        ("'token_counter' answered", "explicit"),
        ("Handoff to external_reviewer from writer detected.", "explicit"),
        ("", "implicit"),
        (None, "implicit"),
    ],
)
def test_the_reason_to_stop_tells_who_ended_the_run(reason, stop):
    found = one_run(FORMAT, result(ASKED, said("TextMessage", "writer"), stop_reason=reason))
    assert stop_of(found.trace) == stop


def test_a_stop_message_is_an_explicit_answer():
    found = one_run(FORMAT, result(ASKED, said("StopMessage", "writer")))
    assert shown(found.trace, "to")[-1] == ("return", "writer", "user")
    assert stop_of(found.trace) == "explicit"


def test_a_stream_is_one_run_however_it_ends():
    stream = [ASKED, said("TextMessage", "writer")]
    cut = one_run(FORMAT, *stream)
    whole = one_run(FORMAT, *stream, result(*stream))
    assert shown(cut.trace) == shown(whole.trace)


@pytest.mark.parametrize(
    "rows",
    [
        [[result(ASKED), result(ASKED)]],
        [result(ASKED), result(ASKED)],
        [{"task_result": result(ASKED)}, {"task_result": result(ASKED)}],
        [[ASKED], [ASKED]],
    ],
)
def test_each_result_is_a_run_in_whatever_list(rows):
    assert [shown(one.trace) for one in converted(FORMAT, *rows)] == [[TASK[:2]], [TASK[:2]]]
    assert FORMAT.recognise(recorded(*rows))


def test_tokens_of_messages_that_are_no_steps_are_counted_as_lost():
    usage = {"prompt_tokens": 5, "completion_tokens": 2}
    talk = [
        ASKED,
        said("ThoughtEvent", "writer", models_usage=usage),
        said("TextMessage", "writer", models_usage=usage),
    ]
    found = one_run(FORMAT, result(*talk))
    assert found.trace["costs"]["tokens"] == 7
    assert lost(found, "not a model step") == [("missing", 7)]


def test_a_person_may_answer_a_handoff_with_a_handoff():
    """A user proxy writes what a person typed as a handoff back to whoever handed over to it."""
    talk = [
        ASKED,
        said("HandoffMessage", "writer", "which one?", target="proxy"),
        said("UserInputRequestedEvent", "proxy", ""),
        said("HandoffMessage", "proxy", "the red one", target="writer"),
        said("TextMessage", "writer", "done"),
    ]
    found = one_run(FORMAT, result(*talk), redact=False)
    assert shown(found.trace, "to", "content_ref")[1:] == [
        ("return", "writer", "user", "which one?"),
        ("human_intervention", "user", "writer", "the red one"),
        ("return", "writer", "user", "done"),
    ]


def test_a_tool_that_hands_over_is_the_message_that_follows():
    call = {"id": "c", "name": "transfer_to_critic", "arguments": "{}"}
    back = {"call_id": "c", "name": call["name"], "content": "Transferred.", "is_error": False}
    talk = [
        ASKED,
        said("ToolCallRequestEvent", "writer", content=[call]),
        said("ToolCallExecutionEvent", "writer", content=[back]),
        said("HandoffMessage", "writer", target="critic"),
        said("TextMessage", "critic"),
    ]
    found = one_run(FORMAT, result(*talk))
    assert shown(found.trace, "to", "x_steps")[1:] == [
        ("message", "writer", "critic", 1),
        ("return", "critic", "user", 1),
    ]
