"""What of a record of somebody else's list is recognised."""

import pytest

from corpus.curation.coverage.listed import read_list
from corpus.curation.importing.readers.records import ImportedRecord, gather
from corpus.curation.importing.works import column_roles, joined_cell, year_of


def listed(tmp_path, text, name="list.csv"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return read_list(str(path), name, "lit")


def test_a_record_has_its_line_title_year_and_surest_identifier(tmp_path):
    found = listed(
        tmp_path,
        "title,year,doi,url\n"
        "Peat,2024,10.1234/x,https://arxiv.org/abs/2601.00001v2\n"
        "Moss,2023,10.1234/y,https://a.example/\n"
        "Fern,,,https://a.example/fern\n"
        ",,,\n"
        "Dune,,,\n",
    )
    assert found.name == "lit"
    assert [(work.place, work.title, work.year, work.identifier) for work in found.works] == [
        (2, "Peat", "2024", "arXiv:2601.00001"),
        (3, "Moss", "2023", "DOI:10.1234/y"),
        (4, "Fern", "", "https://a.example/fern"),
        (6, "Dune", "", ""),
    ]
    assert len(found.works[0].identities) == 2
    assert found.works[3].identities == frozenset()
    assert found.works[0].normal == "peat"
    assert (found.findings, found.remarks) == ((), ())


@pytest.mark.parametrize(
    ("cells", "year"),
    [
        ({"year": "2024"}, "2024"),
        ({"date": "12 May 1999"}, "1999"),
        ({"year": "in press", "date": "2020-02"}, "2020"),
        ({"year": "2024", "date": "2020"}, "2024"),
        ({"year": "1823"}, ""),
        ({}, ""),
    ],
)
def test_the_year_is_in_the_column_of_years_or_of_dates(cells, year):
    assert year_of(cells) == year


def test_several_cells_are_one_text():
    assert (
        joined_cell({"a": "x", "b": ("y", "", "z"), "c": ""}, ["a", "c", "b", "d"]) == "x ; y ; z"
    )


def test_what_nothing_can_recognise_is_named_and_what_was_guessed_is_a_remark(tmp_path):
    found = listed(tmp_path, "title;year;note\nPeat;2019;x\n;2020;y\n???;2021;z\n")
    assert [work.title for work in found.works] == ["Peat"]
    assert [(f.code, f.line) for f in found.findings] == [("I106", 3), ("I106", 4)]
    assert len(found.remarks) == 1  # the separator


@pytest.mark.parametrize(
    ("row", "identifier", "number"),
    [
        ("x,https://doi.org/10.1234/A https://a.example", "DOI:10.1234/a", 1),
        ("2601.00001,https://a.example", "arXiv:2601.00001", 1),
        ("W123,https://a.example", "https://a.example", 0),
        ("W123,", "W123", 0),
        ("W123,http://b.example", "http://b.example", 0),
    ],
)
def test_the_identifier_that_tells_most_is_shown(tmp_path, row, identifier, number):
    text = f"title,doi,url\nPeat and moss,{row}\nBog,10.1234/z,https://z.example\n"
    first = listed(tmp_path, text).works[0]
    assert (first.identifier, len(first.identities)) == (identifier, number)


def test_the_columns_of_a_source_by_what_they_mean():
    rows = [ImportedRecord(2, {"Title": "Peat", "Journal": "Mires", "x": "1"})]
    assert column_roles(gather("CSV", rows)) == {"title": ["Title"], "venue": ["Journal"]}
