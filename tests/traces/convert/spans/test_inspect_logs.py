"""Logs of Inspect: samples, their spans or steps, checks, scores and limits."""

from pathlib import Path
from typing import Any

import pytest

from corpus.traces.convert.document import RecordedFile, Row
from corpus.traces.convert.spans.inspect_logs import FORMAT, recognise
from tests.support.converted import (
    converted,
    converted_files,
    lost,
    recorded,
    shown,
    stop_of,
    with_events,
)
from tests.support.recorded_evaluations import (
    inspect_0_3_80,
    inspect_0_3_180,
    inspect_log,
    inspect_sample,
)
from tests.support.recorded_samples import iso
from tests.support.recorded_traces import into, only

Event = dict[str, Any]


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


def test_a_check_after_which_agents_act_is_not_the_end(tmp_path, run):
    (found,) = run(inspect_0_3_180().write(tmp_path))
    refused = only(found.trace, type="safety_event")
    assert refused["x_error"]
    (stop,) = [e["x_stop_reason"] for e in found.trace["events"] if "x_stop_reason" in e]
    assert stop == "implicit"


def test_scores_of_a_sample_are_metrics(tmp_path, run):
    (found,) = run(inspect_0_3_180().write(tmp_path))
    assert found.trace["metrics"]["task_success"] == 1
    (found,) = run(inspect_0_3_80().write(tmp_path))
    metrics = found.trace["metrics"]
    assert (metrics["corpus.score.a"], metrics["corpus.score.b"]) == (0.5, 0)
    assert "task_success" not in metrics


def test_a_person_who_cancels_a_turn_interrupts_the_agent():
    sample = inspect_sample()
    moment = {"timestamp": iso(16.2), "span_id": "lead", "event": "interrupt"}
    sample["events"].insert(-7, {**moment, "source": "user_cancel", "interrupted": "generate"})
    (found,) = converted(FORMAT, *[inspect_log(sample)])
    interrupt = only(found.trace, role="interrupt")
    assert "react" in [event["agent"] for event, _ in into(found.trace, interrupt)]


def test_a_call_may_name_its_own_span_or_the_one_around_it():
    (current,) = converted(FORMAT, *[inspect_log(inspect_sample())])
    sample = inspect_sample()
    own = {"c1": "t1", "c2": "t3", "c3": "t2"}
    for event in sample["events"]:
        if event["event"] == "tool":
            event["span_id"] = own[event["id"]]
    (legacy,) = converted(FORMAT, *[inspect_log(sample)])
    assert legacy.trace["events"] == current.trace["events"]


def test_an_agent_acts_in_its_span():
    (found,) = converted(FORMAT, log(tool(1, 2, error={"type": "timeout"})), redact=False)
    assert shown(found.trace, "t", "tool", "x_call_id", "x_error", "content_ref") == [
        ("tool_call", "react", 1, "bash", "c1", None, "in"),
        ("tool_result", "react", 2, "bash", "c1", True, "out"),
        ("return", "react", 40, None, None, None, None),
    ]


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
    (found,) = converted(FORMAT, log(approval, tool(2, 3)))
    check = only(found.trace, type="safety_event")
    assert (check["role"], check.get("x_error")) == ("human", refused)
    assert lost(found, "decision of an approver") == [("ambiguous", 1)] * unknown


@pytest.mark.parametrize(
    ("value", "grade"),
    [("C", 1), ("I", 0), ("P", 0.5), ("N", 0), (True, 1), (False, 0), (0.25, 0.25), (3, 3)],
)
def test_a_score_is_a_number(value, grade):
    (found,) = converted(FORMAT, log(tool(1, 2), scores={"my grader": {"value": value}}))
    metrics = found.trace["metrics"]
    assert metrics["corpus.score.my_grader"] == grade
    # Success is all or nothing.
    assert metrics.get("task_success") == (grade if grade in (0, 1) else None)


@pytest.mark.parametrize("value", ["good", None, [1], {"a": 1}])
def test_a_score_that_is_no_number_is_a_loss(value):
    (found,) = converted(FORMAT, log(tool(1, 2), scores={"a": {"value": value}}))
    assert not any(name.startswith("corpus.score") for name in found.trace["metrics"])
    assert lost(found, "not a number") == [("dropped", 1)]


def test_of_several_scores_none_is_the_success():
    scores = {"a": {"value": "C"}, "b": {"value": "C"}}
    (found,) = converted(FORMAT, log(tool(1, 2), scores=scores))
    assert "task_success" not in found.trace["metrics"]


