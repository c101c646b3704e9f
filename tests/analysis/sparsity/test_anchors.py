"""Entries that exemplify something, by grade."""

from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.strictness import anchor_table
from corpus.model.filters import parse_filters
from tests.corpora.full import codebook_data, full


def test_anchors_carry_their_evidence_and_those_of_other_works_are_left_out():
    data = codebook_data()
    data["tables"]["uses"]["columns"].append(
        {"name": "seen", "type": "text", "role": "evidence", "definition": "Where."}
    )
    rows = [("dam", "aaa", "lab", "", "p. 1"), ("dam", "dot", "lab", "one dam only", "p. 2")]
    corpus = full({"uses": rows}, tables=data["tables"])
    assert anchor_table(corpus, sparsity_plan(corpus.codebook).anchors[0]).nearest("dam") == (
        ("dot", "dam", "lab", "p. 2", "one dam only", False),
    )  # fmt: skip


def test_a_row_without_any_anchor_has_nothing_near():
    corpus = full({"uses": [("farm", "ada", "field", "")]})
    assert anchor_table(corpus, sparsity_plan(corpus.codebook).anchors[0]).nearest("dam") == ()


def test_anchors_of_entries_outside_a_filtered_pool_are_left_out():
    corpus = full()
    corpus = corpus.where(parse_filters(["depth=surface"], corpus.pool.spec, corpus.codebook))
    assert anchor_table(corpus, sparsity_plan(corpus.codebook).anchors[0]).nearest("dam") == ()


def test_every_row_has_every_grade_and_the_first_one_is_the_highest():
    corpus = full()
    table = anchor_table(corpus, sparsity_plan(corpus.codebook).anchors[0])
    assert table.top == "field"
    keys = {place: [anchor.key for anchor in found] for place, found in table.cells.items()}
    assert keys == {
        ("farm", "field"): ["ada"], ("farm", "lab"): ["bob"],
        ("dam", "field"): [], ("dam", "lab"): ["dot"],
    }  # fmt: skip
    assert [anchor.key for anchor in table.nearest("farm")] == ["ada"]


def test_a_row_without_a_grade_is_no_anchor():
    data = codebook_data()
    for column in data["tables"]["uses"]["columns"]:
        column["required"] = False
    corpus = full({"uses": [("dam", "dot", ""), ("dam", "ada", "lab")]}, **data)
    table = anchor_table(corpus, sparsity_plan(corpus.codebook).anchors[0])
    assert [anchor.key for cell in table.cells.values() for anchor in cell] == ["ada"]
