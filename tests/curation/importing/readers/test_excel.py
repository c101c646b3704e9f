"""Workbooks: which sheet is read, its header, merged cells, and what is refused."""

import datetime
import io
import zipfile

import openpyxl
import pytest

from corpus.curation.importing.readers.excel import read_workbook
from corpus.model.finding import UsageProblem
from tests.support.imported import cells, refused, workbook


def book_of(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    return book


def saved(book):
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_excel_reads_the_first_sheet_with_rows_below_its_title():
    data = workbook(
        ("Cover", [["My survey"]]),
        ("Pool", [["My survey", None], [], ["Title", "Seen", "n", "x"], ["Peat", datetime.datetime(2020, 5, 1), 3.0, True]]),
        ("More", [["a", "b"], [1, 2]]),
    )  # fmt: skip
    records = read_workbook(data, "f.xlsx")
    assert cells(records) == [{"Title": "Peat", "Seen": "2020-05-01", "n": "3", "x": "yes"}]
    assert records.rows[0].place == 4
    assert any("'More'" in remark for remark in records.remarks)
    assert cells(read_workbook(data, "f.xlsx", "More")) == [{"a": "1", "b": "2"}]
    with pytest.raises(UsageProblem):
        read_workbook(data, "f.xlsx", "Nowhere")


def test_the_sheet_with_titles_and_authors_wins_over_a_summary():
    data = workbook(
        ("Summary", [["Topic", "Papers"], ["moss", 3]]),
        ("Papers", [["Title", "Authors", "Year"], ["Peat", "Ward, Ann", 2019]]),
    )
    assert cells(read_workbook(data, "f.xlsx")) == [
        {"Title": "Peat", "Authors": "Ward, Ann", "Year": "2019"}
    ]


def test_a_header_of_two_lines_and_merged_cells_are_resolved():
    book = book_of(
        ["Our list", None, None, None, None],
        ["Paper", None, None, "Method", None],
        ["Title", "Authors", "Year", "sensor", "depth"],
        ["Peat", "Ward, Ann", 2019, "optical", "shallow"],
        ["Bog", "Moor, Bo", 2020, None, "deep"],
    )
    for merged in ("A1:E1", "A2:C2", "D2:E2", "D4:D5"):
        book.active.merge_cells(merged)
    records = read_workbook(saved(book), "f.xlsx")
    names = ("Title", "Authors", "Year", "Method sensor", "Method depth")
    assert [tuple(row.get(name) for name in names) for row in cells(records)] == [
        ("Peat", "Ward, Ann", "2019", "optical", "shallow"),
        ("Bog", "Moor, Bo", "2020", "optical", "deep"),
    ]
    assert [record.place for record in records.rows] == [4, 5]


def test_a_workbook_that_unpacks_to_a_thousand_times_its_size_is_refused():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 50_000_000)
    assert refused(read_workbook, buffer.getvalue(), "f.xlsx") == ["I104"]


@pytest.mark.parametrize("data", [b"", b"\xd0\xcf\x11\xe0old xls", b"PK\x03\x04 cut off"])
def test_a_file_that_is_not_a_workbook_is_a_finding(data):
    assert refused(read_workbook, data, "f.xlsx") == ["I104"]


