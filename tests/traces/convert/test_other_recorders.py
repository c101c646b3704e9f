"""Files that are recognised in order to name the way in that exists."""

from typing import Any

import pytest

from corpus.model.finding import CorpusError
from corpus.traces.convert.format import OTHERS
from corpus.traces.convert.intake import read_inputs
from tests.support.recorded_traces import write_rows

ASKED = [{"type": "text", "text": "go"}]
FILES: dict[str, list[Any]] = {
    "codex-exec": [{"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"}],
    "swe-agent": [{"environment": "main", "trajectory": [], "history": [], "info": {}}],
    "mini-swe-agent": [
        {"trajectory_format": "mini-swe-agent-1.1", "messages": [{"role": "user", "content": "go"}]}
    ],
    "instances": [{"a__b-1": {"instance_id": "a__b-1", "model_patch": ""}}],
    "openhands": [[{"id": 0, "source": "user", "action": "message", "args": {}}]],
    "copilot": [{"type": "session.start", "data": {"sessionId": "s", "copilotVersion": "1.0"}}],
    "opencode": [{"id": "m", "sessionID": "s", "role": "assistant", "time": {"created": 1}}],
    "cursor": [{"role": "user", "message": {"content": ASKED}}],
    "kimi": [{"type": "metadata", "protocol_version": "1.4", "created_at": 1}],
    "pi": [{"type": "session", "id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/a"}],
    "goose": [{"working_dir": "/a", "description": "b", "message_count": 1}],
    "cline": [[{"ts": 1, "type": "say", "say": "text", "text": "go"}]],
    "qwen": [{"sessionId": "s", "uuid": "u", "message": {"role": "user", "parts": [{}]}}],
    "droid": [{"type": "session_start", "id": "s", "cwd": "/a"}],
    "otel-console": [
        {"kind": "INTERNAL", "context": {"trace_id": "1", "span_id": "2"}, "attributes": {}}
    ],
    "openai-chat": [{"messages": [{"role": "user", "content": "go"}]}],
}
LIKE_OTHERS: dict[str, list[Any]] = {
    # Rows and streams that begin as those of Claude Code do, and a session as of the Gemini CLI.
    "qwen": [{"sessionId": "s", "projectHash": "h", "messages": [{}, {"type": "qwen", "id": "a"}]}],
    "cursor": [{"type": "system", "subtype": "init", "session_id": "s", "apiKeySource": "env"}],
    "droid": [{"type": "system", "subtype": "init", "session_id": "s", "tools": ["Read"]}],
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_refusal_names_the_recorder_and_the_way(tmp_path, name):
    path = write_rows(tmp_path / "run.jsonl", FILES[name])
    with pytest.raises(CorpusError) as refused:
        read_inputs([path], "auto")
    (finding,) = refused.value.findings
    assert (finding.code, finding.hint) == ("OT207", OTHERS[name]["way"])
    with pytest.raises(CorpusError) as folder:
        read_inputs([tmp_path], "auto")
    assert folder.value.findings == refused.value.findings


@pytest.mark.parametrize("name", LIKE_OTHERS)
def test_what_looks_like_another_format_is_not_taken_for_it(tmp_path, name):
    path = write_rows(tmp_path / "run.jsonl", LIKE_OTHERS[name])
    with pytest.raises(CorpusError) as refused:
        read_inputs([path], "auto")
    (finding,) = refused.value.findings
    assert OTHERS[name]["title"] in finding.message


def test_a_file_without_any_mark_is_of_no_known_format(tmp_path):
    path = write_rows(tmp_path / "run.jsonl", [{"type": "note", "context": {"trace_id": "1"}}, [3]])
    with pytest.raises(CorpusError) as refused:
        read_inputs([path], "auto")
    assert [finding.code for finding in refused.value.findings] == ["OT202"]
