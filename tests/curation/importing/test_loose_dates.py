"""Dates as people write them: read where they mean one thing, left alone where they could mean two."""

import pytest

from corpus.curation.importing.loose_dates import find_year, read_date


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
