import gzip
import io
import json
from pathlib import Path

import pytest

from corpus.model.finding import CorpusError
from corpus.traces.convert import intake
from corpus.traces.convert.format import Redaction
from corpus.traces.convert.intake import convert_all, read_inputs
from tests.support.recorded_traces import Recorder, say, use


def session(tmp_path, name="s.jsonl"):
    log = Recorder()
    log.ask("main", "go")
    log.step("main", "m1", say("done"))
    return log.write(tmp_path / name)


def codes(paths, name="auto"):
    with pytest.raises(CorpusError) as refused:
        list(convert_all(read_inputs(paths, name)[0], Redaction()))
    return [finding.code for finding in refused.value.findings]


def test_a_missing_file_and_a_named_format_that_does_not_fit(tmp_path):
    assert codes([tmp_path / "none.jsonl"]) == ["OT204"]
    assert codes([tmp_path / ("x" * 5000)]) == ["OT204"]
    empty = tmp_path / "e.json"
    empty.write_text("{}")
    assert codes([empty], "claude-code") == ["OT203"]


def test_files_of_a_folder_that_are_not_runs_are_skipped(tmp_path):
    session(tmp_path)
    (tmp_path / "notes.json").write_text("{}")
    (tmp_path / "half.jsonl").write_text("{")
    documents, findings = read_inputs([tmp_path], "auto")
    assert len(documents["claude-code"]) == 1
    assert [(finding.code, Path(finding.file).name) for finding in findings] == [
        ("OT205", "half.jsonl"),
        ("OT205", "notes.json"),
    ]


def chain(folder, length):
    """A session whose first agent answers a file of a second one, and so on."""
    for number in range(length):
        log = Recorder()
        log.ask("main", "go")
        log.rows[0] |= {"agentId": f"a{number}", "toolUseResult": {"agentId": f"a{number + 1}"}}
        log.rows[0] |= {"uuid": f"u{number}", "isSidechain": number > 0}
        log.write(folder / (f"agent-a{number}.jsonl" if number else "s.jsonl"))
    return folder / "s.jsonl"


def test_files_that_name_each_other_in_a_chain_are_read_up_to_a_limit(tmp_path, monkeypatch):
    path = chain(tmp_path, length=8)
    monkeypatch.setattr(intake, "FILES_LIMIT", 3)
    documents, findings = read_inputs([path], "auto")
    names = [one.path.name for one in documents["claude-code"]]
    assert names == ["s.jsonl", "agent-a1.jsonl", "agent-a2.jsonl", "agent-a3.jsonl"]
    left_out = str(tmp_path / "agent-a4.jsonl")
    assert [(finding.code, finding.file) for finding in findings] == [("OT205", left_out)]


def test_a_broken_file_that_a_run_names_is_left_out_and_noted(tmp_path):
    path = chain(tmp_path, length=2)
    (tmp_path / "agent-a1.jsonl").write_text("{")
    documents, findings = read_inputs([path], "auto")
    assert len(documents["claude-code"]) == 1
    assert [(finding.code, Path(finding.file).name) for finding in findings] == [
        ("OT205", "agent-a1.jsonl")
    ]


def test_gzip_byte_order_mark_and_standard_input_read_alike(tmp_path, run):
    path = session(tmp_path)
    (plain,) = run(path)
    content = path.read_bytes()
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + content, mtime=0))
    (packed,) = run(path)
    piped = list(convert_all(read_inputs([Path("-")], "auto", io.BytesIO(content))[0], Redaction()))
    assert plain.trace == packed.trace == piped[0].trace


def test_one_file_named_twice_is_read_once(tmp_path, run):
    path = session(tmp_path)
    assert len(run(path, path, tmp_path)) == 1


def test_half_a_surrogate_pair_stops_no_run_that_keeps_its_content(tmp_path, run):
    log = Recorder()
    log.ask("main", "cut \ud83d")
    log.step("main", "m1", use("c\ud83d", "Tool \ud83d"), say("done"))
    (found,) = run(log.write(tmp_path / "s.jsonl"), redact=False)
    written = json.dumps(found.trace, ensure_ascii=False)
    assert "cut \ufffd" in written
    assert "Tool \ufffd" in written
    assert written.encode()
