"""What somebody may have meant who misspelt a name."""

import pytest

from corpus.model.suggestions import closest, unknown

KNOWN = ["title", "year", "venue", "Yield"]


@pytest.mark.parametrize(
    ("word", "found"), [("yaer", ["year"]), ("YEAR", ["year"]), ("yeild", ["Yield"]), ("qqq", []), ("", [])]
)  # fmt: skip
def test_the_nearest_name_is_found_whatever_its_case(word, found):
    assert closest(word, KNOWN) == found


def test_several_names_are_in_order_and_no_more_than_wanted():
    names = ["fen-2024", "fen-2025", "fen-2026", "bog"]
    assert closest("fen-2026x", names, most=2) == ["fen-2026", "fen-2025"]
    assert closest("fen", names, most=5, cutoff=0.99) == []


def test_the_message_names_the_nearest_and_all():
    assert unknown("key", "titel", KNOWN) == (
        "unknown key 'titel'; did you mean 'title'? Known: title, year, venue, Yield"
    )
    assert unknown("key", "zzz", (name for name in KNOWN)) == (
        "unknown key 'zzz'; known: title, year, venue, Yield"
    )
    assert unknown("key", "x", []) == "unknown key 'x'; known: none"


def test_of_many_known_names_a_dozen_are_listed():
    names = [f"Name{number}" for number in range(1400)]
    message = unknown("number", "Nothing", names)
    assert "Name11 and 1,388 more" in message
    assert len(message) < 300
    assert "more" not in unknown("number", "Nothing", names[:12])
