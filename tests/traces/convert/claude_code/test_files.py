"""Which files are one session, and which call started each sub-agent of it."""

from __future__ import annotations

import json
import random
from pathlib import Path

from tests.support.recorded_streams import claude_stream_rows
from tests.support.recorded_traces import (
    Recorder,
    Run,
    kinds,
    only,
    say,
    task,
    use,
    write_rows,
)


def test_subagents_folder_with_notes(tmp_path: Path, recorder: Recorder, run: Run) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", task("t1", "first"), task("t2", "second"))
    main = recorder.rows[:]
    recorder.ask("k", "no prompt fits", agentId="k")
    recorder.step("k", "x1", use("c", "Bash"))
    recorder.row("k", "attachment", None, attachment={"hookEvent": "SubagentStop"})
    recorder.write(tmp_path / "s-1.jsonl", main)
    recorder.write(tmp_path / "s-1" / "subagents" / "agent-k.jsonl", recorder.rows[len(main) :])
    note = tmp_path / "s-1" / "subagents" / "agent-k.meta.json"
    note.write_text(json.dumps({"agentType": "helper", "toolUseId": "t2"}))
    (found,) = run(tmp_path / "s-1.jsonl")
    events = found.trace["events"]
    worker = only(found.trace, type="tool_call")["agent"]
    assert only(found.trace, type="spawn", to=worker)["x_call_id"] == "t2"
    assert [event["to"] for event in events if event["type"] == "despawn"] == [worker]
    assert events[-1]["x_stop_reason"] == "truncated"


def test_nested_helpers_are_hierarchical(tmp_path: Path, recorder: Recorder, run: Run) -> None:
    recorder.ask("main", "go")
    recorder.step("main", "m1", task("t1", "outer"))
    recorder.ask("outer", "outer", agentId="outer")
    recorder.step("outer", "o1", task("t2", "inner"))
    for row in recorder.rows[2:]:
        row["agentId"] = "outer"
    recorder.ask("inner", "inner", agentId="inner")
    recorder.step("inner", "i1", say("deep"))
    recorder.rows[-1]["agentId"] = "inner"
    recorder.result("outer", "t2", "deep")
    recorder.rows[-1]["agentId"] = "outer"
    (found,) = run(recorder.write(tmp_path / "s.jsonl"))
    assert found.trace["topology"] == "hierarchical"
    given = [event["agent"] for event in found.trace["events"] if event["type"] == "spawn"]
    assert given == ["main", "helper-1"]


def test_rows_out_of_order_and_repeated_rows_change_nothing(
    tmp_path: Path, two_helpers: Recorder, run: Run
) -> None:
    (straight,) = run(two_helpers.write(tmp_path / "a.jsonl"))
    shuffled = two_helpers.rows + two_helpers.rows[3:9]
    random.Random(4).shuffle(shuffled)
    (mixed,) = run(two_helpers.write(tmp_path / "b.jsonl", shuffled))
    assert mixed.trace == straight.trace
    assert ("dropped", 6) in [(loss.kind, loss.count) for loss in mixed.losses]


def test_a_sub_agent_of_one_without_a_call_stays_with_it(tmp_path: Path, run: Run) -> None:
    rows = [*claude_stream_rows()]
    # The call that starts the helper is of an agent whose own call is missing.
    rows[1] = {**rows[1], "parent_tool_use_id": "elsewhere"}
    found = run(write_rows(tmp_path / "out.jsonl", rows))
    spawns = [kinds(one.trace).count("spawn") for one in found]
    assert (len(found), sum(spawns)) == (2, 1)
