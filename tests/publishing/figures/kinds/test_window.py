"""Months in a running count, and windows of them."""

import pytest

from corpus.model.dates import month_number
from corpus.publishing.figures.kinds.timeline import window_problem


@pytest.mark.parametrize(
    "month", ["2021", "2021-13", "2021-00", "2021-1", "２０２１-01", "2021-01-01"]
)
def test_another_form_is_not_a_month(month):
    with pytest.raises(ValueError, match="YYYY-MM"):
        month_number(month)


@pytest.mark.parametrize(
    ("window", "valid"),
    [
        (("2021-01", "2021-01"), True),
        (("2011-01", "2020-12"), True),
        (("2011-01", "2021-01"), False),  # 121 months
        (("2021-02", "2021-01"), False),
        (("2021-01",), False),
        (("2021-01", "2021-02", "2021-03"), False),
    ],
)
def test_a_window_is_of_two_months_in_order_and_at_most_ten_years(window, valid):
    assert (window_problem(window) == "") is valid
