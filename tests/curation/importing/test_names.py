"""What people write: names that mean a field, names that a codebook takes, and dates.

Dates are read where they mean one thing, and left alone where they could mean two.
"""

import pytest

from corpus.curation.importing.names import (
    ascii_words,
    field_by_content,
    field_by_name,
    find_year,
    read_date,
)


@pytest.mark.parametrize(("text", "words"), [
    ("Évapotranspiration (daily), C++", "evapotranspiration daily c plus plus"), ("Weiß & GROSS", "weiss and gross"),
    ("Łukasz Østergaard ł ø", "lukasz ostergaard l o"), ("Þórður Æsir œuvre", "thordur aesir oeuvre"), ("C# > 5 %", "c sharp above 5 percent"),
    ("a<b", "a below b"), ("İzmir ılık", "izmir ilik"), ("Peat™ ﬁeld ²", "peattm field 2"), ("泥炭", ""), ("", ""),
])  # fmt: skip
def test_words_are_ascii_in_small_letters(text, words):
    assert ascii_words(text) == words.split()


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


@pytest.mark.parametrize(("text", "found"), [
    ("2020", "2020"), (" 1999 ", "1999"), ("2020-05", "2020-05"), ("2020.5", "2020-05"), ("2020/05/01", "2020-05-01"),
    ("2020-05-01T10:00:00Z", "2020-05-01"), ("2020-05-01 10:00", "2020-05-01"), ("2020-12-31", "2020-12-31"),
    ("1 May 2020", "2020-05-01"), ("1st of May, 2020", "2020-05-01"), ("23. DECEMBER 2020", "2020-12-23"),
    ("January 2nd, 2021", "2021-01-02"), ("Jan. 2021", "2021-01"), ("june, 2021", "2021-06"), ("2021 Sep 3", "2021-09-03"),
    ("2021, aug", "2021-08"), ("13/12/2020", "2020-12-13"), ("12/13/2020", "2020-12-13"), ("31-01-2020", "2020-01-31"),
    ("01.31.2020", "2020-01-31"), ("5/5/2020", "2020-05-05"), ("12/12/2020", "2020-12-12"), ("29.2.2020", "2020-02-29"),
    ("2020-05-00", "2020-05"), ("2020-00-00", "2020"), ("2020-00", "2020"),  # how some programs write what is not known
])  # fmt: skip
def test_a_date_that_means_one_thing_is_read(text, found):
    assert read_date(text) == found


@pytest.mark.parametrize("text", [
    "3/5/2020", "12/1/2020", "1/12/2020", "11/12/2020",  # two days, by who reads them
    "13/13/2020", "29.2.2021", "32 May 2020", "2020-13", "2020-00-40", "2020-00-10", "0/13/2020", "May", "Mayday 1", "20201", "12 2020 May", "",
])  # fmt: skip
def test_an_invalid_or_ambiguous_date_is_left_alone(text):
    assert read_date(text) == ""


@pytest.mark.parametrize(("text", "year"), [
    ("ICML 2021", "2021"), ("2021, in 2021", "2021"), ("1998", "1998"), ("2019 or 2020", ""), ("120211", ""), ("v2.2021", ""),
    ("1821", ""), ("", ""),
])  # fmt: skip
def test_a_year_is_found_where_only_one_is_named(text, year):
    assert find_year(text) == year
