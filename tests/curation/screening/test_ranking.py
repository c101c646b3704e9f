"""Measures of an order, and a ranking that learns from decisions."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.curation.screening.ranking import order_quality, rank
from corpus.model.finding import UsageProblem


def test_equal_scores_are_no_order():
    assert order_quality([1.0] * 10, [True, False] * 5).auc == 0.5


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=2, max_size=30))
def test_auc_is_the_share_of_pairs_in_the_right_order(items):
    labels = [label for _, label in items]
    if len(set(labels)) < 2:
        return
    pairs = [
        (one > other) + (one == other) / 2
        for one, is_in in items
        if is_in
        for other, other_in in items
        if not other_in
    ]
    found = order_quality([score for score, _ in items], labels).auc
    assert found == pytest.approx(sum(pairs) / len(pairs))


WET, DRY = "wet peat moss", "dry sand dune"


def past(number):
    return [(f"{WET if place % 2 else DRY} {place}", bool(place % 2)) for place in range(number)]


def test_likely_works_come_first_with_the_words_that_speak_for_them():
    pytest.importorskip("sklearn")
    ranking = rank(past(30), [("a", DRY), ("b", WET), ("c", DRY)], without_abstract=0)
    assert [*ranking.order] == ["b", "a", "c"]
    assert {"wet", "peat", "moss"} & {*ranking.order["b"]}
    assert ranking.quality.auc > 0.9
    assert ranking.warnings == ()


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    with pytest.raises(UsageProblem, match=r"pip install 'mas-rl-corpus\[rank\]'"):
        rank(past(30), [("a", DRY)], without_abstract=0)


def test_decisions_without_a_pattern_come_with_a_warning():
    pytest.importorskip("sklearn")
    noise = [(f"{WET if place // 2 % 2 else DRY}", bool(place % 2)) for place in range(40)]
    assert len(rank(noise, [], without_abstract=1).warnings) == 2


@pytest.mark.parametrize("number", [0, 4, 8])
def test_too_few_decisions_are_refused(number):
    with pytest.raises(UsageProblem):
        rank(past(number), [], without_abstract=0)
