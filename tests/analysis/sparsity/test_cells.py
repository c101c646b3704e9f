import pytest

from corpus.analysis.sparsity.anchors import anchor_table
from corpus.analysis.sparsity.cells import (
    EMPTY,
    FILLED,
    IMPOSSIBLE,
    NOT_APPLICABLE,
    THIN,
    sparse_table,
)
from corpus.analysis.sparsity.gaps import ANCHOR, PAIR, TERM
from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.report import sparsity_grids
from corpus.analysis.sparsity.strictness import strictness_of
from corpus.analysis.sparsity.summary import sparsity_report
from corpus.model.contingency import Contingency
from corpus.model.filters import parse_filters
from corpus.model.finding import CorpusError, UsageProblem
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.fast.tally import tally_table
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full

AXES = ("depth", "senses")


def counted(corpus):
    return Contingency(corpus.codebook, AXES, tally_table(corpus.pool, corpus.codebook, AXES))


@pytest.fixture(scope="module")
def shipped():
    corpus = load_corpus(str(REAL))
    return sparsity_report(corpus, sparsity_plan(corpus.codebook))


def test_an_axis_shows_every_declared_term_with_its_status():
    table = sparse_table(counted(full()), ("depth",), 1)
    status = {cell.terms[0]: cell.status for cell in table.cells.values()}
    assert status == {
        "surface": FILLED,
        "shallow": THIN,
        "deep": THIN,
        "rock": EMPTY,
        "none": NOT_APPLICABLE,
    }


def test_a_pair_separates_gaps_impossible_cells_and_absent_terms():
    table = sparse_table(counted(full()), AXES, 1)
    assert len(table.cells) == 5 * 4
    assert table.cells["rock", "water"].status == IMPOSSIBLE
    assert table.cells["rock", "water"].reason == "rock holds no water"
    assert (
        table.cells["none", "water"].status == table.cells["none", "gas"].status == NOT_APPLICABLE
    )
    assert table.cells["surface", "water"] == (
        ("surface", "water"),
        2,
        FILLED,
        "",
        pytest.approx(2 * 3 / 5),
    )
    assert table.cells["surface", "heat"].status == THIN
    assert table.number(EMPTY) == 20 - 4 - 1 - 4  # all, less thin or filled, impossible, absent


def test_a_threshold_of_zero_makes_nothing_thin():
    assert sparse_table(counted(full()), AXES, 0).number(THIN) == 0


def test_an_impossible_cell_that_is_filled_stays_visible():
    corpus = full({"sensors": [("ada", "Ada", "rock", "water")]})
    cell = sparse_table(counted(corpus), AXES, 1).cells["rock", "water"]
    assert (cell.status, cell.entries) == (IMPOSSIBLE, 1)


def test_readings_divide_every_tag_and_name_misplaced_judgements():
    corpus = full()
    found = strictness_of(corpus, sparsity_plan(corpus.codebook).strictness[0])
    units = {unit.term: unit for unit in found.units}
    assert "none" not in units
    assert units["surface"][1:] == (("ada", "bob"), ("ada",), (), ("bob",), ())
    assert units["shallow"].near == ("cy",)
    assert units["deep"].unjudged == ("dot",)  # judged for rock, which is not its tag
    assert found.misplaced == ("dot",)
    assert (found.judged, found.tagged) == (3, 4)


def test_anchors_without_the_highest_grade_name_the_nearest():
    corpus = full()
    table = anchor_table(corpus, sparsity_plan(corpus.codebook).anchors[0])
    assert table.without_top() == ("dam",)
    assert [(anchor.key, anchor.grade, anchor.boundary) for anchor in table.nearest("dam")] == [
        ("dot", "lab", "one dam only")
    ]


