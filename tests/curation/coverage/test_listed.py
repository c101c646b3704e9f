"""What of a record of somebody else's list is recognised."""

import pytest

from corpus.curation.coverage.listed import joined_cell, read_list, year_of


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
    assert [work[:4] for work in found.works] == [
        (2, "Peat", "2024", "arXiv:2601.00001"),
        (3, "Moss", "2023", "DOI:10.1234/y"),
        (4, "Fern", "", "https://a.example/fern"),
        (6, "Dune", "", ""),
    ]
    assert len(found.works[0].identities) == 2
    assert found.works[3].identities == frozenset()
    assert found.works[0].normal == "peat"


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
