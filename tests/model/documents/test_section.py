import pytest

from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.model.documents.section import Section
from corpus.model.finding import CorpusError
from tests.corpora.full import codebook_data, full


def section(data):
    findings = []
    return Section(data, "top", findings), findings


def places(findings):
    return [(finding.code, finding.column) for finding in findings]


@pytest.mark.parametrize(
    ("method", "value"),
    [("text", 3), ("number", "3"), ("number", True), ("whole", 2.5), ("strings", "a"),
     ("strings", [1]), ("texts", {"a": 1}), ("sections", {"a": 1})],
)  # fmt: skip
def test_a_value_of_the_wrong_kind_is_a_finding_and_reading_goes_on(method, value):
    read, findings = section({"key": value})
    getattr(read, method)("key")
    assert places(findings) == [("C001", "top.key")]


def test_missing_unknown_and_unlisted_keys_are_named():
    read, findings = section({"kind": "pie", "colour": "red"})
    read.text("title")
    read.one_of("kind", ["bars", "flow"])
    read.finish()
    assert places(findings) == [("C001", "top.title"), ("C001", "top.kind"), ("C001", "top.colour")]


def test_a_value_that_is_not_a_table_is_a_finding():
    assert places(section([1])[1]) == [("C001", "top")]


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
