"""Which works of a list the corpus has, and where."""

from corpus.analysis.bibliography.same_works import CANDIDATE, EXCLUDED, JUDGED, POOL, UNSEEN
from corpus.curation.coverage.coverage import coverage
from tests.support.covered import a_list

POOL_TITLES = ("Rain above Ada's antenna", "Birches that drink from the sky")


def test_each_work_is_at_one_place_and_counted_once(study):
    listed = a_list(
        "lit", "Another name", ("x", "2011.00010"), POOL_TITLES[1], POOL_TITLES[1].upper(),
        "A meadow without a sensor", "Alder carr", "Fitting fen", "Dry dune", "Waiting for a verdict",
        "Another name!",
    )  # fmt: skip
    report = coverage(study, [listed])
    assert report.counts("lit") == {
        "records": 10, "works": 8, POOL: 2, EXCLUDED: 1, CANDIDATE: 1, JUDGED: 2, UNSEEN: 2,
    }  # fmt: skip


def test_an_unseen_work_of_two_lists_is_of_the_first(study):
    report = coverage(study, [a_list("one", "New"), a_list("two", "NEW", "Newer")])
    assert [(name, work.title) for name, work in report.unseen] == [
        ("one", "New"),
        ("two", "Newer"),
    ]
    assert report.counts("one", "two")[UNSEEN] == 2
