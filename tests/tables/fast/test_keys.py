"""Keys that rise from row to row, within a block and from block to block, are unique."""

import numpy as np
import pytest
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


@pytest.mark.parametrize(("keys", "ends"), [
    (("bog",), (b"bog", b"bog")),
    (("bog", "fen", "mire"), (b"bog", b"mire")),
    (("bog", "bog2"), (b"bog", b"bog2")),  # the beginning of a key comes before the key
    (("12345678", "123456789"), (b"12345678", b"123456789")),  # alike in the whole first word
    (("", "a"), (b"", b"a")),
    (("z", "\u00e9"), (b"z", "\u00e9".encode())),  # by bytes, as the canonical order has it
    (("fen", "bog"), None), (("fen", "fen"), None), (("bog", "mire", "fen"), None), (("Z", "a", "B"), None),
    (("abcdefgh1", "abcdefgh0"), None), (("bbbbbbbba", "aaaaaaaab"), None),
])  # fmt: skip
def test_the_ends_of_keys_that_rise_and_nothing_of_others(keys, ends):
    assert ends_of(*keys) == ends


@pytest.mark.parametrize(("length", "is_compared"), [(120, True), (121, False)])
def test_a_very_long_key_is_left_to_the_other_way(length, is_compared):
    assert (ends_of("a", "b" * length) is not None) == is_compared


@pytest.mark.parametrize(("ends", "rising"), [
    ([], True),
    ([(b"a", b"c")], True),
    ([(b"a", b"c"), (b"d", b"d"), (b"e", b"f")], True),
    ([(b"a", b"c"), (b"c", b"d")], False),  # the last key of a block is the first of the next
    ([(b"d", b"e"), (b"a", b"c")], False),
    ([(b"a", b"b"), None, (b"c", b"d")], False), ([None], False),
])  # fmt: skip
def test_keys_rise_through_all_blocks_or_do_not(ends, rising):
    assert is_rising(ends) == rising


words = st.text("ab\u00e9", min_size=1, max_size=3)
key = st.builds(lambda text, times: text * times, words, st.sampled_from([1, 3, 4, 5, 12, 30, 70]))


@given(st.lists(st.lists(key, min_size=1, max_size=5), min_size=1, max_size=4))
def test_keys_rise_where_each_is_greater_than_the_one_before(groups):
    for blocks in (groups, [sorted(set(group)) for group in groups]):
        flat = [key.encode() for group in blocks for key in group]
        # A key of more than 120 bytes is left to the other way of looking for duplicates.
        expected = flat == sorted(set(flat)) and max(map(len, flat)) <= 120
        assert is_rising([ends_of(*group) for group in blocks]) == expected
