"""Workbooks: which sheet is read, its header, merged cells, and what is refused."""

import datetime
import io
import zipfile

import openpyxl
import pytest

from corpus.curation.importing.readers.excel import read_excel
from corpus.model.finding import CorpusError, UsageProblem
from tests.support.imported import cells, workbook


def test_excel_reads_the_first_sheet_with_rows_below_its_title():
    data = workbook(
        ("Cover", [["My survey"]]),
        ("Pool", [["My survey", None], [], ["Title", "Seen", "n", "x"], ["Peat", datetime.datetime(2020, 5, 1), 3.0, True]]),
        ("More", [["a", "b"], [1, 2]]),
    )  # fmt: skip
    records = read_excel(data, "f.xlsx")
    assert cells(records) == [{"Title": "Peat", "Seen": "2020-05-01", "n": "3", "x": "yes"}]
    assert records.rows[0].place == 4
    assert any("'More'" in remark for remark in records.remarks)
    assert cells(read_excel(data, "f.xlsx", "More")) == [{"a": "1", "b": "2"}]
    with pytest.raises(UsageProblem):
        read_excel(data, "f.xlsx", "Nowhere")


def test_the_sheet_with_titles_and_authors_wins_over_a_summary():
    data = workbook(
        ("Summary", [["Topic", "Papers"], ["moss", 3]]),
        ("Papers", [["Title", "Authors", "Year"], ["Peat", "Ward, Ann", 2019]]),
    )
    assert cells(read_excel(data, "f.xlsx")) == [
        {"Title": "Peat", "Authors": "Ward, Ann", "Year": "2019"}
    ]


def test_a_header_of_two_lines_and_merged_cells_are_resolved():
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["Our list", None, None, None, None],
        ["Paper", None, None, "Method", None],
        ["Title", "Authors", "Year", "sensor", "depth"],
        ["Peat", "Ward, Ann", 2019, "optical", "shallow"],
        ["Bog", "Moor, Bo", 2020, None, "deep"],
    ):
        sheet.append(row)
    for merged in ("A1:E1", "A2:C2", "D2:E2", "D4:D5"):
        sheet.merge_cells(merged)
    buffer = io.BytesIO()
    book.save(buffer)
    records = read_excel(buffer.getvalue(), "f.xlsx")
    assert cells(records) == [
        {
            "Title": "Peat",
            "Authors": "Ward, Ann",
            "Year": "2019",
            "Method sensor": "optical",
            "Method depth": "shallow",
        },
        {
            "Title": "Bog",
            "Authors": "Moor, Bo",
            "Year": "2020",
            "Method sensor": "optical",
            "Method depth": "deep",
        },
    ]
    assert [record.place for record in records.rows] == [4, 5]


def test_a_workbook_that_unpacks_to_a_thousand_times_its_size_is_refused():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 50_000_000)
    with pytest.raises(CorpusError) as caught:
        read_excel(buffer.getvalue(), "f.xlsx")
    assert [finding.code for finding in caught.value.findings] == ["I104"]


@pytest.mark.parametrize("data", [b"", b"\xd0\xcf\x11\xe0old xls", b"PK\x03\x04 cut off"])
def test_a_file_that_is_not_a_workbook_is_a_finding(data):
    with pytest.raises(CorpusError) as caught:
        read_excel(data, "f.xlsx")
    assert caught.value.findings[0].code == "I104"
