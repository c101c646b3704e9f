from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from corpus.model.finding import CorpusError
from corpus.traces.convert import document
from corpus.traces.convert.intake import convert_all, read_inputs
from corpus.traces.convert.redaction import Redaction
from tests.support.recorded_evaluations import archive, inspect_sample
from tests.support.recorded_traces import Recorder, Run, say, use


def session(tmp_path: Path, name: str = "s.jsonl") -> Path:
    log = Recorder()
    log.ask("main", "go")
    log.step("main", "m1", say("done"))
    return log.write(tmp_path / name)


def test_broken_lines_are_skipped_and_named(tmp_path: Path) -> None:
    path = session(tmp_path)
    first, second = path.read_bytes().splitlines()
    junk = [
        b'{"cut',
        b"\xff\xfe",
        b"[" * 5000,
        b"NaN",
        b"1" * 5000,
        b'{"a":' * 300 + b"1" + b"}" * 300,
    ]
    path.write_bytes(b"\n".join([first, *junk, b"", second]))
    documents, findings = read_inputs([path], "auto")
    assert [(finding.code, finding.line) for finding in findings] == [
        ("OT201", line) for line in range(2, 8)
    ]
    (found,) = convert_all(documents, Redaction())
    assert len(found.trace["events"]) == 2


def test_a_long_line_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "LINE_LIMIT", 4000)
    path = session(tmp_path)
    path.write_text(path.read_text() + json.dumps({"pad": "x" * 5000}) + "\n")
    _, findings = read_inputs([path], "auto")
    assert [(finding.code, finding.line) for finding in findings] == [("OT201", 3)]


@pytest.mark.parametrize("packed", [False, True])
def test_a_large_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    monkeypatch.setattr(document, "FILE_LIMIT", 10_000)
    path = tmp_path / "big.json"
    content = b"[" + b" " * 100_000 + b"]"
    path.write_bytes(gzip.compress(content, mtime=0) if packed else content)
    assert codes([path]) == ["OT204"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "OT204"),
        (b"\n \n", "OT204"),
        (b"hello", "OT204"),
        (b"\x1f\x8bno gzip", "OT204"),
        (gzip.compress(b"{}", mtime=0)[:-6], "OT204"),
        (b"{}", "OT202"),
        (b"[1, 2]", "OT202"),
        (b'{"sessionId": 3}\n7\nnull\n"x"', "OT202"),
        (b"{" * 100_000, "OT204"),
    ],
)
def test_a_document_that_is_not_a_run_is_a_finding(
    tmp_path: Path, content: bytes, code: str
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    assert codes([path]) == [code]


def codes(paths: list[Path], name: str = "auto") -> list[str]:
    with pytest.raises(CorpusError) as refused:
        list(convert_all(read_inputs(paths, name)[0], Redaction()))
    return [finding.code for finding in refused.value.findings]


def test_a_missing_file_and_a_named_format_that_does_not_fit(tmp_path: Path) -> None:
    assert codes([tmp_path / "none.jsonl"]) == ["OT204"]
    empty = tmp_path / "e.json"
    empty.write_text("{}")
    assert codes([empty], "claude-code") == ["OT203"]


def test_files_of_a_folder_that_are_not_runs_are_skipped(tmp_path: Path) -> None:
    session(tmp_path)
    (tmp_path / "notes.json").write_text("{}")
    (tmp_path / "half.jsonl").write_text("{")
    documents, findings = read_inputs([tmp_path], "auto")
    assert len(documents["claude-code"]) == 1
    assert [(finding.code, finding.severity) for finding in findings] == [("OT205", "warning")]


def test_gzip_byte_order_mark_and_standard_input_read_alike(tmp_path: Path, run: Run) -> None:
    path = session(tmp_path)
    (plain,) = run(path)
    content = path.read_bytes()
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + content, mtime=0))
    (packed,) = run(path)
    piped = list(convert_all(read_inputs([Path("-")], "auto", io.BytesIO(content))[0], Redaction()))
    assert plain.trace == packed.trace == piped[0].trace


def test_one_file_named_twice_is_read_once(tmp_path: Path, run: Run) -> None:
    path = session(tmp_path)
    assert len(run(path, path, tmp_path)) == 1


def test_half_a_surrogate_pair_stops_no_run_that_keeps_its_content(
    tmp_path: Path, run: Run
) -> None:
    log = Recorder()
    log.ask("main", "cut \ud83d")
    log.step("main", "m1", use("c\ud83d", "Tool \ud83d"), say("done"))
    (found,) = run(log.write(tmp_path / "s.jsonl"), redact=False)
    written = json.dumps(found.trace, ensure_ascii=False)
    assert "cut \ufffd" in written
    assert "Tool \ufffd" in written
    assert written.encode()


def test_an_archive_is_read_within_the_limit_of_one_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "FILE_LIMIT", 10_000)
    path = tmp_path / "bomb.eval"
    path.write_bytes(archive({f"samples/{n}.json": "[" + " " * 6000 + "]" for n in range(2)}))
    assert codes([path]) == ["OT204"]


def test_an_archive_of_too_many_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "MEMBERS_LIMIT", 2)
    path = tmp_path / "many.eval"
    path.write_bytes(archive({f"samples/{n}.json": "{}" for n in range(3)}))
    assert codes([path]) == ["OT204"]


@pytest.mark.parametrize("start", [b"PK\x03\x04", b"PK\x03\x04" + b"\x00" * 200])
def test_a_broken_archive_is_refused(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "broken.eval"
    path.write_bytes(start)
    assert codes([path]) == ["OT204"]


def test_an_unknown_method_of_packing_is_refused(tmp_path: Path) -> None:
    packed = bytearray(archive({"header.json": "{}"}))
    # The method is at byte 8 of the file in the archive, and at byte 10 of its entry in the index.
    entry = packed.index(b"PK\x01\x02")
    packed[8:10] = packed[entry + 10 : entry + 12] = (93).to_bytes(2, "little")
    path = tmp_path / "zstandard.eval"
    path.write_bytes(packed)
    assert codes([path]) == ["OT204"]


def test_a_broken_file_of_an_archive_is_skipped(tmp_path: Path) -> None:
    sample = json.dumps(inspect_sample())
    path = tmp_path / "log.eval"
    path.write_bytes(archive({"samples/1.json": sample, "samples/2.json": '{"cut'}))
    documents, findings = read_inputs([path], "auto")
    assert [(finding.code, finding.line) for finding in findings] == [("OT201", 2)]
    assert len(list(convert_all(documents, Redaction()))) == 1
