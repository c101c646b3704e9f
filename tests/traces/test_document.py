"""One input as rows of JSON, whatever its state: what is broken is skipped and named, or refused."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from corpus.model.finding import CorpusError
from corpus.traces import document
from corpus.traces.document import RecordedFile, Row, read_document
from corpus.traces.lookup import DEPTH_LIMIT
from tests.support.imported import findings_of
from tests.support.recorded_evaluations import archive

PATH = Path("run.jsonl")


def read(content):
    return read_document(PATH, io.BytesIO(content))


def skipped(content):
    return [(finding.code, finding.line) for finding in read(content).findings]


def refused(content):
    (finding,) = findings_of(read, content)
    assert (finding.code, finding.file) == ("OT204", "run.jsonl")
    return True


def nested(depth):
    return b"[" * depth + b"]" * depth


def test_broken_lines_are_skipped_and_named():
    junk = [b'{"cut', b"\xff\xfe", b"[" * 5000, b"NaN", b"1" * 5000, nested(DEPTH_LIMIT + 1)]
    content = b"\n".join([b"{}", *junk, b"", nested(DEPTH_LIMIT)])
    assert skipped(content) == [("OT201", line) for line in range(2, 8)]
    assert [row.line for row in read(content).rows] == [1, 9]


def test_only_a_line_above_the_limit_is_skipped(monkeypatch):
    monkeypatch.setattr(document, "LINE_LIMIT", 10)
    assert skipped(b'{}\n"12345678"\n"123456789"') == [("OT201", 3)]


def test_a_value_over_lines_is_read_whole_or_refused():
    assert read(b'{\n  "n": [\n 1]\n}\n').rows == [Row(1, {"n": [1]})]
    deep = b"[\n" + nested(DEPTH_LIMIT) + b"]\n"
    for broken in (b'{\n  "n": "\xff"\n}\n', deep, b"{\n}\n{\n}\n", b"[\n1\n"):
        assert refused(broken)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n \n",
        b"hello",
        b"\xff\xfe{\x00}\x00",
        b"{" * 100_000,
        b"\x1f\x8bno gzip",
        gzip.compress(b"{}", mtime=0)[:-6],
        gzip.compress(b"{}", mtime=0) + b"rest",
    ],
)
def test_what_holds_no_row_is_refused(content):
    assert refused(content)


def test_a_file_that_cannot_be_opened_is_refused(tmp_path):
    with pytest.raises(CorpusError):
        read_document(tmp_path)
    (tmp_path / "a.json").write_text("[]")
    assert read_document(tmp_path / "a.json").rows == [Row(1, [])]


@pytest.mark.parametrize("packed", [False, True])
def test_only_a_file_above_the_limit_is_refused(monkeypatch, packed):
    monkeypatch.setattr(document, "FILE_LIMIT", 10_000)
    content = b"[" + b" " * 9998 + b"]"
    larger = b" " + content
    if packed:
        content, larger = gzip.compress(content, mtime=0), gzip.compress(larger, mtime=0)
    assert read(content).rows == [Row(1, [])]
    assert refused(larger)


def test_a_broken_file_of_an_archive_is_skipped():
    content = archive({"1.json": "{}", "2.json": '{"cut', "3.json": "[]"})
    assert [row.line for row in read(content).rows] == [1, 3]
    assert skipped(content) == [("OT201", 2)]


def test_an_archive_is_read_within_the_limit_of_one_input(monkeypatch):
    monkeypatch.setattr(document, "FILE_LIMIT", 10_000)
    halves = {f"{n}.json": "[" + " " * 4998 + "]" for n in range(2)}
    assert len(read(archive(halves)).rows) == 2
    assert refused(archive({**halves, "3.json": "1"}))


@pytest.mark.parametrize("rest", [b"", b"\x00" * 200])
def test_a_broken_archive_is_refused(rest):
    assert refused(document.ZIP_MAGIC + rest)


def test_an_unknown_method_of_packing_is_refused():
    packed = bytearray(archive({"header.json": "{}"}))
    # The method is at byte 8 of the file in the archive, and at byte 10 of its entry in the index.
    entry = packed.index(b"PK\x01\x02")
    packed[8:10] = packed[entry + 10 : entry + 12] = (93).to_bytes(2, "little")
    assert refused(bytes(packed))


def test_an_archive_whose_index_is_before_its_beginning_is_refused():
    packed = bytearray(archive({"header.json": "{}"}))
    # The offset of the index, in the record that ends an archive.
    end = packed.index(b"PK\x05\x06")
    packed[end + 16 : end + 20] = (2**30).to_bytes(4, "little")
    assert refused(bytes(packed))


def test_a_damaged_file_in_an_archive_packed_with_lzma_is_refused():
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_LZMA) as packing:
        packing.writestr("a.json", json.dumps(list(range(500))))
    packed = bytearray(written.getvalue())
    middle = packed.index(b"PK\x01\x02") // 2
    packed[middle : middle + 20] = bytes(byte ^ 0xFF for byte in packed[middle : middle + 20])
    assert refused(bytes(packed))


@pytest.mark.parametrize(
    ("place", "known"), [(0, True), (document.LOOKED_AT - 1, True), (document.LOOKED_AT, False)]
)
def test_marks_are_looked_for_in_the_first_objects_of_a_list(place, known):
    objects = [{"a": 1}] * place + [{"mark": 1}]
    for value in (objects, {"rows": objects}):
        assert RecordedFile(Path("r.json"), [Row(1, value)]).has_any("mark") is known
