"""Files that are recognised in order to name the way in that exists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corpus.model.finding import CorpusError
from corpus.traces.convert.intake import read_inputs
from corpus.traces.convert.other_recorders import OTHERS
from tests.support.recorded_traces import write_rows

FILES: dict[str, list[Any]] = {
    "codex-exec": [{"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"}],
    "swe-agent": [{"environment": "main", "trajectory": [], "history": [], "info": {}}],
    "openhands": [[{"id": 0, "source": "user", "action": "message", "args": {}}]],
    "otel-console": [{"name": "a", "context": {"trace_id": "1", "span_id": "2"}, "attributes": {}}],
    "openai-chat": [{"messages": [{"role": "user", "content": "go"}]}],
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_refusal_names_the_recorder_and_the_way(tmp_path: Path, name: str) -> None:
    path = write_rows(tmp_path / "run.jsonl", FILES[name])
    with pytest.raises(CorpusError) as refused:
        read_inputs([path], "auto")
    (finding,) = refused.value.findings
    assert (finding.code, finding.hint) == ("OT207", OTHERS[name].way)


def test_a_file_without_any_mark_is_of_no_known_format(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "run.jsonl", [{"type": "note", "context": {"trace_id": "1"}}, [3]])
    with pytest.raises(CorpusError) as refused:
        read_inputs([path], "auto")
    assert [finding.code for finding in refused.value.findings] == ["OT202"]
