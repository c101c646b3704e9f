"""From bytes to text: each thing that is no plain UTF-8 is found on its first line."""

import os

import pytest

from corpus.model.finding import CorpusError
from corpus.tables.content import decode, marker_findings, read_bytes, read_text


def codes(findings):
    return [(found.code, found.line, found.file) for found in findings]


def test_what_is_no_plain_file_is_a_finding(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # reading it would wait for ever
    for path, code in (
        (tmp_path / "none", "C101"), (tmp_path, "C102"), (pipe, "C102"), ("a\0b", "C103"),
        ("a" * 5000, "C103"),
    ):  # fmt: skip
        data, findings = read_bytes(str(path), "shown")
        assert (data, codes(findings)) == (b"", [(code, 0, "shown")])


def test_an_authors_text_keeps_its_line_ends(tmp_path):
    file = tmp_path / "paper.tex"
    file.write_bytes("é\r\nb\rc".encode())
    assert read_text(str(file), "paper.tex") == "é\r\nb\rc"
    file.write_bytes(b"a\nb\xe9c\n")
    with pytest.raises(CorpusError) as raised:
        read_text(str(file), "paper.tex")
    assert [(*codes([found])[0], found.value) for found in raised.value.findings] == [
        ("C106", 2, "paper.tex", "0xe9")
    ]
    with pytest.raises(CorpusError) as raised:
        read_text(str(tmp_path / "none"), "none")
    assert codes(raised.value.findings) == [("C101", 0, "none")]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", [("C104", 0)]), (b"\xff\xfea\0", [("C106", 1)]), (b"\xfe\xff\0a", [("C106", 1)]),
        (b"a,b\nc,\0d\n", [("C107", 2)]), (b"\xef\xbb\xbfa,b\n", [("C105", 1)]),
        (b"a,b\nc\r\nd\r\n", [("C108", 2)]), (b"a,b\n\nc,\xe9\n", [("C106", 3)]),
        (b"a;b\n", [("C121", 1)]), (b"a\tb\n", [("C121", 1)]), (b"a;b,c\n", []), (b"a\nb;c\n", []),
        (b"\xef\xbb\xbfa;b\r\n\0", [("C107", 2), ("C105", 1), ("C108", 1), ("C121", 1)]),
    ],
)  # fmt: skip
def test_each_kind_of_damage_is_found_on_its_first_line(data, found):
    _, findings = decode(data, "a.csv")
    assert codes(findings) == [(code, line, "a.csv") for code, line in found]


def test_a_byte_that_is_not_utf_8_is_located_by_its_character():
    text, (finding,) = decode("a,b\né,ü".encode() + b"\xff\n", "a.csv")
    assert (text, finding.line, finding.char, finding.value) == ("", 2, 4, "0xff")


def test_every_carriage_return_is_counted_in_one_finding():
    _, (finding,) = decode(b"a,b\r\nc,d\r\n", "a.csv")
    assert "2" in finding.message


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n", [2, 4, 6]), ("||||||| base\n", [1]),
        ("a,=======\n", []), ("========\n", []), ("======= \n", []), (" <<<<<<< HEAD\n", []), ("<<<<<<<\n", []),
        ("=======", [1]), ("", []),
    ],
)  # fmt: skip
def test_markers_of_a_conflict_are_at_the_beginning_of_a_line(text, lines):
    assert codes(marker_findings(text, "f")) == [("C113", line, "f") for line in lines]
