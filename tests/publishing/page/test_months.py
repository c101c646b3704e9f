"""The bars of the page's timeline."""

from corpus.model.dates import parse_date
from corpus.publishing.page.data import months


def found(*dates, cutoff="2024-04-02", number=3):
    return months([parse_date(date) if date else None for date in dates], cutoff, number)


def test_the_bars_begin_with_the_first_entry_and_end_with_the_last():
    assert found("2024-03", number=24)["bars"] == ["2024-03", "2024-04"]
    assert found("2024-03", "2024-05")["bars"] == ["2024-03", "2024-04", "2024-05"]


def test_a_year_of_the_window_is_undated_and_an_earlier_one_is_before_it():
    assert found("2024-02", "2024", "2023", "")["barOf"] == [
        "2024-02", "undated", "before-2024-02", "undated",
    ]  # fmt: skip


def test_without_any_month_no_bar_is_drawn():
    assert found("2024", "")["bars"] == []
    assert found("2024", "")["barOf"] == ["undated", "undated"]
