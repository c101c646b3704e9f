"""Conversations of teams and coding agents: what their samples alone do not show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpus.traces.convert.conversations.gemini_cli import companions
from corpus.traces.convert.document import RecordedFile, Row
from tests.support.recorded_samples import iso
from tests.support.recorded_talks import (
    autogen_0_4,
    chat_row,
    gemini_cli_0_40,
    gemini_session,
    swe_run,
)
from tests.support.recorded_traces import Run, into, kinds, only


@pytest.mark.parametrize("agent", ["../secret", "..", "a/b", "/etc/passwd", ""])
def test_a_session_brings_in_no_file_outside_of_its_folder(tmp_path: Path, agent: str) -> None:
    call = {"id": "c1", "name": "helper", "agentId": agent}
    message = {"id": "g1", "type": "gemini", "timestamp": iso(0), "toolCalls": [call]}
    node = {"sessionId": "s", "projectHash": "ab", "messages": [message]}
    document = RecordedFile(tmp_path / "session.json", (Row(1, node),))
    assert list(companions(document)) == []


@pytest.mark.parametrize("session", ["..", "../x", "/"])
def test_a_session_of_an_odd_name_brings_in_nothing(tmp_path: Path, session: str) -> None:
    node = {**gemini_session(), "sessionId": session}
    node["messages"][1]["toolCalls"][0]["agentId"] = "sub"
    document = RecordedFile(tmp_path / "session.json", (Row(1, node),))
    assert list(companions(document)) == []


def test_the_file_of_a_sub_agent_is_found_beside_its_session(tmp_path: Path, run: Run) -> None:
    gemini_cli_0_40().write(tmp_path)
    (found,) = run(tmp_path / "session-2.jsonl")
    assert kinds(found.trace, "investigator") == ["tool_call", "tool_result", "return"]


def test_sub_agents_that_call_each_other_end_at_a_limit(tmp_path: Path, run: Run) -> None:
    def session(name: str, kind: str, agent: str) -> list[dict[str, Any]]:
        call = {"id": "c", "name": "ask", "agentId": agent, "status": "success"}
        message = {"id": "g", "type": "gemini", "timestamp": iso(0), "toolCalls": [call]}
        return [{"sessionId": name, "projectHash": "ab", "kind": kind}, message]

    files = {"a": ("main", "b"), "b": ("subagent", "c"), "c": ("subagent", "b")}
    for name, (kind, agent) in files.items():
        path = tmp_path / f"{name}.jsonl"
        rows = session(name, kind, agent)
        path.write_text("\n".join(json.dumps(row) for row in rows))
    (found,) = run(tmp_path)
    assert kinds(found.trace).count("spawn") == kinds(found.trace).count("return")


def test_a_handoff_leads_to_the_next_step_of_its_target(tmp_path: Path, run: Run) -> None:
    (found,) = run(autogen_0_4().write(tmp_path))
    message = only(found.trace, type="message", to="writer")
    assert "to" not in message["x_inferred"]
    answer = only(found.trace, type="message", to="checker")
    assert message["id"] in [event["id"] for event, _ in into(found.trace, answer)]


def test_lists_of_conversations_are_one_trace_each(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "chats.json"
    path.write_text(json.dumps([chat_row(), chat_row()]))
    found = run(path)
    assert len({one.trace["trace_id"] for one in found}) == 2


def test_a_trajectory_without_an_end_is_cut_short(tmp_path: Path, run: Run) -> None:
    node = swe_run()
    del node["info"]
    node["trajectory"].pop()
    path = tmp_path / "t.traj"
    path.write_text(json.dumps(node))
    (found,) = run(path)
    (stop,) = [e["x_stop_reason"] for e in found.trace["events"] if "x_stop_reason" in e]
    assert stop == "truncated"
    assert not any("x_tokens" in event for event in found.trace["events"])
