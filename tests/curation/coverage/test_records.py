"""Unseen works as rows of the table of coverage, where they wait for a verdict."""

from corpus.curation.coverage.coverage import coverage, with_unseen
from tests.support.covered import a_list


def rows(study, report, **versions):
    return list(with_unseen(study, report, versions, "2026-02-03").tables["coverage"].records())


def test_an_unseen_work_becomes_a_row_and_earlier_rows_keep_their_verdict(study):
    report = coverage(
        study, [a_list("A list", ("=New", "2601.00001", "2026"), "Waiting for a verdict")]
    )
    found = rows(study, report, **{"A list": "3f2a"})
    assert [row["verdict"] for row in found] == ["candidate", "out_of_scope", "", ""]
    new = found[-1]
    assert new.pop("record").startswith("a-list-")
    assert new == {"list": "A list", "version": "3f2a", "date": "2026-02-03", "title": '"=New"',
                   "year": "2026", "identifier": "arXiv:2601.00001", "verdict": "", "reason": ""}  # fmt: skip


def test_the_same_list_adds_the_same_rows_once(study):
    report = coverage(study, [a_list("lit", "New", "Newer")])
    again = with_unseen(study, report, {}, "2026-02-03")
    report = coverage(again, [a_list("lit", "New", "Newer")])
    assert with_unseen(again, report, {}, "2027-01-01") == again
    assert len(again.tables["coverage"].rows) == 5


def test_an_identifier_of_a_list_starts_no_formula(study):
    listed = a_list("lit", "New")
    work = listed.works[0]._replace(links=("=1+1",))
    found = rows(study, coverage(study, [listed._replace(works=(work,))]))
    assert found[-1]["identifier"] == '"=1+1"'


def test_a_work_that_waits_under_its_identifier_gets_no_second_row(study):
    first = coverage(study, [a_list("one", ("Its first title", "2601.00001", ""))])
    again = with_unseen(study, first, {}, "2026-02-03")
    second = coverage(again, [a_list("two", ("Quite another one", "2601.00001", ""))])
    assert with_unseen(again, second, {}, "2026-02-04") == again
