"""Which works of a list the corpus has, where, and which of them an estimate rests on."""

import pytest

from corpus.analysis.bibliography.same_works import CANDIDATE, EXCLUDED, JUDGED, POOL, UNSEEN
from corpus.curation.coverage.coverage import coverage, estimated
from tests.corpora.full import sensor
from tests.support.covered import a_list

POOL_TITLES = ("Rain above Ada's antenna", "Birches that drink from the sky")


def test_each_work_is_at_one_place_and_counted_once(study):
    listed = a_list(
        "lit", "Another name", ("x", "2011.00010"), POOL_TITLES[1], POOL_TITLES[1].upper(),
        "A meadow without a sensor", "Alder carr", "Fitting fen", "Dry dune", "Waiting for a verdict",
        "Another name!",
    )  # fmt: skip
    report = coverage(study, [listed])
    names = {(item.place, item.name) for item in report.lists["lit"]}
    assert names == {
        (POOL, "ada"), (POOL, "bob"), (EXCLUDED, "x1"), (CANDIDATE, "a"), (JUDGED, "r1"),
        (JUDGED, "r2"), (UNSEEN, ""),
    }  # fmt: skip
    assert report.counts("lit") == {
        "records": 10, "works": 8, POOL: 2, EXCLUDED: 1, CANDIDATE: 1, JUDGED: 2, UNSEEN: 2,
    }  # fmt: skip


def test_an_unseen_work_of_two_lists_is_of_the_first(study):
    report = coverage(study, [a_list("one", "New"), a_list("two", "NEW", "Newer")])
    assert [(name, work.title) for name, work in report.unseen] == [
        ("one", "New"),
        ("two", "Newer"),
    ]
    assert report.overlaps[0][1] == 1
    assert report.counts("one", "two")[UNSEEN] == 2


def test_an_estimate_counts_works_in_scope_only(study):
    number = 12
    titles = [f"Sensor of site{place}" for place in range(number)]
    pool = [sensor(f"s{place}", name=title) for place, title in enumerate(titles)]
    # What the bibliography has about an entry is no other work, whatever it names.
    dated = [(f"s{place}", "2021") for place in range(number)]
    study = study.with_rows({"sensors": pool, "dated": dated})
    report = coverage(
        study, [a_list("lit", *titles[:10], "Fitting fen", "Dry dune")], independent=True
    )
    # 12 in the pool, 11 in scope in the list, 10 in both: 13 * 12 / 11 - 1.
    assert report.estimate["estimate"] == pytest.approx(13 * 12 / 11 - 1)
    assert report.estimate["seen"] == 13
    assert report.estimate["lists"] == ["pool", "lit"]


def lists(*works):
    return [(f"list {number}", members) for number, members in enumerate(works)]


def test_chapman_as_in_the_formula():
    # n1 = 100, n2 = 80, m = 20: (101 * 81) / 21 - 1
    found = estimated(lists(range(100), range(80, 160)))
    assert found["estimate"] == pytest.approx(388.571, abs=1e-3)
    # Variance 101 * 81 * 80 * 60 / (21² * 22); the ends are 160 + 228.571 / and * 1.70811.
    assert (found["low"], found["high"]) == pytest.approx((293.816, 550.425), abs=1e-3)
    assert (found["method"], found["seen"], found["overlap"]) == ("Chapman", 160, 20)


def test_chao_counts_what_was_seen_once_and_twice():
    # Three lists: 10 works in two of them, 12 in one; 22 + (2/3) * 12 * 11 / (2 * 11)
    found = estimated(lists(range(10), range(16), range(16, 22)))
    assert found["method"] == "Chao"
    assert found["estimate"] == pytest.approx(22 + 2 / 3 * 12 * 11 / 22)
    # Variance 4 + 4/9 * 12 * 23² / (4 * 11²) + 4/9 * 12² * 10 * 11² / (4 * 11⁴); 4 / and * 4.15924.
    assert (found["low"], found["high"]) == pytest.approx((22.962, 38.637), abs=1e-3)
    assert (found["seen"], found["overlap"]) == (22, 10)


@pytest.mark.parametrize("works", [(), (range(9),), (range(9), range(3, 12))])
def test_too_little_is_refused(works):
    assert "reason" in estimated(lists(*works))