def test_anchors_carry_their_evidence_and_those_of_other_works_are_left_out():
    data = codebook_data()
    data["tables"]["uses"]["columns"].append(
        {"name": "seen", "type": "text", "role": "evidence", "definition": "Where."}
    )
    rows = [("dam", "aaa", "lab", "", "p. 1"), ("dam", "dot", "lab", "one dam only", "p. 2")]
    corpus = full({"uses": rows}, tables=data["tables"])
    assert anchor_table(corpus, sparsity_plan(corpus.codebook).anchors[0]).nearest("dam") == (
        ("dot", "dam", "lab", "p. 2", "one dam only"),
    )  # fmt: skip


def test_a_row_without_any_anchor_has_nothing_near():
    corpus = full({"uses": [("farm", "ada", "field", "")]})
    assert anchor_table(corpus, sparsity_plan(corpus.codebook).anchors[0]).nearest("dam") == ()


def test_gaps_rank_anchors_before_terms_before_pairs():
    corpus = full()
    report = sparsity_report(corpus, sparsity_plan(corpus.codebook))
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
    corpus = full()
    gaps = {gap.terms: gap for gap in sparsity_report(corpus, sparsity_plan(corpus.codebook)).gaps}
    salt = gaps["salt",]
    assert (salt.entries, salt.held, salt.lacking) == (1, 1, 0.5)
    # bob is at the surface in a broad sense only, so ada alone fills the cell.
    wet = gaps["surface", "water"]
    assert (wet.entries, wet.held) == (2, 1)
    # Two sensors are expected to measure heat, and two do: no gap.
    assert ("heat",) not in gaps


def test_the_gaps_of_an_important_term_come_first():
    declared = codebook_data()["sparsity"]
    declared["important"] = [
        {"axis": "senses", "term": "salt", "weight": 10, "reason": "it kills crops"}
    ]
    corpus = full(sparsity=declared)
    gaps = sparsity_report(corpus, sparsity_plan(corpus.codebook)).gaps
    assert next(gap.terms for gap in gaps if gap.kind == TERM) == ("salt",)
    assert next(gap.terms for gap in gaps if gap.kind == PAIR) == ("surface", "salt")


@pytest.mark.parametrize(
    ("important", "place"),
    [
        ({"axis": "senses", "term": "salt", "weight": 0, "reason": "."}, "weight"),
        ({"axis": "senses", "term": "salt", "weight": "2", "reason": "."}, "weight"),
        ({"axis": "senses", "term": "slat", "weight": 2, "reason": "."}, "term"),
        ({"axis": "sense", "term": "salt", "weight": 2, "reason": "."}, "axis"),
        ({"axis": "senses", "term": "salt", "weight": 2}, "reason"),
    ],
)
def test_a_mistake_in_what_is_important_is_a_finding(important, place):
    book = full(sparsity={**codebook_data()["sparsity"], "important": [important]}).codebook
    with pytest.raises(CorpusError) as caught:
        sparsity_plan(book)
    assert [found.column for found in caught.value.findings] == [f"sparsity.important[1].{place}"]


def test_a_table_with_an_unranked_axis_has_no_gaps():
    corpus = full(sparsity={**codebook_data()["sparsity"], "axes": ["senses"]})
    report = sparsity_report(corpus, sparsity_plan(corpus.codebook))
    assert not any(gap.kind == PAIR for gap in report.gaps)
    assert [report.is_ranked(table) for table in report.pairs] == [False]
    assert "gaps" not in next(g.title for g in sparsity_grids(report) if " by " in g.title)


def test_nearness_counts_neighbours_groups_and_related_terms():
    corpus = full()
    gaps = {gap.terms: gap for gap in sparsity_report(corpus, sparsity_plan(corpus.codebook)).gaps}
    near = [(item.key, item.nearness, item.terms) for item in gaps["rock",].nearest]
    assert near[0] == ("dot", 0.5, ("deep",))  # one place away on an ordered axis
    assert near[1] == ("cy", pytest.approx(1 / 3), ("shallow",))
    assert [(item.key, item.nearness, item.terms) for item in gaps["gas",].nearest] == [
        ("dot", 0.25, ("depth=deep",))
    ]
    assert gaps["shallow", "water"].nearest[0][:3] == (
        "cy",
        1.5,
        ("salt",),
    )  # salt is in the group of water


