"""Claims as records: what a selection looks at, and claims by either of their names."""

import pytest

from corpus.analysis.claims.claim import Claim, ClaimSet, Expectation, selected
from corpus.model.finding import UsageProblem
from tests.corpora.full import codebook_data, declared, full
from tests.support.selecting import select


def claim(identifier, source_id=""):
    return Claim(identifier, source_id, "", "", (), (), Expectation("count", 1))


BOOK = ClaimSet((claim("size", "C01"), claim("depth"), claim("water", "C01")))


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


DATA = codebook_data()
DATA["tables"]["again"] = {
    "file": "again.csv", "key": ["sensor"],
    "columns": [
        declared("sensor", "ref", references="sensors"),
        declared("depth", "term"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("bounds", "found"), [
    (("2020-11", "2020-11"), ["ada", "bob"]), (("2020-11-02", "2020-11-02"), ["ada"]), (("2020-11-03", "2021"), ["cy"]),
    (("2019", "2019"), ["dot"]), (("when", "2021"), []), (("2019", "when"), []),
])  # fmt: skip
def test_a_last_month_or_year_is_taken_whole(bounds, found):
    dated = [
        ("ada", "2020-11-02"),
        ("bob", "2020-11"),
        ("cy", "2021-01"),
        ("dot", "2019-05"),
        ("eve", ""),
        ("fay", "soon"),
    ]
    corpus = full({"dated": dated})
    assert [row[0] for row in selected(select("dated", between={"seen": bounds}), corpus)] == found