def changed(data, part, old, new):
    """Return a workbook with another text in one of its parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == part:
                assert old in content
                content = content.replace(old, new, 1)
            target.writestr(name, content)
    return buffer.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        (SHEET, b"summaryBelow", b"summryBelow"),
        (SHEET, b"<v>2019</v>", b"<v>" + b"9" * 5_000 + b"</v>"),
        (SHEET, b"</sheetData>", b"</sheetDat>"),
        (SHEET, b"<worksheet", b'<!DOCTYPE x [<!ENTITY a "b">]><worksheet'),
        ("xl/workbook.xml", b"<sheets>", b"<sheets"),
        ("xl/_rels/workbook.xml.rels", b"<Relationships", b"<Relations"),
    ],
)
def test_a_damaged_part_of_a_workbook_is_a_finding(part, old, new):
    data = workbook(("S", [["Title", "Year"], ["Peat", 2019]]))
    assert refused(read_workbook, changed(data, part, old, new), "f.xlsx") == ["I104"]


def test_a_sheet_that_declares_one_cell_is_read_to_its_end():
    data = workbook(("S", [["Title", "Year"], ["Peat", 2019], ["Bog", 2020]]))
    declared = b'<dimension ref="A1:B3"'
    data = changed(data, SHEET, declared, b'<dimension ref="A1"')
    assert cells(read_workbook(data, "f")) == [
        {"Title": "Peat", "Year": "2019"},
        {"Title": "Bog", "Year": "2020"},
    ]


def test_the_addresses_behind_words_are_a_column():
    rows = (["Title", "Code", "Year"], ["Peat", "git", 2019], ["Bog", "git", 2020], ["Fen"])
    book = book_of(*rows)
    sheet = book.active
    sheet["A2"].hyperlink = "https://a.example/1"
    sheet["A4"].hyperlink = "https://a.example/3?x=1&y=2"
    sheet["B3"].hyperlink = "mailto:ann@a.example"
    sheet["B2"] = "https://b.example"
    sheet["B2"].hyperlink = "https://b.example"
    assert cells(read_workbook(saved(book), "f")) == [
        {"Title": "Peat", "Code": "https://b.example", "Year": "2019", "Title link": "https://a.example/1"},
        {"Title": "Bog", "Code": "git", "Year": "2020"},
        {"Title": "Fen", "Title link": "https://a.example/3?x=1&y=2"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    "formula",
    [
        'HYPERLINK("https://a.example/?x=1&amp;y=2","x")',
        "hyperlink(&quot;https://a.example/?x=1&amp;y=2&quot;)",
    ],
)
def test_the_address_in_a_formula_is_a_link(formula):
    data = workbook(("S", [["Title", "Year"], ["=1", 2019]]))
    cell = f'<c r="A2" t="str"><f>{formula}</f><v>Peat</v></c>'
    data = changed(data, SHEET, b'<c r="A2"><f>1</f><v /></c>', cell.encode())
    (row,) = cells(read_workbook(data, "f"))
    assert row == {"Title": "Peat", "Year": "2019", "Title link": "https://a.example/?x=1&y=2"}


def test_columns_merged_as_a_whole_and_ranges_without_end_are_left_alone():
    data = workbook(("S", [["Title", "Year"], ["Peat", 2019], [None, 2020]]))
    merged = '<mergeCell ref="A2:A1048576"/>' + '<mergeCell ref="C1:C20000"/>' * 60
    data = changed(data, SHEET, b"</sheetData>", f"</sheetData>{merged}".encode())
    assert cells(read_workbook(data, "f")) == [{"Title": "Peat", "Year": "2019"}, {"Year": "2020"}]


def test_formulas_without_a_result_are_named():
    data = workbook(("S", [["Title", "Year"], ["Peat", 2019], ["Bog", "=B2+1"], ["Fen", "=B3+1"]]))
    records = read_workbook(data, "f.xlsx")
    assert [(f.code, f.file) for f in records.findings] == [("I112", "f.xlsx:S!B3")]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime.datetime(2020, 5, 1, 10, 30), "2020-05-01 10:30:00"),
        (datetime.date(2020, 5, 1), "2020-05-01"),
        (2.5, "2.5"),
        (2.0, "2"),
        (False, "no"),
        ("_x005F_x0041_", "_x0041_"),
        (" Øst ", "Øst"),
    ],
)
def test_values_are_written_as_a_reader_sees_them(value, text):
    data = workbook(("S", [["Title", "Value"], ["Peat", value]]))
    assert cells(read_workbook(data, "f")) == [{"Title": "Peat", "Value": text}]
