"""The bound on wrong items of a population, from a drawn sample."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.audit.audit import most_wrong


def misled(population, sample, wrong, all_wrong):
    """Share of all samples that show at most `wrong` of `all_wrong` wrong items, by listing them."""
    samples = list(combinations(range(population), sample))
    few = [drawn for drawn in samples if sum(item < all_wrong for item in drawn) <= wrong]
    return len(few) / len(samples)


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n))), st.data())
def test_more_wrong_items_would_rarely_show_so_few(sizes, data):
    population, sample = sizes
    wrong = data.draw(st.integers(0, sample))
    bound = most_wrong(population, sample, wrong)
    possible = population - (sample - wrong)
    assert wrong <= bound <= possible
    if bound < possible:
        assert misled(population, sample, wrong, bound + 1) <= 0.05
    if bound > wrong:
        assert misled(population, sample, wrong, bound) > 0.05


@pytest.mark.parametrize(
    ("population", "sample", "wrong", "bound"),
    [
        (84, 84, 0, 0),
        (84, 1, 0, 79),
        # 19 wrong of 20 leave exactly the risk of 1 in 20, which is not more than it.
        (20, 1, 0, 18),
        # The rule of three: of a large population, about 3 / n, so a little under 1,000.
        (100_000, 300, 0, 992),
    ],
)
def test_known_bounds(population, sample, wrong, bound):
    assert most_wrong(population, sample, wrong) == bound


@pytest.mark.parametrize("sizes", [(10, 11, 0), (10, 5, 6), (10, 5, -1)])
def test_an_impossible_sample_has_no_bound(sizes):
    with pytest.raises(ValueError, match="not a sample"):
        most_wrong(*sizes)
