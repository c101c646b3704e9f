"""Which field a column is: by its name in many spellings, and by its cells."""

import pytest

from corpus.curation.importing.meaning import field_by_content, field_by_name


@pytest.mark.parametrize(
    ("column", "role"),
    [
        ("Title", "title"),
        ("paper_title", "title"),
        ("publicationYear", "year"),
        ("AUTHOR FULL NAMES", "authors"),
        ("externalIds.ArXiv", "arxiv"),
        ("journaltitle", "venue"),
        ("E-Print", "eprint"),
        ("Année", "year"),
        ("", ""),
        ("Titles", ""),
        ("漢字", ""),
    ],
)
def test_a_name_means_one_field(column, role):
    assert field_by_name(column) == ("arxiv" if role == "eprint" else role)


@pytest.mark.parametrize(
    ("values", "role"),
    [
        (["10.1234/a"], "doi"),
        (["https://doi.org/10.1234/a"], "doi"),
        (["10.1234/a b"], ""),
        (["2101.00001", "arXiv:2101.00002"], "arxiv"),
        (["https://a.example", "http://b.example"], "url"),
        (["2019", "1999"], "year"),
        (["2019", "19990"], ""),
        (["2019"] * 9 + ["soon"], "year"),
        (["2019"] * 8 + ["soon"], ""),
        ([], ""),
    ],
)
def test_nine_in_ten_cells_tell_the_field(values, role):
    assert field_by_content(values) == role
