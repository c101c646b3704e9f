"""Rollout files as threads, and threads as runs."""

from typing import Any

import pytest

from corpus.traces.convert.codex.rollout import drop_repeats, threads_of
from tests.support.converted import each, lost, recorded
from tests.support.recorded_samples import codex_kid, codex_root, iso
from tests.support.recorded_traces import kinds, write_rows


def test_threads_that_name_each_other_as_parent_end(tmp_path, run):
    for one, other in (("a", "b"), ("b", "a")):
        rows = codex_kid()
        rows[0]["payload"] = {"id": one, "parent_thread_id": other}
        write_rows(tmp_path / f"{one}.jsonl", rows)
    assert run(tmp_path)


def test_a_forked_thread_does_not_repeat_the_work_of_its_parent(tmp_path, run):
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
    assert [count for _, count in lost(forked, "forked thread")] == [len(copied)]


def test_a_fork_of_a_fork_repeats_neither(tmp_path, run):
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
    calls = each(found.trace, "tool_call", "tool")
    assert sorted(calls) == ["grep", "own", "shell"]


def rollout(name, *rows):
    return recorded(*rows, name=name)


def meta(**payload):
    return {"type": "session_meta", "payload": payload}


def item(second, words, kind="response_item"):
    row: dict[str, Any] = {"type": kind, "payload": {"type": "message", "words": words}}
    if second is not None:
        row["timestamp"] = iso(second)
    return row


def words(rows):
    return [row.payload["words"] for row in rows if "words" in row.payload]


def test_a_copy_of_a_file_is_read_once_and_what_it_adds_is_kept():
    rows = [meta(id="t"), item(0, "a"), item(0, "a"), item(1, "b")]
    copied = rollout("t.jsonl.gz", *rows, item(2, "c"))
    (found,) = threads_of([rollout("t.jsonl", *rows), copied]).values()
    assert (words(found.rows), len(found.left_out)) == (["a", "a", "b", "c"], 4)


def test_a_copy_of_a_file_changes_nothing_but_the_losses(tmp_path, run):
    path = write_rows(tmp_path / "rollout-root.jsonl", codex_root())
    (plain,) = run(path)
    (both,) = run(path, write_rows(tmp_path / "copy.jsonl", codex_root()))
    for one in (plain, both):
        del one.trace["events"][0]["x_run"]
    assert both.trace == plain.trace
    assert [count for _, count in lost(both, "another file")] == [18]


def test_only_the_start_that_a_fork_repeats_is_dropped():
    root = rollout("r", meta(id="r"), item(0, "a"), item(1, "b"), item(2, "c"))
    # Copied rows have the time of the fork; later rows in the same words are its own.
    kid = [item(5, "a"), item(5, "b"), item(6, "own"), item(7, "c")]
    threads = threads_of([root, rollout("k", meta(id="k", parent_thread_id="r"), *kid)])
    assert {name: len(rows) for name, rows in drop_repeats(threads).items()} == {"r": 0, "k": 2}
    assert words(threads["k"].rows) == ["own", "c"]
    assert words(threads["r"].rows) == ["a", "b", "c"]


def test_a_task_in_the_words_of_the_parent_makes_no_fork():
    asked = item(0, "go", "event_msg")
    kid = rollout("k", meta(id="k", parent_thread_id="r"), asked, item(1, "own"))
    threads = threads_of([rollout("r", meta(id="r"), asked), kid])
    assert drop_repeats(threads) == {"r": [], "k": []}


@pytest.mark.parametrize("kind", ["review", {"thread_spawn": {"parent_thread_id": "gone"}}])
def test_what_a_lone_sub_agent_is_asked_is_no_word_of_a_person(tmp_path, run, kind):
    """Codex 0.60 and later write a review as a sub-agent without the id of who started it."""
    rows = codex_kid()
    rows[0]["payload"]["source"] = {"subagent": kind}
    (found,) = run(write_rows(tmp_path / "rollout-kid.jsonl", rows))
    assert "human_intervention" not in [event["type"] for event in found.trace["events"]]
