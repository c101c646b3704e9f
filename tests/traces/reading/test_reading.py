"""Traces out of files, folders, gzip and standard input: each bad one is a finding, the rest is read."""

import gzip
import io
import json
import os

import pytest

from corpus.model.finding import Finding
from corpus.traces.reading import reading
from corpus.traces.reading.reading import TraceText, documents, trace_files
from tests.support.made_traces import pair

LINE = json.dumps(pair()).encode() + b"\n"


def read(path, largest=4096):
    """Line and size of each document, code of each finding."""
    return [
        (item.line, len(item.raw)) if isinstance(item, TraceText) else item.code
        for item in documents([path], largest)
    ]


def test_lines_are_traces_and_empty_ones_are_skipped(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINE + b"\r\n" + b"oops\n" + LINE.rstrip())
    assert read(path) == [(1, len(LINE)), (3, 5), (4, len(LINE) - 1)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (LINE + LINE, [(1, len(LINE)), (2, len(LINE))]),
        (b"{\n}", [(1, 3)]),
        (b"", [(1, 0)]),
        (b"[\n1]\n", [(1, 5)]),
    ],
)
def test_a_file_of_another_name_is_lines_unless_it_begins_with_a_lone_bracket(
    tmp_path, content, expected
):
    path = tmp_path / "a.trace"
    path.write_bytes(content)
    assert read(path) == expected


@pytest.mark.parametrize("damage", ["cut", "changed", "tail"])
def test_damaged_gzip_is_a_finding_after_what_could_be_read(tmp_path, damage):
    packed = gzip.compress(os.urandom(3000).hex().encode() + b"\n" + LINE)
    broken = {
        "cut": packed[:-30],
        "changed": packed[:700] + b"\0" * 9 + packed[709:],
        "tail": packed + b"rest",
    }[damage]
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(broken)
    assert read(path, 1 << 20)[-1] == "OT005"


def test_a_trace_beyond_the_limit_is_a_finding_and_the_last_of_its_file(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINE + b'{"a":"' + b"x" * 5000 + b'"}\n' + LINE)
    assert read(path) == [(1, len(LINE)), "OT005"]
    path = tmp_path / "a.json"
    path.write_bytes(b" " * 5000)
    assert read(path) == ["OT005"]


@pytest.mark.parametrize("name", ["bomb.json.gz", "bomb.jsonl.gz", "bomb.gz"])
def test_a_gzip_bomb_is_a_finding_before_it_is_unpacked(tmp_path, monkeypatch, name):
    monkeypatch.setattr(reading, "EXPANDED", 1 << 20)
    path = tmp_path / name
    path.write_bytes(gzip.compress((b" " * 99_999 + b"\n") * 50))
    assert read(path, 1 << 21) == ["OT005"]


def test_a_file_that_grows_while_it_is_read_is_a_finding_and_is_not_followed(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINE * 3)
    found: list[TraceText | Finding] = []
    for item in documents([path]):
        found.append(item)
        with path.open("ab") as handle:
            handle.write(LINE)
    result = [item.code if isinstance(item, Finding) else item.line for item in found]
    assert result == [1, 2, 3, "OT005"]


def test_a_file_that_shrinks_while_it_is_read_is_a_finding(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes((b" " * 100 + LINE) * 3000)
    stream = documents([path])
    next(stream)
    os.truncate(path, 10)
    assert [item.code for item in stream if isinstance(item, Finding)][-1] == "OT005"


def test_a_folder_means_its_trace_files_in_order_of_name(tmp_path):
    for name in (
        "b.json",
        "a/c.jsonl.gz",
        "a/.hidden.json",
        "x.schema.json",
        "notes.md",
        ".git/d.json",
        "e.ndjson",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    result = [str(path.relative_to(tmp_path)) for path in trace_files([tmp_path])]
    assert result == ["b.json", "e.ndjson", "a/c.jsonl.gz"]


def test_links_and_pipes_in_a_folder_are_not_followed(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.json").touch()
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.json").touch()
    os.mkfifo(folder / "b.json")
    (folder / "c.json").symlink_to(folder / "a.json")
    (folder / "d.json").symlink_to("/dev/zero")
    (folder / "e.json").symlink_to(folder / "missing")
    (folder / "other").symlink_to(tmp_path / "other")
    (folder / "round").symlink_to(folder)
    assert [path.name for path in trace_files([folder])] == ["a.json", "c.json", "e.json"]


def test_standard_input_is_read_as_it_comes():
    found = list(documents(["-"], stdin=io.BytesIO(LINE + LINE)))
    assert [(item.file, item.line) for item in found] == [("<stdin>", 1), ("<stdin>", 2)]
