"""The items of a thread as codex exec writes them: without times, with usage as a sum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corpus.traces.convert.codex.exec_events import convert, recognise
from corpus.traces.convert.document import RecordedFile, Row
from corpus.traces.convert.format import Conversion
from corpus.traces.convert.redaction import Redaction
from tests.support.recorded_traces import into, kinds, only, well_formed

START = {"type": "thread.started", "thread_id": "th-1"}
TURN = {"type": "turn.started"}


def completed(kind: str, name: str = "i1", /, **more: Any) -> dict[str, Any]:
    return {"type": "item.completed", "item": {"id": name, "type": kind, **more}}


def started(kind: str, name: str = "i1", /, **more: Any) -> dict[str, Any]:
    return {"type": "item.started", "item": {"id": name, "type": kind, **more}}


def done(**usage: int) -> dict[str, Any]:
    return {"type": "turn.completed", "usage": usage}


def all_converted(*rows: Any) -> list[Conversion]:
    numbered = [Row(line, row) for line, row in enumerate(rows, start=1)]
    document = RecordedFile(Path("out.jsonl"), tuple(numbered))
    return list(convert([document], Redaction(active=False)))


def converted(*rows: Any) -> Conversion:
    (found,) = all_converted(*rows)
    well_formed(found.trace)
    return found


def lost(found: Conversion, words: str) -> list[tuple[str, int]]:
    return [(loss.kind, loss.count) for loss in found.losses if words in loss.what]


@pytest.mark.parametrize(
    ("row", "known"),
    [
        (START, True),
        ({"type": "thread.started"}, False),
        (completed("agent_message"), True),
        ({"type": "item.started", "item": {"item_type": "reasoning"}}, True),
        ({"type": "item.updated", "item": {"type": "todo_list"}}, False),
        ({"type": "item.completed", "item": {}}, False),
    ],
)
def test_the_output_is_recognised_by_a_thread_or_an_item(row: dict[str, Any], known: bool) -> None:
    assert recognise(RecordedFile(Path("o"), (Row(1, 7), Row(2, row)))) is known


def test_usage_of_a_turn_is_what_came_to_the_sum() -> None:
    first = {"input_tokens": 100, "cached_input_tokens": 60, "cache_write_input_tokens": 10}
    second = {"input_tokens": 150, "cached_input_tokens": 90, "cache_write_input_tokens": 10}
    rows = [TURN, completed("agent_message", text="a")]
    found = converted(START, *rows, done(**first, output_tokens=5), *rows, done(**second))
    backs = [one for one in found.trace["events"] if one["type"] == "return"]
    sums = [[one.get(f"x_tokens{kind}") for kind in ("", "_input", "_cached")] for one in backs]
    assert sums == [[105, 30, 60], [50, 20, 30]]
    assert [one.get("x_tokens_cache_write") for one in backs] == [10, 0]
    assert lost(found, "the sum since") == [("ambiguous", 1)]


def test_a_turn_without_usage_does_not_count_the_turns_before_again() -> None:
    rows = [TURN, completed("agent_message", text="a")]
    usage = {"input_tokens": 100}
    found = converted(
        START, *rows, done(**usage), *rows, {"type": "turn.completed"}, *rows, done(**usage)
    )
    assert found.trace["costs"]["tokens"] == 100


def test_a_sum_that_shrinks_begins_anew() -> None:
    rows = [TURN, completed("agent_message", text="a")]
    found = converted(START, *rows, done(input_tokens=100), *rows, done(input_tokens=30))
    assert found.trace["costs"]["tokens"] == 130


def test_calls_that_overlap_are_of_one_step_and_what_follows_of_the_next() -> None:
    found = converted(
        START,
        TURN,
        started("command_execution", "a", command="ls"),
        started("mcp_tool_call", "b", tool="search"),
        completed("command_execution", "a", aggregated_output="x"),
        completed("mcp_tool_call", "b", result={"content": []}),
        completed("file_change", "c", changes=[{"path": "p"}]),
        done(),
    )
    calls = [one for one in found.trace["events"] if one["type"] == "tool_call"]
    assert [one["tool"] for one in calls] == ["command_execution", "search", "file_change"]
    assert [one.get("x_steps") for one in calls] == [1, None, 1]
    causes = [one["x_call_id"] for one, _ in into(found.trace, calls[2])]
    assert causes == ["a", "b"]


@pytest.mark.parametrize(
    ("end", "events", "failed"),
    [
        ({"status": "completed"}, ["tool_call", "tool_result"], None),
        ({"status": "failed"}, ["tool_call", "tool_result"], True),
        ({"error": {"message": "x"}}, ["tool_call", "tool_result"], True),
        ({"status": "declined"}, ["tool_call", "safety_event", "tool_result"], True),
    ],
)
def test_the_state_of_an_item_tells_how_its_call_ended(
    end: dict[str, Any], events: list[str], failed: bool | None
) -> None:
    found = converted(START, started("command_execution"), completed("command_execution", **end))
    assert kinds(found.trace) == events
    assert only(found.trace, type="tool_result").get("x_error") is failed


def test_items_and_rows_of_unknown_types_are_losses_and_no_calls() -> None:
    unknown = [started("new_item"), completed("new_item"), completed("other"), {"type": "new.row"}]
    found = converted(START, TURN, *unknown, completed("agent_message", text="a"), done())
    assert kinds(found.trace) == ["return"]
    assert lost(found, "items of the unknown type new_item") == [("dropped", 1)]
    assert lost(found, "items of the unknown type other") == [("dropped", 1)]
    assert lost(found, "rows of the unknown type new.row") == [("dropped", 1)]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([TURN, completed("agent_message"), done()], "implicit"),
        ([TURN, completed("file_change")], "truncated"),
        ([TURN, completed("file_change"), {"type": "turn.failed"}], "external"),
        ([TURN, completed("file_change"), {"type": "error"}, done()], "implicit"),
        ([TURN, completed("file_change"), done(), TURN], "truncated"),
    ],
)
def test_the_last_turn_tells_why_the_run_stopped(rows: list[dict[str, Any]], reason: str) -> None:
    events = converted(START, *rows).trace["events"]
    assert [one["x_stop_reason"] for one in events if "x_stop_reason" in one] == [reason]


def test_a_thread_that_starts_again_is_another_run() -> None:
    rows = [TURN, completed("agent_message", text="a"), done()]
    found = all_converted(TURN, START, *rows, {**START, "thread_id": "th-2"}, *rows)
    assert [one.trace["trace_id"] for one in found] == ["th-1", "th-2"]


def test_work_before_the_start_of_a_thread_is_of_another_run() -> None:
    words = completed("agent_message", text="a")
    warning = completed("error", message="old option")
    found = all_converted(warning, words, done(), START, TURN, words, done())
    first, second = (one.trace["trace_id"] for one in found)
    assert (first.startswith("thread-"), second) == (True, "th-1")


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("command_execution", "command"),
        ("mcp_tool_call", "arguments"),
        ("web_search", "query"),
        ("file_change", "changes"),
    ],
)
def test_what_a_call_asked_is_its_content(kind: str, field: str) -> None:
    found = converted(START, TURN, completed(kind, **{field: "x"}))
    assert only(found.trace, type="tool_call")["content_ref"] == "x"


def collab(tool: str, name: str, *receivers: object, **more: Any) -> dict[str, Any]:
    return completed("collab_tool_call", name, tool=tool, receiver_thread_ids=[*receivers], **more)


def test_a_sub_agent_is_spawned_asked_awaited_and_closed_once() -> None:
    states = {"k1": {"status": "completed", "message": "seen"}, "x": {"status": "completed"}}
    found = converted(
        START,
        TURN,
        collab("spawn_agent", "s1", "k1", prompt="look"),
        collab("spawn_agent", "s2", "k1", prompt="look"),
        collab("send_input", "m1", "k1", prompt="and there"),
        collab("wait", "w1", agents_states={"k1": {"status": "running"}}),
        collab("wait", "w2", agents_states=states),
        collab("wait", "w3", agents_states=states),
        collab("close_agent", "c1", "k1", 7),
        completed("agent_message", text="done"),
        done(),
    )
    told = [one for one in kinds(found.trace) if one != "orchestrator_decision"]
    assert told == ["spawn", "message", "return", "aggregate", "despawn", "return"]
    back = only(found.trace, type="return", agent="agent-1")
    assert (back["content_ref"], back["x_call_id"], "x_error" in back) == ("seen", "s1", False)
    assert lost(found, "the steps of a sub-agent") == [("dropped", 1)]


def test_a_sub_agent_that_failed_returns_with_an_error() -> None:
    states = {"k1": {"status": "errored", "message": "no model"}}
    rows = [collab("spawn_agent", "s1", "k1"), collab("wait", "w1", agents_states=states)]
    back = only(converted(START, TURN, *rows, done()).trace, type="return", agent="agent-1")
    assert (back["x_error"], back["content_ref"]) == (True, "no model")


@pytest.mark.parametrize(
    "row",
    [
        collab("spawn_agent", "s1", status="failed"),
        collab("spawn_agent", "s1"),
        collab("wait", "s1", "k1", status="failed"),
    ],
)
def test_a_call_that_started_nothing_is_a_tool_call(row: dict[str, Any]) -> None:
    found = converted(START, TURN, row, done())
    assert kinds(found.trace) == ["tool_call", "tool_result", "return"]
