"""Months in a running count, and windows of them."""

import pytest

from corpus.publishing.figures.kinds.timeline import window_problem


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
