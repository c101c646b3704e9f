"""Numbers as digits: nothing is rounded away, and nothing is in powers of ten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.printing.numerals import numeral


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"), (-3, "-3"), (1_234_567, "1234567"), (2.0, "2"), (-0.5, "-0.5"), (13.33, "13.33"),
        (1234567.25, "1234567.25"), (1e-05, "0.00001"), (-2.5e-05, "-0.000025"), (1.5e-07, "0.00000015"), (1e22, "1" + "0" * 22),
        (float("nan"), "nan"),
    ],
)  # fmt: skip
def test_a_number_is_written_with_all_of_its_digits(number, text):
    assert numeral(number) == text


@given(st.one_of(st.integers(-(10**15), 10**15), st.floats(allow_nan=False, allow_infinity=False)))
def test_what_is_written_is_the_number(number):
    text = numeral(number)
    assert float(text) == number
    assert set(text) <= set("-.0123456789")
