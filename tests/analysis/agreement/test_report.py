"""Agreement in print: coefficients with their intervals, what differs, what was not read again."""

import json

from corpus.analysis.agreement.agreement import (
    AgreementReport,
    Coverage,
    Disagreement,
    FieldAgreement,
    PairAgreement,
    agreement_json,
    agreement_markdown,
    agreement_text,
    report_grids,
    sentences,
)
from corpus.analysis.agreement.coefficients import UNDEFINED, Coefficient
from corpus.analysis.claims.claim import Claim, Expectation
from corpus.analysis.claims.evaluate import ClaimOutcome

KAPPA = Coefficient(0.5, 0.1, 0.25, 0.75)
RAW = Coefficient(0.9, 0.02, 0.86, 0.94)
MOVED = ClaimOutcome(Claim("surface", "", "", "", (), (), Expectation("count", 1)), False, 3)


def field(name, *pairs, units=3, agreed=2, warnings=()):
    return FieldAgreement(
        name, ("pool", "two"), units, agreed, RAW, Coefficient(0.8), UNDEFINED, pairs, ("deep", 0.5), warnings,
    )  # fmt: skip


PAIR = PairAgreement(("pool", "two"), 3, 2, KAPPA)
THIRD = PairAgreement(("pool", "three"), 2, 2, UNDEFINED)
REPORT = AgreementReport(
    table="second",
    definition="Read by two.",
    title="Second",
    readers=("three", "two"),
    covered=3,
    uncovered=("cy", "eve"),
    fields=(field("depth", PAIR, warnings=("skewed",)), field("how", units=0, agreed=0, warnings=("skewed",))),
    disagreements=(
        Disagreement("bob", "depth", "two", "surface", "shallow", "wet feet", (MOVED,)),
        Disagreement("dot", "depth", "two", "deep", "rock", "", ()),
    ),
    coverage=(
        Coverage("senses", "water", 6, ("eve", "fay", "gus")),
        Coverage("senses", "heat", 5, ("eve", "fay", "gus")),
        Coverage("senses", "gas", 9, ("a", "b", "c", "d")),
    ),
)  # fmt: skip


def test_disagreements_name_the_claims_that_the_other_tag_moves():
    (odds,) = [grid for grid in report_grids(REPORT) if grid.title == "Disagreements"]
    assert odds.rows == (
        ("bob", "depth", "surface", "shallow", "two", "surface", "wet feet"),
        ("dot", "depth", "deep", "rock", "two", "", ""),
    )


def test_tables_without_rows_are_left_out():
    several = REPORT._replace(fields=(field("depth", PAIR, THIRD),))
    titles = [grid.title for grid in report_grids(several)]
    assert titles == ["Agreement", "Pairs of readers", "Disagreements", "Terms read nearly in full"]
    bare = REPORT._replace(disagreements=(), coverage=())
    assert [grid.title for grid in report_grids(bare)] == ["Agreement"]


def test_a_warning_is_one_sentence_for_all_of_its_fields():
    assert list(sentences(REPORT)) == [
        "Second: 3 of 5 entries, read by three, two. Read by two.",
        "depth, how: skewed.",
        "Not read again (2): cy, eve.",
    ]
    assert list(sentences(REPORT._replace(definition="", uncovered=(), fields=()))) == [
        "Second: 3 of 3 entries, read by three, two."
    ]


def test_a_terminal_gets_disagreements_as_sentences():
    text = agreement_text([REPORT], 80)
    assert "\nbob, depth: the pool has surface, two has shallow. wet feet." in text
    flat = " ".join(text.split())
    assert "With that tag the verdict changes of surface." in flat
    assert (
        "dot, depth: the pool has deep, two has rock. No verdict on a claim would change." in flat
    )
    assert "\nDisagreements\n" not in text
    assert max(map(len, text.splitlines())) <= 80
    assert agreement_text([]) == ""


def test_control_characters_reach_no_terminal_and_markup_no_page():
    hostile = REPORT.disagreements[0]._replace(note="\x1b[31m<b>|")
    report = REPORT._replace(disagreements=(hostile,), title="<b>")
    assert "\x1b" not in agreement_text([report], 80)
    assert "<b>" not in agreement_markdown([report])


def test_markdown_has_every_table_and_remark():
    text = agreement_markdown([REPORT])
    assert text.startswith("# Agreement of readers\n")
    assert "- Not read again (2): cy, eve." in text
    assert "## Disagreements" in text


def test_json_has_every_figure_with_null_where_it_is_not_defined():
    (document,) = json.loads(agreement_json([REPORT]))
    assert list(document) == [
        "table", "readers", "covered", "uncovered", "fields", "disagreements", "coverage",
    ]  # fmt: skip
    assert (document["table"], document["readers"]) == ("second", ["three", "two"])
    assert (document["covered"], document["uncovered"]) == (3, ["cy", "eve"])
    first = document["fields"][0]
    assert first["alpha"] == {"value": None, "error": None, "low": None, "high": None}
    assert first["pairs"][0]["kappa"]["low"] == 0.25
    assert document["disagreements"][0]["moves"] == [{"id": "surface", "observed": "3"}]
    assert document["coverage"][0]["lacking"] == ["eve", "fay", "gus"]
