"""How strictly tags hold: each judged tag is in one group, and a judgement of no tag in none."""

from dataclasses import astuple, replace

from corpus.analysis.sparsity.declared import sparsity_plan
from corpus.analysis.sparsity.strictness import anchor_table, strictness_of
from corpus.model.filters import parse_filters
from tests.corpora.full import codebook_data, declared, full


def found(rows=None, **changes):
    study = full(rows)
    (plan,) = sparsity_plan(study.codebook).strictness
    return strictness_of(study, replace(plan, **changes))


def test_readings_divide_every_tag():
    corpus = full()
    found = strictness_of(corpus, sparsity_plan(corpus.codebook).strictness[0])
    units = {unit.term: unit for unit in found.units}
    assert "none" not in units
    assert units["surface"][1:] == (["ada", "bob"], ["ada"], [], ["bob"], [])
    assert units["shallow"].near == ["cy"]
    assert units["deep"].unjudged == ["dot"]  # judged for rock, which is not its tag
    assert (found.judged, found.tagged) == (3, 4)


def test_without_a_judgement_every_tag_is_unjudged():
    units = {unit.term: unit for unit in found({"judged": []}).units}
    assert list(units) == ["surface", "shallow", "deep", "rock"]
    assert units["surface"] == ("surface", ["ada", "bob"], [], [], [], ["ada", "bob"])
    assert units["rock"] == ("rock", [], [], [], [], [])
    assert (found({"judged": []}).judged, found({"judged": []}).tagged) == (0, 4)


def test_an_entry_of_several_tags_is_judged_for_each():
    data = codebook_data()
    columns = data["tables"]["judged"]["columns"]
    columns[1] = declared("at", "term", vocabulary="senses")  # fmt: skip
    data["tables"]["judged"]["key"] = ["sensor", "at"]
    data["sparsity"]["readings"][0]["axis"] = "senses"
    judged = [
        ("ada", "water", "well"), ("ada", "heat", "nearly"), ("bob", "gas", "well"),
        ("bob", "salt", "well"), ("zoe", "gas", "well"),
    ]  # fmt: skip
    study = full({"judged": judged}, **data)
    result = strictness_of(study, sparsity_plan(study.codebook).strictness[0])
    units = {unit.term: unit for unit in result.units}
    assert (units["water"].strict, units["water"].unjudged) == (["ada"], ["bob", "eve"])
    assert (units["heat"].near, units["heat"].unjudged) == (["ada"], ["dot"])
    assert (result.judged, result.tagged) == (2, 6)


def anchors(corpus):
    return anchor_table(corpus, sparsity_plan(corpus.codebook).anchors[0])


def test_anchors_carry_their_evidence_and_those_of_other_works_are_left_out():
    data = codebook_data()
    data["tables"]["uses"]["columns"].append(declared("seen", role="evidence"))
    rows = [("dam", "aaa", "lab", "", "p. 1"), ("dam", "dot", "lab", "one dam only", "p. 2")]
    corpus = full({"uses": rows}, tables=data["tables"])
    assert tuple(map(astuple, anchors(corpus).nearest("dam"))) == (
        ("dot", "dam", "lab", "p. 2", "one dam only", False),
    )  # fmt: skip


def test_anchors_of_entries_outside_a_filtered_pool_are_left_out():
    corpus = full()
    corpus = corpus.where(parse_filters(["depth=surface"], corpus.pool.spec, corpus.codebook))
    assert tuple(map(astuple, anchors(corpus).nearest("dam"))) == ()


def test_every_row_has_every_grade_and_the_first_one_is_the_highest():
    corpus = full()
    table = anchors(corpus)
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
    table = anchors(corpus)
    assert [anchor.key for cell in table.cells.values() for anchor in cell] == ["ada"]
