"""Coverage in print: every number, and every form with the same ones."""

import json

import pytest

from corpus.curation.coverage.coverage import coverage, coverage_grids, coverage_json
from tests.support.covered import a_list


@pytest.fixture
def report(study):
    one = a_list("one", "Alder carr", ("=New", "2601.00001", "2026"), "Newer", "Newer!")
    two = a_list("two", "Newer", "Dry dune")
    return coverage(study, [one, two])


def test_the_table_has_records_works_and_places_of_each_list_and_of_all(report):
    lists, unseen = coverage_grids(report)
    assert lists.rows == (
        ("one", "4", "3", "0", "0", "1", "0", "2"),
        ("two", "2", "2", "0", "0", "0", "1", "1"),
        ("all lists", "6", "4", "0", "0", "1", "1", "2"),
    )
    assert lists.header[3:] == ("in the pool", "excluded", "candidate", "judged", "unseen")
    assert unseen.rows == (
        ("one", "3", "2026", "arXiv:2601.00001", "=New"),
        ("one", "4", "", "", "Newer"),
    )
    assert unseen.note == ""


def test_json_has_the_numbers_of_the_table(report):
    found = json.loads(coverage_json(report))
    assert found["lists"][0] == {
        "name": "one", "records": 4, "works": 3, "pool": 0, "excluded": 0, "candidate": 1,
        "judged": 0, "unseen": 2,
    }  # fmt: skip
    assert found["unseen"][0] == {
        "list": "one", "place": 3, "title": "=New", "year": "2026", "identifier": "arXiv:2601.00001",
    }  # fmt: skip
