"""Logs of Inspect: samples, their spans or steps, checks, scores and limits."""

import pytest

from corpus.traces.convert.readers.inspect import FORMAT
from tests.support.converted import converted, lost, one_run, shown, stop_of
from tests.support.recorded_evaluations import inspect_log, inspect_sample
from tests.support.recorded_samples import iso
from tests.support.recorded_traces import into, only


def at(kind, start, span="lead", **more):
    return {"event": kind, "timestamp": iso(start), "span_id": span or None, **more}


def begin(name, start, above, kind, title):
    more = {"id": name, "parent_id": above or None, "type": kind, "name": title}
    return at("span_begin", start, name, **more)


def end(name, start):
    return at("span_end", start, name, id=name)


def tool(start, stop, call="c1", name="bash", **more):
    given = {
        "id": call,
        "function": name,
        "arguments": "in",
        "result": "out",
        "completed": iso(stop),
    }
    return at("tool", start, **{**given, **more})


def log(*events, **more):
    """A log of one sample in which an agent has a span of its own."""
    inside = [begin("lead", 0, "", "agent", "react"), *events, end("lead", 40)]
    return inspect_log({"id": 1, "epoch": 1, "events": inside, **more})


def test_a_person_who_cancels_a_turn_interrupts_the_agent():
    sample = inspect_sample()
    moment = {"timestamp": iso(16.2), "span_id": "lead", "event": "interrupt"}
    sample["events"].insert(-7, {**moment, "source": "user_cancel", "interrupted": "generate"})
    found = one_run(FORMAT, *[inspect_log(sample)])
    interrupt = only(found.trace, role="interrupt")
    assert "react" in [event["agent"] for event, _ in into(found.trace, interrupt)]


@pytest.mark.parametrize(
    ("decision", "refused", "unknown"),
    [
        ("approve", None, 0),
        ("modify", None, 0),
        ("escalate", None, 0),
        ("reject", True, 0),
        ("terminate", True, 0),
        ("postpone", None, 1),
        ("", None, 1),
    ],
)
def test_the_decision_of_an_approver_tells_whether_a_call_was_refused(decision, refused, unknown):
    approval = at("approval", 1, decision=decision, approver="human")
    found = one_run(FORMAT, log(approval, tool(2, 3)))
    check = only(found.trace, type="safety_event")
    assert (check["role"], check.get("x_error")) == ("human", refused)
    assert lost(found, "decision of an approver") == [("ambiguous", 1)] * unknown


@pytest.mark.parametrize(
    ("value", "grade"),
    [("C", 1), ("I", 0), ("P", 0.5), ("N", 0), (True, 1), (False, 0), (0.25, 0.25), (3, 3)],
)
def test_a_score_is_a_number(value, grade):
    found = one_run(FORMAT, log(tool(1, 2), scores={"my grader": {"value": value}}))
    assert found.trace["rewards"] == {"my_grader": grade}
    # Success is all or nothing.
    assert found.trace["metrics"].get("task_success") == (grade if grade in (0, 1) else None)


def test_each_part_of_a_score_is_a_reward_and_epochs_of_a_sample_are_one_task():
    score = {"value": {"form": "C", "style": 0.5}}
    found = [one_run(FORMAT, log(tool(1, 2), epoch=n, scores={"a": score})) for n in (1, 2)]
    assert found[0].trace["rewards"] == {"a.form": 1, "a.style": 0.5}
    assert [one.trace["task_id"] for one in found] == ["puzzle.1", "puzzle.1"]


@pytest.mark.parametrize("value", ["good", None, [1], {"a": "x"}])
def test_a_score_that_is_no_number_is_a_loss(value):
    found = one_run(FORMAT, log(tool(1, 2), scores={"a": {"value": value}}))
    assert found.trace["rewards"] == {}
    assert lost(found, "not a number") == [("dropped", 1)]


@pytest.mark.parametrize(
    ("events", "more", "limit", "stop"),
    [
        ([], {}, None, "implicit"),
        ([at("sample_limit", 3, type="token")], {}, "token", "truncated"),
        ([at("interrupt", 3, source="limit")], {}, "limit", "truncated"),
        ([at("sample_limit", 3, type="token")], {"limit": {"type": "time"}}, "time", "truncated"),
        ([], {"limit": {"type": "message"}}, "message", "truncated"),
        ([], {"error": {"message": "broken"}}, None, "external"),
        ([], {"limit": {"type": "operator"}}, "operator", "external"),
    ],
)
def test_limits_and_errors_end_a_run_from_outside(events, more, limit, stop):
    found = one_run(FORMAT, log(tool(1, 2), *events, **more))
    assert found.trace["events"][0]["x_run"].get("limit") == limit
    assert stop_of(found.trace) == stop


def model(start, answered="words", **more):
    message = {"message": {"content": answered}}
    output = {"model": "m-1", "choices": [message], "usage": more.pop("usage", {})}
    return at("model", start, output=output, completed=iso(start + 0.5), **more)


def test_a_call_that_is_pending_or_read_from_a_cache_costs_nothing():
    usage = {"input_tokens": 9, "output_tokens": 1, "total_tokens": 10}
    calls = [model(1, usage=usage, pending=True), model(2, usage=usage, cache="read")]
    found = one_run(FORMAT, log(*calls, tool(3, 4)))
    assert (found.trace["costs"]["tokens"], found.trace["metrics"]["corpus.steps"]) == (0, 1)
    assert lost(found, "Inspect had cached") == [("dropped", 10)]


def test_the_task_may_be_the_first_message_of_a_person():
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "do it"}]
    tasks = []
    for given in (messages, messages[1:], messages[:1], None):
        found = one_run(FORMAT, log(tool(1, 2), input=given, id=None))
        tasks.append(found.trace["task_id"])
    assert tasks[0] == tasks[1] != tasks[2] == tasks[3] == "unknown"


def test_what_scorers_do_is_no_part_of_the_run():
    scorer = [
        begin("scorers", 50, "", "scorers", "scorers"),
        begin("s", 51, "scorers", "scorer", "grader"),
        {**model(52, usage={"input_tokens": 9, "total_tokens": 9}), "span_id": "s"},
        {**tool(53, 54), "span_id": "s"},
    ]
    found = one_run(FORMAT, log(tool(1, 2), *scorer))
    assert (found.trace["costs"]["tokens"], found.trace["costs"]["tool_calls"]) == (0, 1)
    assert lost(found, "what scorers did") == [("dropped", 2)]


def test_events_inside_of_another_one_are_missing():
    nested = {**tool(1, 2), "events": [model(1.5)]}
    found = one_run(FORMAT, log(nested, at("step", 3, action="begin")))
    assert shown(found.trace)[:2] == [("tool_call", "react"), ("tool_result", "react")]
    assert lost(found, "before Inspect 0.3.94") == [("missing", 2)]


def test_a_sample_whose_events_are_elsewhere_is_missing_in_the_next_run():
    recording = log(tool(1, 2))
    older = {"id": 2, "epoch": 1, "transcript": {"events": [tool(1, 2)]}}
    recording["samples"].insert(0, older)
    traces = [one for one in converted(FORMAT, recording) if one.trace["events"]]
    assert [lost(one, "transcript") for one in traces] == [[("missing", 1)]]
