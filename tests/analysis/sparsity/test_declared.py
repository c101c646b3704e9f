"""What `[sparsity]` declares, and each mistake in it at its place."""

import pytest

from corpus.analysis.sparsity.declared import sparsity_plan
from corpus.model.finding import CorpusError
from tests.corpora.full import codebook_data, full


def broken(**changes):
    data = codebook_data()["sparsity"]
    data.update(changes)
    with pytest.raises(CorpusError) as caught:
        sparsity_plan(full(sparsity=data).codebook)
    return {finding.column for finding in caught.value.findings}


def test_a_sparsity_section_is_checked_against_the_codebook():
    assert broken(axes=["colour"]) == {"sparsity.axes"}
    assert broken(threshold=-1, thin=2) == {"sparsity.threshold", "sparsity.thin"}
    assert broken(anchors=[{"table": "uses", "rows": "limit", "columns": "proof"}]) == {
        "sparsity.anchors[1].rows"
    }
    assert broken(anchors=[{"table": "dropped", "rows": "step", "columns": "step"}]) >= {
        "sparsity.anchors[1].table"
    }
    bad = {"table": "judged", "axis": "senses", "unit": "at", "reading": "how", "strict": ["good"]}
    assert broken(readings=[bad]) == {"sparsity.readings[1].strict"}
    assert broken(related=[{"axis": "depth", "term": "deep", "to": {"senses": "sound"}}]) == {
        "sparsity.related[1].to.senses"
    }


def test_without_the_section_all_axes_are_ranked():
    plan = sparsity_plan(full(sparsity={}).codebook)
    assert (plan.axes, plan.threshold, plan.strictness) == (("depth", "senses"), 2, ())


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


def test_two_tables_of_anchors_need_titles_of_their_own():
    """Gaps name a table by its title; without one, both have that of the evidence table."""
    crossed = {"table": "uses", "rows": "use", "columns": "proof"}
    assert broken(anchors=[crossed, {**crossed, "rows": "proof", "columns": "use"}]) == {
        "sparsity.anchors[2].title"
    }


@pytest.mark.parametrize(
    ("axes", "terms", "weight"),
    [
        (("senses",), ("salt",), 3.0), (("depth", "senses"), ("deep", "salt"), 5.0), (("depth",), ("salt",), 1.0),
    ],
)  # fmt: skip
def test_a_cell_has_the_largest_weight_of_its_terms(axes, terms, weight):
    important = [
        {"axis": "senses", "term": "salt", "weight": 3, "reason": "."},
        {"axis": "depth", "term": "deep", "weight": 5, "reason": "."},
    ]
    data = {**codebook_data()["sparsity"], "important": important}
    assert sparsity_plan(full(sparsity=data).codebook).weight(axes, terms) == weight
