"""The bars of the page's timeline."""

from corpus.model.dates import parse_date
from corpus.publishing.page.data import months


def found(*dates, cutoff="2024-04-02", number=3):
    return months([parse_date(date) if date else None for date in dates], cutoff, number)


def test_the_bars_begin_with_the_first_entry_and_end_with_the_last():
    assert found("2024-03", number=24)["bars"] == ["2024-03", "2024-04"]
    assert found("2024-03", "2024-05")["bars"] == ["2024-03", "2024-04", "2024-05"]
