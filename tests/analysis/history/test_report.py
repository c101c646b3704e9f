"""Sparklines."""

from corpus.analysis.history.report import sparkline


def test_zero_is_drawn_and_an_unknown_number_is_not():
    assert sparkline([0, 7, None]) == "▁█ "


def test_the_greatest_number_is_the_highest_bar():
    bars = sparkline([1, 2, 100, 50])
    assert max(bars) == bars[2]
    assert bars[0] < bars[3]


def test_a_ratio_without_divisor_has_no_bar():
    assert sparkline([float("nan"), 1.5]) == " █"


def test_only_zeros():
    assert sparkline([0, 0]) == "▁▁"


def test_a_long_history_keeps_its_first_and_last_number():
    bars = sparkline([8, *[1] * 500, 4])
    assert len(bars) == 40
    assert (bars[0], bars[-1]) == ("█", "▅")
