"""Dates that are as exact as what is known."""

from datetime import date

import pytest

from corpus.model.dates import parse_date, place


@pytest.mark.parametrize(
    ("text", "start", "precision", "month"),
    [
        ("2026", date(2026, 1, 1), "year", ""),
        ("2026-12", date(2026, 12, 1), "month", "2026-12"),
        ("2024-02-29", date(2024, 2, 29), "day", "2024-02"),
        ("0999-05", date(999, 5, 1), "month", "0999-05"),
    ],
)
def test_a_date_is_its_first_day_and_how_exact_it_is(text, start, precision, month):
    found = parse_date(text)
    assert (found.start, found.precision, found.month) == (start, precision, month)


@pytest.mark.parametrize(
    "text",
    [
        "", "26", "2026-1", "2026-1-1", "2026-13", "2026-00", "2023-02-29", "2026-05-32", "0000",
        "2026-05-", "2026/05", "2026-05-08T00:00", " 2026", "2026\n", "２０２６", "soon",
    ],
)  # fmt: skip
def test_any_other_form_and_days_that_do_not_exist_are_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        parse_date(text)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("2020-09", "before"), ("2020-09-30", "before"), ("2020-10", "inside"), ("2021-02-28", "inside"),
        ("2021-03-01", "after"), ("2019", "before"), ("2022", "after"), ("", "undated"), ("soon", "undated"),
        # A bound divides these years: they are no more inside than outside.
        ("2020", "undated"), ("2021", "undated"),
    ],
)  # fmt: skip
def test_a_date_is_inside_only_where_all_of_its_days_are(text, part):
    assert place(text, "2020-10", "2021-02") == part


def test_an_open_side_has_no_bound_and_a_month_may_be_divided_by_a_day():
    assert [place(text, "", "2021") for text in ("1994", "2021-12-31", "2022")] == [
        "inside", "inside", "after",
    ]  # fmt: skip
    assert [place(text, "2021-02-10", "") for text in ("2021-02", "2021-02-10", "2021")] == [
        "undated", "inside", "undated",
    ]  # fmt: skip
    assert place("2024-02", "2024-02-01", "2024-02-29") == "inside"
