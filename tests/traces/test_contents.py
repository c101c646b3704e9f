"""Contents beside a trace: found by their hash, each once, and refused where hash and text differ."""

import hashlib
import io
import json
from contextlib import closing

import pytest

from corpus.traces.contents import Content, Contents


def lines(*contents, **change):
    """The file of some contents, the last of them with another value of some keys."""
    with closing(Contents()) as kept:
        for one in contents:
            kept.add(one)
        *first, last = kept.lines()
    changed = json.dumps({**json.loads(last), **change}).encode() + b"\n"
    return b"".join((*first, changed))


def taken(data):
    found = Contents(io.BytesIO(data)).take("c.jsonl")
    assert {one.file for one in found} <= {"c.jsonl"}
    return [(one.code, one.line) for one in found]


def test_a_line_is_what_any_program_can_check():
    (line,) = lines(Content.of("user", "où\u2028?\ud83d")).splitlines()
    written = json.loads(line)
    assert written.keys() == {"hash", "role", "media_type", "text"}
    whole = hashlib.sha256(written["text"].encode()).hexdigest()
    assert written["hash"] == f"sha256:{whole[:16]}"
    assert line.isascii()


def test_a_content_is_written_once_and_found_again():
    contents = Contents(io.BytesIO())
    tea, call = Content.of("assistant", "tea"), Content.of("tool_call", {"b": 1, "a": 1e999})
    for one in (tea, call, Content.of("user", "tea")):
        contents.add(one)
    assert len(list(contents.lines())) == 2
    assert contents.get(tea.hash) == tea
    contents.add(Content.of("user", "more"))
    found = contents.get(call.hash)
    assert found is not None
    assert found.value == {"a": "Infinity", "b": 1}
    assert contents.get("sha256:0") is contents.get(None) is None


def test_what_was_written_is_read_without_a_finding():
    tea, milk = Content.of("user", "tea"), Content.of("user", "milk")
    data = lines(tea, milk)
    assert taken(data) == taken(data + b"\n" + data) == []
    contents = Contents(io.BytesIO(data))
    contents.take("c.jsonl")
    assert contents.get(milk.hash) == milk
    assert [(one.code, one.line) for one in contents.strays("c.jsonl", {tea.hash})] == [
        ("OT121", 2)
    ]


@pytest.mark.parametrize("broken", [b"{", b"\xff", b'{"hash": 1}', b"[]", b"[" * 5000])
def test_what_is_no_content_is_a_finding(broken):
    good = lines(Content.of("user", "tea"))
    assert taken(good + broken + b"\n" + good) == [("OT006", 2)]


def test_a_hash_of_another_text_and_a_hash_with_two_texts_are_findings():
    tea, milk = Content.of("user", "tea"), Content.of("user", "milk")
    assert taken(lines(tea, milk, text="water")) == [("OT006", 2)]
    assert taken(lines(tea, milk, hash=tea.hash)) == [("OT006", 2)]
