"""A conversation is forked after each of its rows; each token counts once all the same."""

import copy
import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.support.converted import lost
from tests.support.recorded_evaluations import inspect_log, inspect_sample
from tests.support.recorded_traces import Recorder, say, sequential_helpers, use, write_rows

CODEX = Path(__file__).with_name("cases") / "codex-user-fork"
OWN = "f0000000-0000-4000-8000-000000000001"


def tokens(run, folder):
    return sum(found.trace["costs"]["tokens"] for found in run(folder))


def conversation():
    """Answers of one and of several rows, tools, and prompts."""
    log = Recorder()
    for turn in range(3):
        log.ask("main", f"question {turn}")
        log.step("main", f"a{turn}", say("hm"), use(f"c{turn}", "Read"), input_tokens=10 + turn)
        log.result("main", f"c{turn}", "text")
        log.step("main", f"b{turn}", say(f"answer {turn}"), input_tokens=20, output_tokens=turn)
    return log


def fork_of(rows, style):
    """The rows as another session begins with them, and what it goes on with."""
    fork = []
    for row in copy.deepcopy(rows):
        row["sessionId"] = OWN
        if style != "same uuid":
            if style == "forkedFrom":
                row["forkedFrom"] = {"sessionId": "s-1", "messageUuid": row["uuid"]}
            row["uuid"] = f"f{row['uuid']}"
            row["parentUuid"] = row["parentUuid"] and f"f{row['parentUuid']}"
        fork.append(row)
    log = Recorder(session=OWN)
    log.ask("main", "Go on")
    log.step("main", "own", say("ok"), input_tokens=7, output_tokens=3)
    for row, second in zip(log.rows, (1, 2)):
        row["timestamp"] = f"2027-01-01T00:00:0{second}Z"
        row["uuid"] = f"own-{row['uuid']}"
    log.rows[0]["parentUuid"], log.rows[1]["parentUuid"] = fork[-1]["uuid"], log.rows[0]["uuid"]
    return fork + log.rows


@pytest.mark.parametrize("style", ["new uuid", "same uuid", "forkedFrom"])
@pytest.mark.parametrize("make", [conversation, sequential_helpers])
def test_a_fork_of_claude_code_counts_what_it_adds(tmp_path, run, make, style):
    rows = make().rows
    write_rows(tmp_path / "a.jsonl", rows)
    whole = tokens(run, tmp_path)
    first = next(place for place, row in enumerate(rows) if row["type"] == "assistant")
    for border in range(first + 1, len(rows) + 1, 1 if make is conversation else 5):
        write_rows(tmp_path / "b.jsonl", fork_of(rows[:border], style))
        assert tokens(run, tmp_path) == whole + 10, border


def test_a_conversation_that_goes_on_after_it_was_forked_is_the_original(tmp_path, run):
    rows = conversation().rows
    begun = {"type": "queue-operation", "sessionId": "s-1", "timestamp": "2025-12-31T23:59:59Z"}
    later = conversation()
    later.step("main", "later", say("more"), input_tokens=1)
    later.rows[-1]["timestamp"] = "2028-01-01T00:00:00Z"
    write_rows(tmp_path / "b.jsonl", [begun, *later.rows])
    write_rows(tmp_path / "a.jsonl", fork_of(rows, "same uuid"))
    found = {one.trace["trace_id"]: one.trace["costs"]["tokens"] for one in run(tmp_path)}
    assert found[OWN] == 10
    assert sum(found.values()) == tokens(run, tmp_path / "b.jsonl") + 10


def codex_rows():
    """The first row of a thread, and the others of it and of its fork."""
    first, second = [
        [json.loads(line) for line in path.read_text().splitlines()]
        for path in sorted(CODEX.iterdir())
    ]
    own = [row for row in second if row["timestamp"] > "2026-08-03T09:01:40.4"]
    return first[0], first[1:] + own


def codex_fork(meta, rows, *, is_marked):
    start = datetime(2026, 8, 4, 10)

    def at(milliseconds):
        return (start + timedelta(milliseconds=milliseconds)).isoformat("T", "milliseconds") + "Z"

    def row(milliseconds, kind, **payload):
        return {"timestamp": at(milliseconds), "type": kind, "payload": payload}

    name = meta["payload"]["id"]
    own = {**meta["payload"], "id": "019f0000-0000-7000-8000-0000000000ff", "forked_from_id": name}
    copied = [{**one, "timestamp": at(100 + place)} for place, one in enumerate([meta, *rows])]
    marked = [row(190, "event_msg", type="thread_settings_applied", settings={})]
    asked = [{"type": "input_text", "text": "More"}]
    answer = [{"type": "output_text", "text": "Done more"}]
    spent = {"input_tokens": 70, "output_tokens": 7, "total_tokens": 77}
    info = {"total_token_usage": {"total_tokens": 99_999}, "last_token_usage": spent}
    return [
        row(0, "session_meta", **own),
        *copied,
        *(marked if is_marked else []),
        row(2000, "event_msg", type="task_started", turn_id="own"),
        row(2100, "response_item", type="message", role="user", content=asked),
        row(2100, "event_msg", type="user_message", message="More"),
        row(3000, "response_item", type="message", role="assistant", content=answer),
        row(3100, "event_msg", type="token_count", info=info),
        row(3200, "event_msg", type="task_complete", last_agent_message="Done more"),
    ]


@pytest.mark.parametrize("is_marked", [True, False], ids=["with a border", "by time"])
@pytest.mark.parametrize("is_alone", [True, False], ids=["alone", "with its origin"])
def test_a_fork_of_codex_counts_what_it_adds(tmp_path, run, is_alone, is_marked):
    meta, rows = codex_rows()
    whole = 0
    if not is_alone:
        write_rows(tmp_path / "rollout-a.jsonl", [meta, *rows])
        whole = tokens(run, tmp_path)
    for border in range(1, len(rows) + 1):
        fork = codex_fork(meta, rows[:border], is_marked=is_marked)
        write_rows(tmp_path / "rollout-b.jsonl", fork)
        assert tokens(run, tmp_path) == whole + 77, border


def test_a_rolled_back_turn_of_codex_is_undone_and_counted(tmp_path, run):
    meta, rows = codex_rows()
    turn = codex_fork(meta, [], is_marked=False)[2:]
    back = {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}}
    back["timestamp"] = turn[-1]["timestamp"]
    again = copy.deepcopy(turn)
    for row in again:
        row["timestamp"] = row["timestamp"].replace("T10", "T11")
    again[4]["payload"]["info"]["total_token_usage"] = {"total_tokens": 111_111}
    (found,) = run(write_rows(tmp_path / "rollout-a.jsonl", [meta, *rows, *turn, back, *again]))
    undone = [event for event in found.trace["events"] if event.get("x_undone")]
    assert [event["type"] for event in undone] == ["human_intervention", "return"]
    assert sum(event.get("x_tokens", 0) for event in undone) == 77
    after = found.trace["events"][-1]
    assert (after.get("x_undone"), after["x_tokens"]) == (None, 77)


def test_a_sample_of_a_retried_evaluation_counts_once(tmp_path, run):
    log = inspect_log({**inspect_sample(), "uuid": "u-1"})
    for name in ("first", "retry"):
        (tmp_path / f"{name}.json").write_text(json.dumps(log))
    (found,) = run(tmp_path)
    assert lost(found, "a retry repeats") == [("dropped", 1)]
