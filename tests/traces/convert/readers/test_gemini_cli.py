"""Gemini CLI: what the messages of a session and of its sub-agents become."""

import pytest

from corpus.traces.convert.readers.gemini_cli import DEPTH_LIMIT, FORMAT, companions
from tests.support.converted import converted_files, lost, one_run, recorded, shown, stop_of
from tests.support.recorded_samples import iso
from tests.support.recorded_traces import into, kinds


def head(name="s", kind="main"):
    return {"sessionId": name, "projectHash": "ab", "kind": kind}


def asked(name, start=0):
    return {"id": name, "type": "user", "timestamp": iso(start), "content": "go"}


def thought(name, start, *calls, **more):
    message = {"id": name, "type": "gemini", "timestamp": iso(start), "content": "words"}
    return {**message, "toolCalls": list(calls), **more}


def call(name, status="success", **more):
    return {"id": name, "name": "tool", "status": status, "timestamp": iso(9), **more}


def sub_agent(name, status="success"):
    return call(f"call-{name}", status, agentId=name)


def session(name, kind, *messages):
    return recorded(head(name, kind), *messages, name=f"{name}.jsonl")


@pytest.mark.parametrize("agent", ["../secret", "..", "a/b", "/etc/passwd", ""])
def test_a_session_brings_in_no_file_outside_of_its_folder(agent):
    assert list(companions(session("s", "main", thought("g", 0, sub_agent(agent))))) == []


def test_a_sub_agent_without_its_file_leaves_a_spawn_and_a_loss():
    found = one_run(FORMAT, head(), thought("g", 0, sub_agent("sub", "error")))
    assert shown(found.trace, "to", "x_error", "x_call_id") == [
        ("orchestrator_decision", "main", None, None, None),
        ("spawn", "main", "tool", None, "call-sub"),
        ("return", "tool", "main", True, "call-sub"),
    ]
    assert lost(found, "file is missing") == [("missing", 1)]


def test_calls_of_one_session_are_read_once():
    """A file in which a session names itself twice would double with every level."""
    top = session("s", "main", asked("u"), thought("g", 1, sub_agent("a")))
    twice = session("a", "subagent", thought("g", 2, sub_agent("a"), sub_agent("a"), call("c")))
    (found,) = converted_files(FORMAT, top, twice)
    assert kinds(found.trace).count("spawn") == 3
    assert kinds(found.trace).count("tool_call") == 1
    assert lost(found, "another call has named before") == [("dropped", 2)]


def test_sub_agents_in_sub_agents_are_followed_to_a_limit():
    depth = DEPTH_LIMIT + 2
    files = [session("s", "main", asked("u"), thought("g", 0, sub_agent("a1")))]
    for level in range(1, depth + 1):
        step = thought("g", level, sub_agent(f"a{level + 1}"))
        files.append(session(f"a{level}", "subagent", step))
    (found,) = converted_files(FORMAT, *files)
    assert kinds(found.trace).count("spawn") == DEPTH_LIMIT + 1
    assert lost(found, "nested too deeply") == [("missing", 1)]


@pytest.mark.parametrize(
    ("rewind", "undone"), [("u2", ["u2", "g2"]), ("g1", ["g1", "u2", "g2"]), ("unknown", "all")]
)
def test_a_rewind_takes_back_from_its_message_on(rewind, undone):
    spent = {"tokens": {"input": 5, "output": 1}}
    rows = [asked("u1"), thought("g1", 1, **spent), asked("u2", 2), thought("g2", 3, **spent)]
    found = one_run(FORMAT, head(), *rows, {"$rewindTo": rewind}, asked("u3", 4), thought("g3", 5))
    events = found.trace["events"]
    marks = [event.get("x_undone") for event in events]
    number = 4 if undone == "all" else len(undone)
    assert marks == [None] * (4 - number) + [True] * number + [None, None]
    # What was spent counts, and what is left follows from what was there before.
    assert found.trace["costs"]["tokens"] == 12
    taken = 6 * sum(event["type"] == "return" for event in events[4 - number : 4])
    assert lost(found, "tokens of turns that a person took back") == [("dropped", taken)]
    assert not any("x_undone" in cause for cause, _ in into(found.trace, events[4]))


