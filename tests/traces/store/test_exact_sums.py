"""Sums and ranks of numbers that come in pieces."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.traces.store.exact_sums import (
    PASSES,
    UNIT,
    Rank,
    add_counts,
    exact_sum,
    histogram,
    ordered_bits,
    rounded,
    value_of,
)

SMALLEST = 5e-324
LARGEST = 1.7976931348623157e308


NUMBERS = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=60)


@given(NUMBERS, st.integers(0, 60))
def test_sums_of_pieces_are_the_correctly_rounded_sum(values: list[float], cut: int) -> None:
    try:
        whole = math.fsum(values)
    except OverflowError:
        return
    left, right = np.array(values[:cut], np.float64), np.array(values[cut:], np.float64)
    assert rounded(exact_sum(left) + exact_sum(right)) == whole


@given(NUMBERS, st.integers(0, 60), st.data())
def test_a_rank_is_the_number_at_that_place_of_the_sorted_list(
    values: list[float], cut: int, data
) -> None:
    place = data.draw(st.integers(0, len(values) - 1))
    rank = Rank(0, place)
    for level in range(PASSES):
        counts: dict[int, int] = {}
        for piece in (values[cut:], values[:cut]):
            add_counts(counts, histogram(np.array(piece, np.float64), rank.prefix, level))
        rank = rank.narrowed(counts)
    assert value_of(rank.prefix) == sorted(values)[place]


@pytest.mark.parametrize(
    ("values", "total"),
    [
        ([], 0.0),
        ([0.0, -0.0], 0.0),
        ([0.1] * 10, 1.0),
        ([1e16, 1.0, -1e16], 1.0),
        ([SMALLEST], SMALLEST),
        ([SMALLEST, 1.0, -1.0], SMALLEST),
        ([-SMALLEST, SMALLEST], 0.0),
        ([LARGEST, -LARGEST, 3.0], 3.0),
        ([LARGEST], LARGEST),
        # Too large for a double: infinity rather than an error.
        ([LARGEST, LARGEST], math.inf),
    ],
)
def test_a_sum_is_the_nearest_double(values: list[float], total: float) -> None:
    assert rounded(exact_sum(np.array(values, np.float64))) == total


def test_a_sum_counts_in_units_of_the_smallest_double() -> None:
    assert exact_sum(np.array([SMALLEST] * 3)) == 3
    assert exact_sum(np.array([-1.0])) == -(1 << UNIT)


@pytest.mark.parametrize("value", [0.0, SMALLEST, 1.0, -1.0, -SMALLEST, LARGEST, -LARGEST, 0.1])
def test_ordered_bits_lead_back_to_their_number(value: float) -> None:
    (bits,) = ordered_bits(np.array([value])).tolist()
    assert value_of(bits) == value


def test_ordered_bits_sort_as_numbers_do_and_zero_has_one_sign() -> None:
    numbers = [-LARGEST, -1.0, -SMALLEST, 0.0, SMALLEST, 1.0, LARGEST]
    bits = ordered_bits(np.array(numbers)).tolist()
    assert bits == sorted(set(bits))
    assert ordered_bits(np.array([-0.0])).tolist() == ordered_bits(np.array([0.0])).tolist()


def test_a_histogram_counts_the_next_digit_of_numbers_with_a_prefix() -> None:
    numbers = np.array([1.0, 1.0, 2.0, -1.0])
    whole = histogram(numbers, 0, 0)
    ones = int(ordered_bits(np.array([1.0]))[0]) >> 48
    assert (len(whole), whole[ones], sum(whole.values())) == (3, 2, 4)
    assert histogram(numbers, ones, 1) == {0: 2}
    assert histogram(numbers, ones + 7, 1) == {}


def test_counts_add_up_by_digit() -> None:
    counts = {1: 2}
    add_counts(counts, {1: 3, 7: 1})
    assert counts == {1: 5, 7: 1}


@pytest.mark.parametrize(
    ("place", "found"), [(0, (3, 0)), (1, (3, 1)), (2, (5, 0)), (4, (5, 2)), (5, (9, 0))]
)
def test_a_rank_is_narrowed_to_the_digit_that_holds_it(place: int, found: tuple[int, int]) -> None:
    digit, left = found
    assert Rank(1, place).narrowed({9: 1, 3: 2, 5: 3}) == Rank(1 << 16 | digit, left)


def test_a_rank_beyond_the_numbers_is_an_error() -> None:
    with pytest.raises(ValueError, match="rank"):
        Rank(0, 6).narrowed({9: 1, 3: 2, 5: 3})
