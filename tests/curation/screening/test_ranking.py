"""Measures of an order, and a ranking that learns from decisions."""

import sys

import pytest

from corpus.curation.screening.decisions import EXCLUDE, INCLUDE, CandidateScreening, Decision
from corpus.curation.screening.ranking import rank, read_until
from corpus.model.finding import UsageProblem
from corpus.model.work import Work


@pytest.mark.parametrize(
    ("labels", "share", "read"),
    [("1010", 0.5, 0.25), ("1010", 1, 0.75), ("0001", 0.95, 1), ("1" * 19 + "01", 0.95, 19 / 21)],
)
def test_records_are_read_until_a_share_of_the_inclusions_is_found(labels, share, read):
    given = [label == "1" for label in labels]
    assert read_until([-place for place in range(len(given))], given, share) == read


WET, DRY = "wet peat moss", "dry sand dune"


def screened(titles, waiting=(), abstract=""):
    """Return candidates of which every second was included and the waiting ones are open."""
    names = [f"k{place}" for place in range(len(titles))] + [key for key, _ in waiting]
    titles = [*titles, *(title for _, title in waiting)]
    works = {
        name: Work(title=title, abstract=abstract)
        for name, title in zip(names, titles, strict=True)
    }
    decided = names[: len(names) - len(waiting)]
    decisions = {
        (name, "ann"): Decision(name, "ann", INCLUDE if place % 2 else EXCLUDE)
        for place, name in enumerate(decided)
    }
    return CandidateScreening(works, decisions)


def past(number):
    return [f"{WET if place % 2 else DRY} {place}" for place in range(number)]


def test_likely_works_come_first_with_the_words_that_speak_for_them():
    pytest.importorskip("sklearn")
    waiting = [("a", DRY), ("b", WET), ("c", DRY)]
    ranking = rank(screened(past(30), waiting, abstract="Soil."), "ann")
    assert [*ranking.order] == ["b", "a", "c"]
    assert {"wet", "peat", "moss"} & {*ranking.order["b"]}
    assert ranking.auc > 0.9
    assert ranking.warnings == ()


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    with pytest.raises(UsageProblem, match=r"pip install 'mas-rl-corpus\[rank\]'"):
        rank(screened(past(30)), "ann")


def test_decisions_without_a_pattern_come_with_a_warning():
    pytest.importorskip("sklearn")
    noise = [WET if place // 2 % 2 else DRY for place in range(40)]
    assert len(rank(screened(noise), "ann").warnings) == 2


@pytest.mark.parametrize("number", [0, 4, 8])
def test_too_few_decisions_are_refused(number):
    with pytest.raises(UsageProblem):
        rank(screened(past(number)), "ann")
