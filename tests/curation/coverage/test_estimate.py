"""Capture and recapture, checked against worked examples."""

import pytest

from corpus.curation.coverage.estimate import EstimateRefused, estimated


def lists(*works):
    return [(f"list {number}", members) for number, members in enumerate(works)]


def test_chapman_as_in_the_formula():
    # n1 = 100, n2 = 80, m = 20: (101 * 81) / 21 - 1
    found = estimated(lists(range(100), range(80, 160)))
    assert found.estimate == pytest.approx(388.571, abs=1e-3)
    # Variance 101 * 81 * 80 * 60 / (21² * 22); the ends are 160 + 228.571 / and * 1.70811.
    assert (found.low, found.high) == pytest.approx((293.816, 550.425), abs=1e-3)
    assert (found.method, found.seen, found.overlap) == ("Chapman", 160, 20)


def test_chao_counts_what_was_seen_once_and_twice():
    # Three lists: 10 works in two of them, 12 in one; 22 + (2/3) * 12 * 11 / (2 * 11)
    found = estimated(lists(range(10), range(16), range(16, 22)))
    assert found.method == "Chao"
    assert found.estimate == pytest.approx(22 + 2 / 3 * 12 * 11 / 22)
    # Variance 4 + 4/9 * 12 * 23² / (4 * 11²) + 4/9 * 12² * 10 * 11² / (4 * 11⁴); 4 / and * 4.15924.
    assert (found.low, found.high) == pytest.approx((22.962, 38.637), abs=1e-3)
    assert (found.seen, found.overlap) == (22, 10)


def test_equal_lists_show_nothing_unseen():
    found = estimated(lists(range(9), range(9)))
    assert (found.estimate, found.low, found.high) == (9, 9, 9)


@pytest.mark.parametrize("works", [(), (range(9),), (range(9), range(3, 12))])
def test_too_little_is_refused(works):
    assert isinstance(estimated(lists(*works)), EstimateRefused)
