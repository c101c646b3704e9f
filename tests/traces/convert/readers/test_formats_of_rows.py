"""Recorders that write rows or spans of their own: what a small made-up run of each becomes."""

import bz2
import gzip
import lzma

import pyarrow
import pytest

from tests.support.converted import lost, stop_of
from tests.support.recorded_rows import TALK, answered, pi_session
from tests.support.recorded_traces import Recorder, kinds, say, write_rows
from tests.traces.convert.test_cases import CASES


def test_a_row_below_a_call_is_below_the_row_that_makes_it(tmp_path, run):
    """As OpenClaw writes them: the first row is below the session, a result below its call."""
    talk = [{**row, "parentId": "c1" if row["id"] == "c" else row["parentId"]} for row in TALK[:3]]
    (found,) = run(write_rows(tmp_path / "s.jsonl", pi_session(*talk)))
    assert not any("x_undone" in event for event in found.trace["events"])


def test_a_fork_of_pi_counts_what_it_adds_and_a_compaction_begins_a_new_context(tmp_path, run):
    write_rows(tmp_path / "a.jsonl", pi_session(*TALK))
    shorter = {"type": "compaction", "id": "f", "parentId": "c", "summary": "so far"}
    own = [shorter, answered("g", "f", 9, say("ok"))]
    fork = pi_session(*TALK[:3], *own, name="s-2", parentSession="a.jsonl")
    write_rows(tmp_path / "b.jsonl", fork)
    _, second = run(tmp_path)
    assert second.trace["costs"]["tokens"] == 116
    (event,) = second.trace["events"]
    assert (event["x_compacted"], len(event["x_contents"]["user"])) == (True, 1)


def test_rows_of_claude_code_without_the_id_of_their_session(tmp_path, run):
    log = Recorder()
    log.ask("main", "go")
    log.step("main", "m1", say("done"), input_tokens=5)
    rows = [{key: one for key, one in row.items() if key != "sessionId"} for row in log.rows]
    (found,) = run(write_rows(tmp_path / "s.jsonl", rows))
    assert (found.trace["system"], found.trace["costs"]["tokens"]) == ("claude-code", 5)


PACKED = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda data: pyarrow.compress(data, "zstd", asbytes=True),
}


@pytest.mark.parametrize("ending", PACKED)
def test_compressed_files_of_a_folder_are_read_as_they_are(tmp_path, run, ending):
    plain = (CASES / "sts.jsonl").read_bytes()
    (tmp_path / f"s.jsonl.{ending}").write_bytes(PACKED[ending](plain))
    (found,) = run(tmp_path)
    (whole,) = run(CASES / "sts.jsonl")
    assert found.trace == whole.trace


CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
ASKS = {"role": "assistant", "content": "", "tool_calls": [CALL]}
ASKED = [{"role": "user", "content": "when?"}, ASKS]
ITEM = {"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{}"}
BLOCKS = [{"type": "tool_use", "id": "c1", "name": "search", "input": {}}]
PART = {"functionCall": {"id": "c1", "name": "search", "args": {}}}
TEAM_CALL = {"id": "c1", "name": "search", "arguments": "{}"}
# fmt: off
OPEN_CALLS = {
    "chat": {"messages": ASKED},
    "chat, blocks": {"messages": [{"role": "assistant", "content": BLOCKS}]},
    "chat, before tools": {"messages": [{"role": "assistant", "content": None, "function_call": {"name": "search", "arguments": "{}"}}]},
    "nemo-gym": {"responses_create_params": {"input": "when?"}, "response": {"output": [ITEM]}},
    "verifiers": {"example_id": 1, "prompt": "when?", "completion": [ASKS], "reward": 0},
    "verifiers 0.4": {"id": "e", "traces": [{"agent": {"name": "a"}, "nodes": [{"message": ASKS, "sampled": True}]}]},
    "rllm": {"id": "t:0", "is_correct": False, "trajectories": [{"name": "a", "reward": 0, "steps": [{"chat_completions": ASKED}]}]},
    "agent-lightning": {"rollout_id": "r", "attempt_id": "t", "event_type": "model_request", "data": {"request": {"messages": ASKED[:1]}, "response": {"choices": [{"message": ASKS}]}}},
    "session-trace": {"type": "message", "id": "a", "message": {"role": "assistant", "content": [{"type": "toolCall", "id": "c1", "name": "search", "arguments": {}}]}},
    "gemini-cli": {"sessionId": "s", "projectHash": "h", "messages": [{"id": "m", "type": "gemini", "content": [PART]}]},
    "autogen": {"source": "a", "type": "ToolCallRequestEvent", "content": [TEAM_CALL]},
    "claude-code": {"sessionId": "s", "isSidechain": False, "type": "assistant", "message": {"id": "m", "content": BLOCKS}},
    "codex": {"type": "response_item", "payload": ITEM},
    "atif": {"schema_version": "ATIF-v1.8", "agent": {"name": "a"}, "steps": [{"source": "agent", "message": "", "tool_calls": [{"tool_call_id": "c1", "function_name": "search", "arguments": {}}]}]},
}
# fmt: on


@pytest.mark.parametrize("format_name", OPEN_CALLS)
def test_a_call_that_nothing_answers_is_open_and_ends_the_run_early(tmp_path, run, format_name):
    written = [OPEN_CALLS[format_name]]
    if format_name == "session-trace":
        written.insert(0, {"type": "session", "harness": "pi", "id": "s"})
    (found,) = run(write_rows(tmp_path / "run.jsonl", written))
    calls = [event for event in found.trace["events"] if event["type"] == "tool_call"]
    assert [event["tool"] for event in calls] == ["search"]
    assert "tool_result" not in kinds(found.trace)
    assert stop_of(found.trace) == "truncated"


# fmt: off
NODES = [{"message": one, "sampled": False} for one in (*ASKED, ASKED[0])]
STEPS = [{"source": "system", "tool_calls": [{"function_name": "search"}]}, {"source": "agent", "message": "ok"}]
OF_NO_MODEL = {
    "in the context": ({"id": "e", "nodes": NODES}, "no model wrote", "dropped"),
    "in a step of the system": ({"schema_version": "ATIF-v1.8", "agent": {"name": "a"}, "steps": STEPS}, "no agent took", "missing"),
}
# fmt: on


@pytest.mark.parametrize(("row", "what", "kind"), OF_NO_MODEL.values(), ids=OF_NO_MODEL)
def test_a_call_that_no_model_made_is_a_named_loss(tmp_path, run, row, what, kind):
    (found,) = run(write_rows(tmp_path / "run.jsonl", [row]))
    assert "tool_call" not in kinds(found.trace)
    assert lost(found, what) == [(kind, 1)]


def test_rows_of_one_list_have_ids_of_their_own(tmp_path, run):
    found = run(write_rows(tmp_path / "talks.json", [[{"messages": ASKED}, {"messages": ASKED}]]))
    assert [one.trace["trace_id"] for one in found] == ["talks-1", "talks-2"]
