"""Claims as records: what a selection looks at, and claims by either of their names."""

import pytest

from corpus.analysis.claims.claim import Claim, ClaimBook, Expectation
from corpus.model.finding import UsageProblem


def claim(identifier, source_id=""):
    return Claim(identifier, source_id, "", "", (), (), Expectation("count", 1))


BOOK = ClaimBook((claim("size", "C01"), claim("depth"), claim("water", "C01")))


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ([], ["size", "depth", "water"]),
        (["water", "size"], ["size", "water"]),
        (["C01"], ["size", "water"]),
        (["depth", "C01"], ["size", "depth", "water"]),
    ],
)
def test_claims_are_found_by_either_name_in_the_order_of_the_file(names, found):
    assert [item.id for item in BOOK.named(names)] == found


@pytest.mark.parametrize(("name", "nearest"), [("dpeth", "'depth'"), ("C02", "'C01'")])
def test_an_unknown_name_is_answered_with_the_nearest(name, nearest):
    with pytest.raises(UsageProblem, match=f"did you mean {nearest}"):
        BOOK.named(["size", name])
