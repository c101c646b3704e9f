"""Combinations of numbered cells are counted, also where their numbers do not fit one integer."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.tables.fast.codes import count_combinations


@pytest.mark.parametrize("sizes", [[3, 1 << 31, (1 << 63) // (3 << 31)], [2, 1 << 31, 1 << 31]])
def test_the_largest_product_of_sizes_that_fits_and_the_next(sizes):
    """The product of the first is just below 2 to the 63rd; that of the second is that."""
    last = [size - 1 for size in sizes]
    codes = [np.array([0, end, end], np.int64) for end in last]
    assert count_combinations(codes, sizes) == {(0, 0, 0): 1, tuple(last): 2}


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=30), st.integers(5, 9))
def test_counts_are_those_of_a_counter(rows, size):
    codes = [np.array(column, np.int32) for column in zip(*rows, strict=True)]
    assert count_combinations(codes, [size, 5, size]) == Counter(rows)