def test_a_history_that_was_shortened_is_a_new_context_and_calls_no_model():
    checkpoint = [
        {"id": "sum", "type": "user", "content": [{"text": "<state_snapshot>x</state_snapshot>"}]},
        {"id": "ack", "type": "gemini", "content": [{"text": "Got it."}]},
    ]
    rows = [asked("u1"), thought("g1", 1), {"$set": {"messages": checkpoint}}, asked("u2", 2)]
    found = one_run(FORMAT, head(), *rows, thought("g2", 3), redact=False)
    assert shown(found.trace, "x_steps", "x_compacted") == [
        ("human_intervention", "user", None, None),
        ("return", "main", 1, None),
        ("human_intervention", "user", None, None),
        ("return", "main", 1, True),
    ]
    assert lost(found, "only a checkpoint has") == [("dropped", 2)]


def test_a_session_that_goes_on_repeats_what_was_said_and_spent_it_once():
    # As 0.61 writes it: the header again, then the history without tokens and calls, in which
    # the results of tools have the name of the message that called them.
    result = [{"functionResponse": {"id": "call", "name": "tool", "response": {"output": "x"}}}]
    first = thought("g1", 1, sub_agent("a"), tokens={"input": 3, "output": 2, "total": 5})
    repeated = [asked("u1"), {"id": "g1", "type": "gemini", "content": [{"functionCall": {}}]}]
    repeated += [{"id": name, "type": "user", "content": result} for name in ("g1", "r1", "r2")]
    answered = {"id": "r1", "type": "user", "content": result}
    rows = [asked("u1"), first, answered, head(), {"$set": {"messages": repeated}}, asked("u2", 2)]
    found = one_run(FORMAT, head(), *rows, thought("g2", 3))
    assert found.trace["costs"]["tokens"] == 5
    assert found.trace["metrics"]["corpus.steps"] == 2
    assert kinds(found.trace).count("spawn") == 1


def test_a_session_that_goes_on_in_another_file_is_one():
    old = recorded({**head(), "messages": [asked("u1"), thought("g1", 1)]}, name="session-1.json")
    new = recorded(head(), asked("u1"), thought("g1", 1), thought("g2", 2), name="session-1.jsonl")
    (found,) = converted_files(FORMAT, new, old)
    assert found.trace["metrics"]["corpus.steps"] == 2


@pytest.mark.parametrize(
    ("status", "events", "stop"),
    [
        ("success", [("tool_result", None)], "implicit"),
        ("error", [("tool_result", True)], "implicit"),
        ("cancelled", [("safety_event", None), ("tool_result", True)], "implicit"),
        # Such as a call that waits for the consent of a person when the file ends.
        ("awaiting_approval", [], "truncated"),
    ],
)
def test_the_status_of_a_call_tells_what_became_of_it(status, events, stop):
    found = one_run(FORMAT, head(), asked("u"), thought("g", 1, call("c", status)))
    assert [(event["type"], event.get("x_error")) for event in found.trace["events"][2:]] == events
    assert stop_of(found.trace) == stop


def test_results_sent_in_the_name_of_the_user_are_no_prompts():
    result = {**asked("u2", 2), "content": [{"functionResponse": {}}]}
    both = {**asked("u3", 4), "content": [{"functionResponse": {}}, {"text": "and now?"}]}
    rows = [asked("u1"), thought("g1", 1), result, thought("g2", 3), both]
    found = one_run(FORMAT, head(), *rows)
    assert shown(found.trace, "role", "x_steps") == [
        ("human_intervention", "user", "task", None),
        # What comes before the result is no answer to the person yet.
        ("orchestrator_decision", "main", None, 1),
        ("return", "main", None, 1),
        ("human_intervention", "user", "user", None),
    ]
    assert stop_of(found.trace) == "truncated"


def test_rows_of_another_kind_are_counted_as_lost():
    strangers = [{"$undo": "u"}, {"type": "user"}, {}]
    found = one_run(FORMAT, head(), asked("u"), *strangers, {"$set": {"lastUpdated": iso(1)}})
    assert lost(found, "rows of an unknown kind") == [("dropped", 3)]
