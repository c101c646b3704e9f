"""What somebody may have meant who misspelt a name."""

import pytest

from corpus.model.suggestions import closest, unknown

KNOWN = ["title", "year", "venue", "Yield"]


@pytest.mark.parametrize(
    ("word", "found"), [("yaer", ["year"]), ("YEAR", ["year"]), ("yeild", ["Yield"]), ("qqq", []), ("", [])]
)  # fmt: skip
def test_the_nearest_name_is_found_whatever_its_case(word, found):
    assert closest(word, KNOWN) == found


def test_of_many_known_names_a_dozen_are_listed():
    names = [f"Name{number}" for number in range(1400)]
    message = unknown("number", "Nothing", names)
    assert "Name11 and 1,388 more" in message
    assert len(message) < 300
    assert "more" not in unknown("number", "Nothing", names[:12])
