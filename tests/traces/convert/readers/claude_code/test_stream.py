"""The output of a session while it runs, read as the rows of a session file."""

import pytest

from corpus.traces.convert.readers.claude_code.stream import FORMAT as STREAM
from tests.support.converted import converted, lost, one_run, stop_of
from tests.support.recorded_streams import claude_stream_rows
from tests.support.recorded_traces import kinds


def says(name, words, **more):
    message = {"id": name, "content": [{"type": "text", "text": words}]}
    return {"type": "assistant", "session_id": "s", "message": message, **more}


def result(**more):
    return {"type": "result", "session_id": "s", "subtype": "success", "num_turns": 1, **more}


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


@pytest.mark.parametrize(("stated", "missing"), [(5, []), (6, [1]), (4, [])])
def test_only_tokens_that_no_row_carries_are_missing(stated, missing):
    row = says("m", "done")
    row["message"]["usage"] = {"input_tokens": 5}
    found = one_run(STREAM, row, result(usage={"input_tokens": stated}))
    losses = [count for _, count in lost(found, "tokens of the result")]
    assert losses == missing