@pytest.mark.parametrize(
    ("events", "more", "limit", "stop"),
    [
        ([], {}, None, "implicit"),
        ([at("sample_limit", 3, type="token")], {}, "token", "external"),
        ([at("interrupt", 3, source="limit")], {}, "limit", "external"),
        ([at("sample_limit", 3, type="token")], {"limit": {"type": "time"}}, "time", "external"),
        ([], {"limit": {"type": "message"}}, "message", "external"),
        ([], {"error": {"message": "broken"}}, None, "external"),
    ],
)
def test_limits_and_errors_end_a_run_from_outside(events, more, limit, stop):
    (found,) = converted(FORMAT, log(tool(1, 2), *events, **more))
    assert found.trace["events"][0]["x_run"].get("limit") == limit
    assert stop_of(found.trace) == stop


def model(start, answered="words", **more):
    message = {"message": {"content": answered}}
    output = {"model": "m-1", "choices": [message], "usage": more.pop("usage", {})}
    return at("model", start, output=output, completed=iso(start + 0.5), **more)


@pytest.mark.parametrize(
    ("usage", "kinds"),
    [
        # The total tells whether the input includes what a cache has to do with.
        (
            {
                "input_tokens": 50,
                "output_tokens": 5,
                "total_tokens": 55,
                "input_tokens_cache_read": 40,
            },
            (10, 40, None, 5, None),
        ),
        (
            {
                "input_tokens": 10,
                "output_tokens": 5,
                "total_tokens": 75,
                "input_tokens_cache_read": 40,
                "input_tokens_cache_write": 20,
                "reasoning_tokens": 2,
            },
            (10, 40, 20, 5, 2),
        ),
        ({"output_tokens": 5, "total_tokens": 5}, (None, None, None, 5, None)),
    ],
)
def test_tokens_are_sorted_by_kind(usage, kinds):
    (found,) = converted(FORMAT, log(model(1, usage=usage), tool(2, 3)))
    names = ("input", "cached", "cache_write", "output", "reasoning")
    (call,) = shown(found.trace, "x_model", *(f"x_tokens_{name}" for name in names))[:1]
    assert call[2:] == ("m-1", *kinds)


def test_a_call_that_is_pending_or_read_from_a_cache_costs_nothing():
    usage = {"input_tokens": 9, "output_tokens": 1, "total_tokens": 10}
    calls = [model(1, usage=usage, pending=True), model(2, usage=usage, cache="read")]
    (found,) = converted(FORMAT, log(*calls, tool(3, 4)))
    assert (found.trace["costs"]["tokens"], found.trace["metrics"]["corpus.steps"]) == (0, 1)
    assert lost(found, "Inspect had cached") == [("dropped", 10)]


def test_long_contents_are_kept_beside_the_transcript():
    attachments = {"a1": "long", "a2": "task"}
    ran = tool(1, 2, result="attachment://a1")
    words = at("input", 3, input="attachment://gone")
    whole = log(ran, words, attachments=attachments, input="attachment://a2")
    (found,) = converted(FORMAT, whole, redact=False)
    contents = [event.get("content_ref") for event in found.trace["events"]]
    assert contents[:3] == ["in", "long", "attachment://gone"]
    (same,) = converted(FORMAT, log(ran, input="task"), redact=False)
    assert found.trace["task_id"] == same.trace["task_id"]


def test_the_task_may_be_the_first_message_of_a_person():
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "do it"}]
    tasks = []
    for given in (messages, messages[1:], messages[:1], None):
        (found,) = converted(FORMAT, log(tool(1, 2), input=given))
        tasks.append(found.trace["task_id"])
    assert tasks[0] == tasks[1] != tasks[2] == tasks[3] == "unknown"


def test_what_scorers_do_is_no_part_of_the_run():
    scorer = [
        begin("scorers", 50, "", "scorers", "scorers"),
        begin("s", 51, "scorers", "scorer", "grader"),
        {**model(52, usage={"input_tokens": 9, "total_tokens": 9}), "span_id": "s"},
        {**tool(53, 54), "span_id": "s"},
    ]
    (found,) = converted(FORMAT, log(tool(1, 2), *scorer))
    assert (found.trace["costs"]["tokens"], found.trace["costs"]["tool_calls"]) == (0, 1)
    assert lost(found, "what scorers did") == [("dropped", 2)]


def test_solvers_are_agents_where_no_agent_is_recorded():
    events = [
        begin("chain", 0, "", "solver", "chain"),
        begin("s", 1, "chain", "solver", "basic"),
        {**tool(2, 3), "span_id": "s"},
    ]
    (found,) = converted(FORMAT, inspect_log({"id": 1, "epoch": 1, "events": events}))
    assert {event["agent"] for event in found.trace["events"]} == {"basic"}
    assert lost(found, "a solver counts as an agent") == [("inferred", 1)]
    (with_agent,) = converted(FORMAT, log(*events))
    assert lost(with_agent, "a solver counts as an agent") == []


