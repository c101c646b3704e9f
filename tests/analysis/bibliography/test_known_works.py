"""Every row of a corpus that describes a work is found once, with its place and its scope."""

import pytest

from corpus.analysis.bibliography.known_works import judged_rows, known_rows
from tests.corpora.full import ROWS, codebook_data, declared, full

LISTED = {
    "file": "listed.csv",
    "role": "coverage",
    "key": ["nr"],
    "columns": [
        declared("nr", "key", role="key"),
        declared("label", role="title"),
        declared("verdict", "term", role="verdict", required=False),
    ],
}  # fmt: skip
CANDIDATES = {
    **LISTED, "file": "waiting.csv", "role": "candidates", "columns": LISTED["columns"][:2],
}  # fmt: skip
VERDICTS = {
    "terms": [{"id": name, "definition": "."} for name in ("missed", "later", "not")],
    "groups": [{"id": "in_scope", "label": "In scope", "terms": ["missed", "later"]}],
}


def study(rows=None, verdict=None, groups=True):
    data = codebook_data()
    listed = {**LISTED, "columns": [dict(column) for column in LISTED["columns"]]}
    if verdict:
        listed["columns"][2].update(verdict)
    data["tables"] = {**data["tables"], "listed": listed, "waiting": CANDIDATES}
    data["vocabularies"]["verdict"] = dict(VERDICTS)
    if not groups:
        data["vocabularies"]["verdict"].pop("groups")
    return full({"listed": [], "waiting": [], **(rows or {})}, **data)


def test_rows_are_in_the_order_of_the_places_and_the_bibliography_adds_to_entries_alone():
    dated = [("ada", "2020"), ("zoe", "2020")]
    made = study(
        {"dated": dated, "waiting": [("w1", "Waiting")], "listed": [("l1", "Listed", "missed")]}
    )
    found = [(known.place, known.name, known.table.spec.name) for known in known_rows(made)]
    pool = [("pool", row[0], "sensors") for row in ROWS["sensors"]]
    excluded = [("excluded", row[0], "dropped") for row in ROWS["dropped"]]
    assert found == [
        *pool, ("pool", "ada", "dated"), *excluded, ("candidate", "w1", "waiting"), ("judged", "l1", "listed"),
    ]  # fmt: skip


def test_entries_and_candidates_are_in_scope_and_excluded_records_are_not():
    made = study({"waiting": [("w1", "Waiting")]})
    scope = {known.place: known.in_scope for known in known_rows(made)}
    assert scope == {"pool": True, "excluded": False, "candidate": True}


LIST = [("l1", "A", "missed"), ("l2", "B", "not"), ("l3", "C", ""), ("l4", "D", "later")]


def test_a_verdict_is_in_scope_by_its_group_and_a_record_without_one_is_not_judged():
    found = {known.name: known.in_scope for known in judged_rows(study({"listed": LIST}))}
    assert found == {"l1": True, "l2": False, "l4": True}


@pytest.mark.parametrize(
    ("verdict", "groups", "judged"),
    [
        ({"role": ""}, True, {}),
        ({}, False, {"l1": False, "l2": False, "l4": False}),
        ({"type": "text"}, True, {"l1": False, "l2": False, "l4": False}),
    ],
    ids=["no verdicts", "no group", "no vocabulary"],
)
def test_nothing_is_in_scope_where_no_verdict_means_that(verdict, groups, judged):
    made = study({"listed": LIST}, verdict, groups)
    assert {known.name: known.in_scope for known in judged_rows(made)} == judged
