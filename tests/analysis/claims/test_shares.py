"""Shares in the sentence of a claim, and claims that expect one."""

import pytest

from corpus.analysis.claims.evaluate import evaluate
from corpus.analysis.claims.parser import parse_claims
from corpus.analysis.claims.robustness import breaking_edits
from tests.corpora.full import full

SENSORS = [("a", "A", "deep", "gas"), ("b", "B", "deep", "gas"), ("c", "C", "deep", "heat"),
           ("d", "D", "surface", "gas"), ("e", "E", "surface", "heat"), ("f", "F", "surface", "heat")]  # fmt: skip


def outcome(statement, **claim):
    study = full({"sensors": SENSORS})
    data = {"format": 1, "claims": [{"id": "c", "statement": statement, **claim}]}
    book, findings = parse_claims(data, study.codebook)
    assert findings == []
    return evaluate(book.claims[0], study)


DEEP = {"where": {"depth": "deep"}}
DEEP_GAS = {"where": {"depth": "deep", "senses": "gas"}}


@pytest.mark.parametrize(("sentence", "claim", "wrong"), [
    ("50 % of the sensors are deep.", {**DEEP, "count": 3}, ()),
    ("99 % of the sensors (3) are deep.", {**DEEP, "count": 3}, ("99 %",)),
    ("A third of the sensors is deep.", {**DEEP, "count": 3}, ("A third",)),
    ("Half of the sensors are deep.", {**DEEP, "keys": ["a", "b", "c"]}, ()),
    ("More than half of the sensors are deep.", {**DEEP_GAS, "count": 2}, ()),  # of the deep ones
    ("A third of the sensors is deep and senses gas.", {**DEEP_GAS, "count": 2}, ()),
    ("67% of the deep sensors sense gas.", {**DEEP_GAS, "count": 2}, ()),
    ("66.7 percent of the deep sensors sense gas.", {**DEEP_GAS, "count": 2}, ()),
    ("66.5 percent of the deep sensors sense gas.", {**DEEP_GAS, "count": 2}, ("66.5 percent",)),
    ("2 of 3 deep sensors sense gas.", {**DEEP_GAS, "count": 2}, ()),
    ("2 of 7 deep sensors sense gas.", {**DEEP_GAS, "count": 2}, ("2 of 7",)),
    ("2/7 of the sensors are deep and sense gas.", {**DEEP_GAS, "count": 2}, ("2/7",)),
    ("One in three sensors is deep and senses gas.", {**DEEP_GAS, "count": 2}, ()),
    ("Three in four sensors are deep.", {**DEEP, "count": 3}, ("Three in four",)),
    ("Fifty percent of the sensors are deep.", {**DEEP, "count": 3}, ()),
    ("Sixty-one percent of the sensors are deep.", {**DEEP, "count": 3}, ("Sixty-one percent",)),
    ("Four sevenths of the sensors are deep.", {**DEEP, "count": 3}, ("Four sevenths",)),
    ("A majority of the sensors is deep.", {**DEEP, "count": 3}, ("A majority",)),
    ("At least 50 % of the sensors are deep.", {**DEEP, "count": 3}, ()),
    ("More than 50 % of the sensors are deep.", {**DEEP, "count": 3}, ("More than 50 %",)),
    ("33 % are deep and sense gas.", {**DEEP_GAS, "share": 33}, ()),
    ("39 % are deep and sense gas.", {**DEEP_GAS, "share": 33}, ("39 %",)),
    ("50 % are deep and 50 % are not.", {"by": ["depth"], "counts": {"deep": 3, "surface": 3}}, ()),
    ("60 % are deep.", {"by": ["depth"], "counts": {"deep": 3, "surface": 3}}, ("60 %",)),
])  # fmt: skip
def test_a_share_is_compared_with_what_the_claim_counts(sentence, claim, wrong):
    found = outcome(sentence, **claim)
    assert found.holds
    assert found.stated.wrong == wrong


@pytest.mark.parametrize(("value", "holds"), [(50, True), (50.0, True), (49, False), (51, False)])
def test_a_claim_may_expect_a_share_of_its_table(value, holds):
    assert outcome("Half are deep.", **DEEP, share=value).holds is holds


def test_a_claim_may_expect_a_share_of_another_selection():
    parts = [DEEP_GAS, DEEP]
    assert outcome("67 % of the deep ones sense gas.", of=parts, share=67).holds
    assert outcome("66.7 % of the deep ones sense gas.", of=parts, share=66.7).holds
    assert outcome("66 %", of=parts, share=66).observed == "67 %"


@pytest.mark.parametrize("value", [-1, 101, "half", True])
def test_what_is_not_a_percentage_is_a_mistake(value):
    study = full({"sensors": SENSORS})
    data = {"format": 1, "claims": [{"id": "c", "statement": "x", **DEEP, "share": value}]}
    _, [finding] = parse_claims(data, study.codebook)
    assert (finding.code, finding.column) == ("C602", "claims[1].share")


def test_the_margin_of_a_share_is_known():
    study = full({"sensors": SENSORS})
    data = {"format": 1, "claims": [{"id": "c", "statement": "x", **DEEP, "share": 50}]}
    [claim] = parse_claims(data, study.codebook)[0].claims
    assert len(breaking_edits(evaluate(claim, study), study)) == 1