def test_events_inside_a_tool_of_an_old_log_are_inside_its_call():
    steps = [at("step", 0, "", action="begin", type="solver", name="basic")]
    inner = [{**model(2), "span_id": None}]
    steps += [{**tool(1, 5, events=inner), "span_id": None}]
    steps += [at("step", 6, "", action="end"), at("step", 7, "", action="end")]
    (found,) = converted(FORMAT, inspect_log({"id": 1, "epoch": 1, "events": steps}))
    # The step inside the call is that of the solver, which waits for what it leads to.
    assert shown(found.trace, "x_steps") == [
        ("tool_call", "basic", None),
        ("tool_result", "basic", None),
        ("return", "basic", 1),
    ]


def test_an_agent_in_the_span_of_a_tool_is_spawned_by_the_call():
    events = [
        begin("t", 1, "lead", "tool", "ask"),
        tool(1, 8, name="ask", call="c7"),
        begin("sub", 2, "t", "agent", "helper"),
        {**tool(3, 4, call="c8"), "span_id": "sub"},
        end("sub", 7),
        end("t", 8),
    ]
    (found,) = converted(FORMAT, log(*events))
    spawn = only(found.trace, type="spawn")
    assert (spawn["agent"], spawn["to"], spawn["x_call_id"]) == ("react", "helper", "c7")
    assert [event["tool"] for event in found.trace["events"] if event["type"] == "tool_call"] == [
        "bash"
    ]


@pytest.mark.parametrize(
    ("sample", "task", "name"),
    [
        ({"uuid": "u-1", "id": 3, "epoch": 2}, "puzzle", "u-1"),
        ({"id": 3, "epoch": 2}, "puzzle", "puzzle.3-2"),
        ({"id": 3, "epoch": 2}, "", "3-2"),
    ],
)
def test_a_run_is_named_by_its_sample(sample, task, name):
    whole = {"eval": {"task": task}, "plan": {}, "samples": [{**sample, "events": [tool(1, 2)]}]}
    (found,) = converted(FORMAT, whole)
    assert found.trace["trace_id"] == name


def test_each_sample_is_a_run_and_one_without_events_is_none():
    samples = [{"id": n, "epoch": 1, "events": [tool(1, 2)]} for n in range(2)]
    samples.append({"id": 9, "epoch": 1, "events": []})
    whole = {"eval": {"task": "puzzle"}, "plan": {}, "samples": samples}
    found = with_events(converted(FORMAT, whole))
    assert [one.trace["trace_id"] for one in found] == ["puzzle.0-1", "puzzle.1-1"]


def test_samples_in_an_archive_are_files_of_its_folder():
    sample = {"id": 1, "epoch": 1, "events": [tool(1, 2)]}
    rows = [Row(1, {"eval": {"task": "puzzle"}}, "header.json"), Row(2, sample, "samples/1.json")]
    stray = Row(3, sample, "journal/1.json")
    file = RecordedFile(Path("log.eval"), (*rows, stray))
    (found,) = converted_files(FORMAT, file)
    assert found.trace["trace_id"] == "puzzle.1-1"
    assert recognise(RecordedFile(Path("log.eval"), (rows[1],)))
    assert not recognise(RecordedFile(Path("log.eval"), (stray,)))


def test_a_header_or_a_transcript_is_needed():
    assert recognise(recorded({"eval": {"task": "puzzle"}, "plan": {}}))
    assert not recognise(recorded({"eval": {"task": "puzzle"}}))
    assert not recognise(recorded({"samples": [{"id": 1, "epoch": 1, "events": []}]}))
    assert not recognise(recorded({"samples": [{"id": 1, "events": [{}]}]}))


def test_events_of_an_unknown_kind_are_counted_and_silent_ones_are_not():
    events = [at("dream", 1), at("dream", 2), at("store", 3), at("info", 4), tool(5, 6)]
    (found,) = converted(FORMAT, log(*events))
    unknown = [(loss.what, loss.count) for loss in found.losses if "unknown kind" in loss.what]
    assert unknown == [("events of the unknown kind dream", 2)]


def test_what_a_subtask_does_is_inside_of_it():
    inner = [{**tool(2, 3), "span_id": None}]
    subtask = at("subtask", 1, "", name="look", events=inner, completed=iso(5))
    (found,) = converted(FORMAT, log({**subtask, "span_id": "lead"}))
    assert shown(found.trace)[:2] == [("tool_call", "react"), ("tool_result", "react")]
    assert lost(found, "unknown kind") == []


def test_what_is_deep_below_a_scorer_is_graded_and_what_is_beside_it_is_not():
    events = [begin("scorers", 20, "", "scorers", "scorers"), begin("s0", 21, "scorers", "x", "x")]
    events += [begin(f"s{n}", 21, f"s{n - 1}", "x", "x") for n in range(1, 9)]
    events += [{**tool(22, 23, f"g{n}"), "span_id": "s8"} for n in range(2)]
    (found,) = converted(FORMAT, log(tool(1, 2), *events))
    assert found.trace["costs"]["tool_calls"] == 1
    assert lost(found, "what scorers did") == [("dropped", 2)]
