"""One reader per format; a format is found by the ending of a file, else by how it starts."""

import pytest

from corpus.curation.importing.readers.formats import FORMATS, format_of


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
        (b"<1. >\r\nVN  - Ovid Technologies\r\n", "ovid"),
        (b"<12>\nAuthor\n  Ward, Ann\n", "ovid"),
        (b'[{"a": 1}]', "json"),
        (b"Some words\n\n## Soil\n- [a](b)\n", "markdown"),
        (b"- title: a\n", "yaml"),
        (b"title;year\na;2020\n", "csv"),
        (b"", "csv"),
    ],
)
def test_a_file_without_a_known_ending_is_recognised_by_its_start(start, name):
    assert format_of(".txt", start).name == name
