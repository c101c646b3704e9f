"""Titles that are nearly the same are paired, whatever part of them differs."""

import pytest
from rapidfuzz import fuzz

from corpus.analysis.bibliography.near_titles import WINDOW, near_titles
from corpus.analysis.bibliography.same_works import NEAR

LONG = "theslowgrowthofmossonwetstonesinthenorth"


@pytest.mark.parametrize(
    "other",
    [
        "theslowgrowhofmossonwetstonesinthenorth", "aslowgrowthofmossonwetstonesinthenorth",
        "theslowgrowthofmossonwetstonesinthenort", "theslowgrowthofmossonwetstonesinthesouth",
    ],
)  # fmt: skip
def test_a_pair_is_in_order_with_its_percentage(other):
    expected = pytest.approx(fuzz.ratio(LONG, other), abs=1e-4)
    first, second = sorted((LONG, other))
    assert near_titles([LONG, other, "peatandwater"]) == [(first, second, expected)]


def test_exactly_the_limit_is_near_and_less_is_not():
    # 19 of 20 letters twice, of 2 * 20 in all: 95 %; 9 of 10 twice: 90 %; 8 of 9 twice: 88.9 %.
    assert [pair[2] for pair in near_titles(["abcdefghij", "abcdefghiz"])] == [NEAR]
    assert near_titles(["abcdefghi", "abcdefghz"]) == []


@pytest.mark.parametrize("titles", [[], ["alone"], ["peat", "moss"]])
def test_nothing_is_near_nothing(titles):
    assert near_titles(titles) == []


def test_the_order_of_the_titles_does_not_matter():
    titles = [LONG, LONG.replace("slow", "slwo"), LONG + "s", "peatandwater", "peatandwaters"]
    assert near_titles(titles) == near_titles(titles[::-1])
    assert len(near_titles(titles)) == 4


def test_a_changed_beginning_is_found_among_more_neighbours_than_the_window():
    """Sorted by the text, the two are far apart; sorted by the reversed text, they are neighbours."""
    changed = "z" + LONG[1:]
    between = [f"u{number:02}bogandfenandmire" for number in range(3 * WINDOW)]
    pairs = [(first, second) for first, second, _ in near_titles([LONG, *between, changed])]
    assert (LONG, changed) in pairs
