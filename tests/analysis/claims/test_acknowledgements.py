"""Accepted differences: a row per claim and key, which stays as long as the difference is there."""

import tomllib

import pytest

from corpus.analysis.claims.acknowledgements import (
    acceptance_table,
    accepted_difference,
    accepted_rows,
    updated_rows,
)
from corpus.analysis.claims.claim import Claim, ClaimDifference, Expectation
from corpus.model.finding import UsageProblem
from tests.corpora.full import ACCEPTED_CLAIMS, codebook_data, full

EXTRA_ADA = ClaimDifference("extra", "ada")
EXTRA_BOB = ClaimDifference("extra", "bob")
OTHER_3 = ClaimDifference("other", "3")


def study(*rows, without=""):
    """The full corpus with accepted differences; `without` takes the role from a column."""
    data = codebook_data()
    declared = tomllib.loads(ACCEPTED_CLAIMS)["tables"]["accepted_claims"]
    for column in declared["columns"]:
        if column["name"] == without:
            del column["role"]
    data["tables"]["accepted_claims"] = declared
    return full({"accepted_claims": list(rows)}, **data)


def claim(name):
    return Claim(name, "", "", "", (), (), Expectation("count", 1))


def test_every_row_is_read_with_its_line():
    found = accepted_rows(study(("a", "extra", "ada", "why"), ("b", "other", "3", "so")))
    assert [(row.by_role["claim"], accepted_difference(row), row.line) for row in found] == [
        ("a", EXTRA_ADA, 2),
        ("b", OTHER_3, 3),
    ]


@pytest.mark.parametrize("column", ["claim", "sign", "key", "reason"])
def test_a_table_without_one_of_the_columns_accepts_nothing(column):
    made = study(("a", "extra", "ada", "why"), without=column)
    assert accepted_rows(made) == []
    with pytest.raises(UsageProblem, match="accepted_claims"):
        acceptance_table(made)


def test_a_corpus_without_the_table_accepts_nothing():
    assert accepted_rows(full()) == []
    with pytest.raises(UsageProblem, match="accepted_claims"):
        acceptance_table(full())


def acknowledged(rows, differences, reason="new"):
    return updated_rows(acceptance_table(study(*rows)), differences, reason)


def test_what_is_new_is_added_and_what_is_there_keeps_its_reason():
    rows = [("a", "extra", "ada", "old")]
    assert acknowledged(rows, {"a": [EXTRA_ADA, EXTRA_BOB]}) == [
        ("a", "extra", "ada", "old"),
        ("a", "extra", "bob", "new"),
    ]


def test_what_is_no_difference_any_more_is_removed_of_the_named_claims_alone():
    rows = [("a", "extra", "ada", "old"), ("b", "other", "3", "old"), ("c", "other", "4", "old")]
    assert acknowledged(rows, {"a": [], "b": [ClaimDifference("other", "5")]}) == [
        ("c", "other", "4", "old"),
        ("b", "other", "5", "new"),
    ]


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines", "\x1b[31m"])
def test_a_reason_is_one_line_of_plain_text(reason):
    with pytest.raises(UsageProblem, match="one line"):
        acknowledged([], {"a": [EXTRA_ADA]}, reason)
