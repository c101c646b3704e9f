"""The output of a session while it runs, read as the rows of a session file."""

import pytest

from corpus.traces.convert.readers.claude_code.stream import FORMAT as STREAM
from tests.support.converted import converted, lost, one_run, recorded, stop_of
from tests.support.recorded_streams import claude_stream_rows
from tests.support.recorded_traces import kinds, only


def says(name, words, **more):
    message = {"id": name, "content": [{"type": "text", "text": words}]}
    return {"type": "assistant", "session_id": "s", "message": message, **more}


def result(**more):
    return {"type": "result", "session_id": "s", "subtype": "success", "num_turns": 1, **more}


@pytest.mark.parametrize(
    ("row", "known"),
    [
        ({"type": "system", "subtype": "init", "session_id": "s", "mcp_servers": []}, True),
        ({"type": "assistant", "session_id": "s", "parent_tool_use_id": None}, True),
        ({"type": "result", "session_id": "s", "num_turns": 1}, True),
        ({"type": "assistant", "sessionId": "s", "parent_tool_use_id": None}, False),
        ({"type": "assistant", "session_id": "s"}, False),
        ({"type": "other", "session_id": "s", "num_turns": 1}, False),
    ],
)
def test_a_stream_is_recognised_by_its_session_id(row, known):
    assert STREAM.recognise(recorded(7, row)) is known
    assert STREAM.recognise(recorded([row])) is known


def test_rows_of_several_sessions_are_a_trace_each():
    other = [{**row, "session_id": "s-2"} for row in claude_stream_rows()]
    found = converted(STREAM, *claude_stream_rows(), *other)
    assert [one.trace["trace_id"] for one in found] == ["s-1", "s-2"]
    assert kinds(found[0].trace) == kinds(found[1].trace)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([says("m", "done"), result()], "implicit"),
        ([says("m", "done"), result(), says("n", "more")], "truncated"),
        ([says("m", "done"), result(), {"type": "system", "session_id": "s"}], "implicit"),
        ([says("m", "done"), result(is_error=True)], "external"),
        ([says("m", "done"), result(subtype="error_max_turns")], "truncated"),
        ([result(subtype="error"), says("m", "done"), result()], "implicit"),
    ],
)
def test_the_last_result_tells_why_the_run_stopped(rows, reason):
    found = one_run(STREAM, *rows)
    assert stop_of(found.trace) == reason


def test_tokens_of_the_result_are_compared_with_those_of_all_its_traces():
    rows = claude_stream_rows()
    # The helper that the call started is of an agent whose own call is missing.
    rows[1] = {**rows[1], "parent_tool_use_id": "elsewhere"}
    found = converted(STREAM, *rows)
    tokens = [one.trace["costs"]["tokens"] for one in found]
    losses = [loss for one in found for loss in one.losses if "tokens of the result" in loss.what]
    assert len(found) == 2
    assert [loss.count for loss in losses] == [120 - sum(tokens)]


def test_usage_by_model_goes_before_that_of_the_main_agent():
    models = {"a": {"inputTokens": 7, "cacheReadInputTokens": 2}, "b": {"outputTokens": 1}}
    usage = {"input_tokens": 100}
    found = one_run(STREAM, says("m", "done"), result(modelUsage=models, usage=usage))
    assert [count for _, count in lost(found, "tokens of the result")] == [10]


@pytest.mark.parametrize(("stated", "missing"), [(5, []), (6, [1]), (4, [])])
def test_only_tokens_that_no_row_carries_are_missing(stated, missing):
    row = says("m", "done")
    row["message"]["usage"] = {"input_tokens": 5}
    found = one_run(STREAM, row, result(usage={"input_tokens": stated}))
    losses = [count for _, count in lost(found, "tokens of the result")]
    assert losses == missing


def test_a_sub_agent_has_the_role_that_its_rows_name():
    kid = says("k", "seen", parent_tool_use_id="t1", subagent_type="finder")
    (found, *_) = converted(STREAM, kid, result())
    assert only(found.trace, type="return")["agent"] == "finder-1"


def test_what_the_program_put_in_is_no_prompt_of_a_person():
    message = {"role": "user", "content": "go"}
    rows = [{"type": "user", "session_id": "s", "message": message} for _ in range(2)]
    rows[0]["isSynthetic"] = True
    found = one_run(STREAM, *rows, result())
    assert [event["role"] for event in found.trace["events"]] == ["task"]


@pytest.mark.parametrize("name", ["agent-k.jsonl", "-", "out.json"])
@pytest.mark.parametrize("session", ["s", "../up", "a b"])
def test_any_name_of_a_file_and_of_a_session_is_one_run(name, session):
    rows = [{**row, "session_id": session} for row in (says("m", "done"), result())]
    found = one_run(STREAM, *rows, name=name)
    assert kinds(found.trace, "main") == ["return"]
    assert ".." not in found.trace["trace_id"]