def test_gaps_have_the_expected_count_and_the_number_of_nearest_entries():
    corpus = full()
    found = {gap.terms: gap for gap in sparsity_report(corpus, sparsity_plan(corpus.codebook)).gaps}
    assert found["dam", "field"] == (
        "anchor", ("Uses by proof",), ("dam", "field"), 0.0, (("dot", 0.0, ("lab",), "one dam only"),), 0, 0, 0, 1.0,
    )  # fmt: skip
    assert (found["gas",].expected, found["rock",].expected) == (1.5, 1.0)
    assert {gap.expected for gap in found.values() if gap.kind == PAIR} == {1.2, 0.6, 0.4, 0.2}
    assert found["rock",].as_near == 0
    near = found["deep", "water"]
    assert [(item.key, round(item.nearness, 2)) for item in near.nearest] == [
        ("ada", 1.33), ("bob", 1.33), ("dot", 1.0), ("eve", 1.0),
    ]  # fmt: skip
    assert near.as_near == 1  # cy, by a neighbouring depth and a sense of the same group
    assert [item.key for item in found["surface", "salt"].nearest] == [
        "cy",
        "ada",
        "bob",
        "eve",
    ]  # salt is rarer


def test_equally_near_entries_are_in_the_order_of_their_keys():
    rows = [(key, key, "surface", "water") for key in ("gus", "fay", "ada", "eve", "bob", "dot")]
    corpus = full({"sensors": rows, "judged": [], "uses": []})
    (gap,) = [
        g
        for g in sparsity_report(corpus, sparsity_plan(corpus.codebook)).gaps
        if g.terms == ("shallow",)
    ]
    assert ([near.key for near in gap.nearest], gap.as_near) == (["ada", "bob", "dot", "eve"], 2)


def test_given_pairs_replace_the_declared_ones_and_unknown_axes_are_refused():
    corpus = full()
    plan = sparsity_plan(corpus.codebook)
    report = sparsity_report(corpus, plan, (("senses", "depth"),), threshold=3)
    assert [table.axes for table in report.pairs] == [("senses", "depth")]
    assert (report.threshold, report.anchors) == (3, ())
    assert [found.axis for found in report.strictness] == ["depth"]
    with pytest.raises(UsageProblem):
        sparsity_report(corpus, plan, (("depth", "colour"),))
    with pytest.raises(UsageProblem):
        sparsity_report(corpus, plan, (("depth", "depth"),))


def test_anchors_of_entries_outside_a_filtered_pool_are_left_out():
    corpus = full()
    corpus = corpus.where(parse_filters(["depth=surface"], corpus.pool.spec, corpus.codebook))
    assert anchor_table(corpus, sparsity_plan(corpus.codebook).anchors[0]).nearest("dam") == ()


def test_the_numbers_of_the_survey(shipped):
    units = {unit.term: unit for found in shipped.strictness for unit in found.units}
    assert (len(units["message"].broad), len(units["message"].strict)) == (2, 1)
    assert (
        len(units["orchestrator"].broad),
        len(units["orchestrator"].strict + units["orchestrator"].near),
    ) == (8, 5)
    assert all(not units[term].broad for term in ("token", "tool", "team"))
    assert (shipped.strictness[0].tagged, shipped.strictness[0].misplaced) == (48, ())
    assert "O5" in shipped.anchors[0].without_top()
    assert shipped.anchors[0].nearest("O5")
    assert all(anchor.boundary for anchor in shipped.anchors[0].nearest("O5"))
    by_axes = {table.axes: table for table in shipped.pairs}
    reward_by_credit = by_axes["reward_type", "credit_granularity"]
    assert reward_by_credit.cells["shared", "message"].entries == 1
    assert sum(cell.entries for cell in reward_by_credit.cells.values()) == 84
