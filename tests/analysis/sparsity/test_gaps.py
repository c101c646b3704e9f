"""Gaps in rank order, each with the entries that come nearest to filling it."""

from dataclasses import astuple

import pytest

from corpus.analysis.sparsity.gaps import ANCHOR, PAIR, TERM
from corpus.analysis.sparsity.sparsity_report import sparsity_report
from tests.corpora.full import codebook_data, full, full_of, sensor


def gaps(study, threshold=None):
    return {gap.terms: gap for gap in sparsity_report(study, threshold=threshold).gaps}


def test_gaps_rank_anchors_before_terms_before_pairs():
    report = sparsity_report(full())
    kinds = [gap.kind for gap in report.gaps]
    assert kinds == sorted(kinds, key=[ANCHOR, TERM, PAIR].index)
    lacking = [gap.lacking for gap in report.gaps if gap.kind == PAIR]
    assert lacking == sorted(lacking, reverse=True)
    terms = [gap.terms for gap in report.gaps if gap.kind == TERM]
    assert terms == [("gas",), ("rock",), ("salt",)]
    assert not any(
        "gas" in gap.terms or "rock" in gap.terms for gap in report.gaps if gap.kind == PAIR
    )


def test_a_thin_cell_ranks_by_what_it_lacks_without_entries_of_a_broad_tag_only():
    found = gaps(full())
    salt = found["salt",]
    assert (salt.entries, salt.held, salt.lacking) == (1, 1, 0.5)
    # bob is at the surface in a broad sense only, so ada alone fills the cell.
    wet = found["surface", "water"]
    assert (wet.entries, wet.held) == (2, 1)
    # Two sensors are expected to measure heat, and two do: no gap.
    assert ("heat",) not in found


def test_the_gaps_of_an_important_term_come_first():
    declared = codebook_data()["sparsity"]
    declared["important"] = [
        {"axis": "senses", "term": "salt", "weight": 10, "reason": "it kills crops"}
    ]
    found = gaps(full(sparsity=declared)).values()
    assert next(gap.terms for gap in found if gap.kind == TERM) == ("salt",)
    assert next(gap.terms for gap in found if gap.kind == PAIR) == ("surface", "salt")


def test_nearness_counts_neighbours_groups_and_related_terms():
    found = gaps(full())
    near = [astuple(item)[:3] for item in found["rock",].nearest]
    assert near[0] == ("dot", 0.5, (("deep", "deep"),))  # one place away on an ordered axis
    assert near[1] == ("cy", pytest.approx(1 / 3), (("shallow", "shallow"),))
    related = (("depth=deep", "Depth: deep"),)
    assert [astuple(item)[:3] for item in found["gas",].nearest] == [("dot", 0.25, related)]
    # Salt is in the group of water, and shallow is next to the surface.
    near = [astuple(item)[:3] for item in found["shallow", "water"].nearest]
    assert near[0] == ("ada", 1.5, (("surface", "surface"),))
    assert ("cy", 1.5, (("salt", "salt"),)) in near


def test_gaps_have_the_expected_count_and_the_number_of_nearest_entries():
    found = gaps(full())
    assert astuple(found["dam", "field"]) == (
        "anchor", ("Uses by proof",), ("dam", "field"), (("use", "dam dam"), ("proof", "field")),
        0.0, [("dot", 0.0, (("lab", "lab"),), "one dam only")], 0, 0, 0, 1.0, [],
    )  # fmt: skip
    assert (found["gas",].expected, found["rock",].expected) == (1.5, 1.0)
    assert {gap.expected for gap in found.values() if gap.kind == PAIR} == {1.2, 0.6, 0.4, 0.2}
    assert found["rock",].as_near == 0
    near = found["deep", "water"]
    assert [(item.key, round(item.nearness, 2)) for item in near.nearest] == [
        ("ada", 1.33), ("bob", 1.33), ("cy", 1.0), ("dot", 1.0),
    ]  # fmt: skip
    assert near.as_near == 1  # eve


def test_the_closest_of_several_terms_counts():
    study = full_of(sensor("ada", senses="heat; salt"), sensor("bob", senses="gas"))
    (near,) = gaps(study)["water",].nearest
    assert astuple(near) == ("ada", 0.5, (("salt", "salt"),), "")


def test_a_cell_that_holds_as_many_as_the_threshold_is_a_gap_and_one_more_is_none():
    rows = [sensor(f"s{n}") for n in range(6)] + [sensor("deep", depth="deep")]
    study = full_of(*rows)
    assert ("deep",) in gaps(study, threshold=1)
    assert ("deep",) not in gaps(study, threshold=0)
    more = full_of(*rows, sensor("deeper", depth="deep"))
    assert ("deep",) not in gaps(more, threshold=1)


def test_entries_carry_a_pair_only_where_both_tags_hold_in_more_than_a_broad_sense():
    study = full({"judged": [("ada", "surface", "hardly"), ("bob", "surface", "hardly")]})
    found = gaps(study)
    assert (found["surface",].entries, found["surface",].held) == (2, 0)
    assert (found["surface", "water"].entries, found["surface", "water"].held) == (2, 0)
    assert found["surface", "water"].lacking == pytest.approx(1.2)
