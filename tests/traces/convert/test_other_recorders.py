"""Files that are recognised in order to name the way in that exists."""

import json
from pathlib import Path
from typing import Any

import pytest

from corpus.model.finding import CorpusError
from corpus.traces.convert.format import OTHERS
from corpus.traces.convert.intake import read_inputs
from tests.support.recorded_traces import write_rows

#: Rows as the recorders write them, by the name of each.
FILES: dict[str, list[Any]] = json.loads(
    Path(__file__).with_name("other_recorders.json").read_text(encoding="utf-8")
)
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
