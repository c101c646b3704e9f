"""Any file: its format by the content, and a finding where it has no records."""

import pytest

from corpus.curation.importing.readers.reading import FORMATS, format_of, read_foreign
from tests.support.imported import findings_of, refused, workbook


def test_no_ending_belongs_to_two_formats():
    endings = [ending for format_ in FORMATS.values() for ending in format_.endings.split()]
    assert len(endings) == len(set(endings))


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"PK\x03\x04rest", "excel"),
        (b"% remark\n@article{a, title={A}}", "bibtex"),
        (b"\xef\xbb\xbfTY  - JOUR\n", "ris"),
        (b'{"a": 1}\n{"a": 2}\n', "jsonl"),
        (b"<1. >\r\nVN  - Ovid Technologies\r\n", "the format of Ovid"),
        (b'[{"a": 1}]', "json"),
        (b"Some words\n\n## Soil\n- [a](b)\n", "markdown"),
        (b"- title: a\n", "YAML"),
        (b"title;year\na;2020\n", "csv"),
        (b"", "csv"),
    ],
)
def test_a_file_without_a_known_ending_is_recognised_by_its_start(start, name):
    assert format_of(".txt", start).name == name


def test_a_file_without_records_is_a_finding(tmp_path):
    file = tmp_path / "empty.csv"
    for content in ("", "title,year\n", "\n\n"):
        file.write_text(content)
        assert findings_of(read_foreign, str(file), "empty.csv")[-1].code == "I105"


def read(tmp_path, file, content, **given):
    (tmp_path / file).write_bytes(content)
    return read_foreign(str(tmp_path / file), file, **given)


def test_the_named_format_goes_before_the_ending_and_the_sheet_to_its_reader(tmp_path):
    assert read(tmp_path, "f.pdf", b"title\nPeat\n", name="csv").format == "CSV"
    data = workbook(("A", [["title", "year"], ["Peat", 1]]), ("B", [["x", "y"], ["Bog", 2]]))
    assert read(tmp_path, "f.bin", data, sheet="B").rows[0].cells == {"x": "Bog", "y": "2"}


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [("f.pdf", b"%PDF-1.4", "I109"), ("f.csv", b"a,b\n1,2\n" + b"\0", "I103"), ("f", b"", "I105")],
)
def test_what_is_not_read_is_a_finding(tmp_path, name, content, code):
    assert refused(read, tmp_path, name, content) == [code]
