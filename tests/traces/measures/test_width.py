"""How many agents are active at a time, and sums that stay exact."""

import math

import pytest

from corpus.traces.measures.width import summed, width
from corpus.traces.run import Life


@pytest.mark.parametrize(
    ("lives", "mean", "peak"),
    [
        ([Life(2, 5)], 1.0, 1),
        # One agent ends when the next one begins: they do not overlap.
        ([Life(0, 1), Life(1, 2)], 1.0, 1),
        ([Life(0, 2), Life(1, 3)], 4 / 3, 2),
        # An agent of one moment counts at that moment, and adds nothing to the mean.
        ([Life(0, 4), Life(2, 2)], 1.0, 2),
        ([Life(1, 1), Life(1, 1)], 2.0, 2),
        ([Life(0, 1), Life(3, 4)], 2 / 4, 1),
    ],
)
def test_mean_over_time_and_peak(lives, mean, peak):
    assert width(lives) == (mean, peak)
    assert width(reversed(lives)) == (mean, peak)


def test_a_sum_is_rounded_once_and_too_large_a_one_is_infinite():
    assert summed([1e16, 1.0, -1e16]) == 1.0
    assert summed([]) == 0
    assert summed([1.7e308, 1.7e308]) == math.inf
