"""Any file: its format by the content, and a finding where it has no records."""

import pytest

from corpus.curation.importing.readers.reading import read_foreign
from corpus.model.finding import CorpusError
from tests.support.imported import workbook


@pytest.mark.parametrize(
    ("content", "format_"),
    [
        (b"TY  - JOUR\nTI  - A\nER  - \n", "RIS"),
        (b"@misc{a, title={A}}\n", "BibTeX"),
        (b'[{"title": "A"}]', "JSON"),
        (b'{"title": "A"}\n{"title": "B"}\n', "JSON Lines"),
        (b"# List\n## Bogs\n- [A](https://a.example)\n", "Markdown"),
        (b"- title: A\n", "YAML"),
        (b"title;year\nA;2019\n", "CSV"),
        (workbook(("S", [["title", "year"], ["A", 2019]])), "Excel"),
    ],
)
def test_the_format_is_recognised_by_the_content(tmp_path, content, format_):
    file = tmp_path / "export.txt"
    file.write_bytes(content)
    records = read_foreign(str(file), "export.txt")
    assert records.format == format_
    assert records.rows[0].cells["title"] == "A"


def test_a_file_without_records_is_a_finding(tmp_path):
    file = tmp_path / "empty.csv"
    for content in ("", "title,year\n", "\n\n"):
        file.write_text(content)
        with pytest.raises(CorpusError) as caught:
            read_foreign(str(file), "empty.csv")
        assert caught.value.findings[-1].code == "I105"
