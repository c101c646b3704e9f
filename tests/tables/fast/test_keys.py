"""Keys that rise from row to row, within a block and from block to block, are unique."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corpus.tables.fast.blocks import PADDING
from corpus.tables.fast.codes import is_rising, rising_ends


def ends_of(*keys):
    """The ends of keys that lie one behind the other, a comma after each."""
    data = ",".join([*keys, ""]).encode() + b"\n" * PADDING
    lengths = np.array([len(key.encode()) for key in keys], np.int64)
    stops = np.cumsum(lengths + 1) - 1
    return rising_ends(data, stops - lengths, stops)


words = st.text("ab\u00e9", min_size=1, max_size=3)
key = st.builds(lambda text, times: text * times, words, st.sampled_from([1, 3, 4, 5, 12, 30, 70]))


@given(st.lists(st.lists(key, min_size=1, max_size=5), min_size=1, max_size=4))
def test_keys_rise_where_each_is_greater_than_the_one_before(groups):
    for blocks in (groups, [sorted(set(group)) for group in groups]):
        flat = [key.encode() for group in blocks for key in group]
        # A key of more than 120 bytes is left to the other way of looking for duplicates.
        expected = flat == sorted(set(flat)) and max(map(len, flat)) <= 120
        assert is_rising([ends_of(*group) for group in blocks]) == expected
