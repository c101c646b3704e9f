"""Tables of separated cells: separator, header, rows of another length."""

import pytest

from corpus.curation.importing.readers.delimited import SURPLUS, read_delimited
from tests.support.imported import cells, places, refused_at


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_separator_is_recognised(sign):
    text = f'title{sign}year\n"Peat{sign} and moss"{sign}2019\nBogs{sign}2020\n'
    assert cells(read_delimited(text, "f")) == [
        {
            "title": f"Peat{sign if sign != chr(9) else ' '} and moss".replace("  ", " "),
            "year": "2019",
        },
        {"title": "Bogs", "year": "2020"},
    ]


def test_rows_of_another_length_lose_nothing_and_are_named():
    records = read_delimited("a,b\n1,2,3\n4\n\n5,6,,\n", "f.csv")
    assert cells(records) == [
        {"a": "1", "b": "2", SURPLUS: ("3",)},
        {"a": "4"},
        {"a": "5", "b": "6"},
    ]
    assert places(records.findings) == [("I107", 2), ("I107", 3)]


@pytest.mark.parametrize(
    "above", ["sep=;\n", "Our list, of 2024\n\n", "Our list;;\n\n", "A list\n"]
)
def test_lines_above_the_header_are_left_out_and_reported(above):
    records = read_delimited(f"{above}title;year;tag\nPeat;2019;a\nBog, fen;2020;b\n", "f.csv")
    assert [*records.columns] == ["title", "year", "tag"]
    assert [record.place for record in records.rows] == [
        above.count("\n") + 2,
        above.count("\n") + 3,
    ]
    assert any(f"line {above.count(chr(10)) + 1};" in remark for remark in records.remarks)


@pytest.mark.parametrize(
    "text", ["title\nPeat\nBog, or fen\nMoss\n", "Title\nPeat, moss\nBog, fen\n"]
)
def test_the_header_of_a_list_in_one_column_is_its_first_line(text):
    records = read_delimited(text, "f.csv")
    assert next(iter(records.columns)).casefold() == "title"
    assert len(records.rows) == text.count("\n") - 1


def test_lines_are_those_of_the_file():
    records = read_delimited('title,b\n"x\ny",1\nz,2\n', "f.csv")
    assert [record.place for record in records.rows] == [2, 4]
    assert records.rows[0].cells["title"] == "x y"


def test_a_quote_that_never_ends_is_named_with_its_line():
    assert refused_at(read_delimited, 'a,b\n1,2\n"open,3\n4,5\n', "f.csv") == [("I104", 3)]


def test_no_column_takes_the_cells_of_another():
    text = "a,a 3,a,unnamed cells\n1,2,3,4,5\n"
    (found,) = cells(read_delimited(text, "f"))
    assert found == {"a": "1", "a 3": "2", "a 4": "3", SURPLUS: "4", f"{SURPLUS} 5": ("5",)}


def test_the_guard_of_a_spreadsheet_is_no_part_of_a_cell():
    assert cells(read_delimited("title,n\n'=Peat,'90s\n", "f")) == [{"title": "=Peat", "n": "'90s"}]


def test_tags_of_web_of_science_in_a_header_are_named():
    records = read_delimited("PT\tAU\tTI\tSO\nJ\tWard, A\tPeat\tMires\n", "f")
    assert records.rows[0].cells["document title"] == "Peat"
    assert records.rows[0].cells["publication name"] == "Mires"
