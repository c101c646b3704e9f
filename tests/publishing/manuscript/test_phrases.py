import re

import pytest

from corpus.printing.numerals import NUMBER, parse_number


def numbers_in(text):
    return [parse_number(found) for found in re.findall(NUMBER, text, re.IGNORECASE)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("nineteen, not nine; sixty six and Sixty-Six", [19, 9, 66, 66]),
        ("someone tended tenfold", []),  # no word for a number, but one inside a word
        ("1,500 of 12,345,678", [1500, 12345678]),
        ("v84 4.84 x_3 T-1000", [4]),
        ("9" * 18, [10**18 - 1]),
        ("9" * 19 + " and " + "9" * 5000, []),
        ("1" + ",000" * 5, [10**15]),
    ],
)
def test_a_number_has_at_most_eighteen_digits_and_is_a_word_of_its_own(text, found):
    assert numbers_in(text) == found
