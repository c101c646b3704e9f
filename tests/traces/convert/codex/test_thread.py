"""Rollout files as threads, and threads as runs."""

from __future__ import annotations

from pathlib import Path

from tests.support.recorded_samples import codex_kid, codex_root
from tests.support.recorded_traces import Run, kinds, write_rows


def test_threads_that_name_each_other_as_parent_end(tmp_path: Path, run: Run) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        rows = codex_kid()
        rows[0]["payload"] = {"id": one, "parent_thread_id": other}
        write_rows(tmp_path / f"{one}.jsonl", rows)
    assert run(tmp_path)


def test_a_forked_thread_does_not_repeat_the_work_of_its_parent(tmp_path: Path, run: Run) -> None:
    write_rows(tmp_path / "rollout-root.jsonl", codex_root())
    write_rows(tmp_path / "rollout-kid.jsonl", codex_kid())
    (plain,) = run(tmp_path)
    kid = codex_kid()
    kid[1]["payload"] = {**kid[1]["payload"], "message": "look there"}
    copied = [{**row, "timestamp": kid[0]["timestamp"]} for row in codex_root()[1:10]]
    write_rows(tmp_path / "rollout-kid.jsonl", [kid[0], *copied, *kid[1:]])
    (forked,) = run(tmp_path)
    assert kinds(forked.trace, "Finch") == kinds(plain.trace, "Finch")
    assert forked.trace["costs"] == plain.trace["costs"]
    assert [loss.count for loss in forked.losses if "forked thread" in loss.what] == [len(copied)]


def test_a_fork_of_a_fork_repeats_neither(tmp_path: Path, run: Run) -> None:
    root, kid = codex_root(), codex_kid()
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "kid", "depth": 2}}}
    meta = {**kid[0], "payload": {"id": "grandkid", "source": spawn}}
    start = [{**row, "timestamp": kid[0]["timestamp"]} for row in root[1:10]]
    call = {"type": "custom_tool_call", "name": "own", "input": "", "call_id": "g1"}
    own = {**kid[2], "payload": call}
    write_rows(tmp_path / "rollout-root.jsonl", root)
    write_rows(tmp_path / "rollout-kid.jsonl", [kid[0], *start, *kid[2:]])
    write_rows(tmp_path / "rollout-grandkid.jsonl", [meta, *start, *kid[2:4], own])
    (found,) = run(tmp_path)
    calls = [event["tool"] for event in found.trace["events"] if event["type"] == "tool_call"]
    assert sorted(calls) == ["grep", "own", "shell"]
