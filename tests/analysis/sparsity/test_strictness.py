"""How strictly tags hold: each judged tag is in one group, and judgements of no tag are named."""

from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.analysis.sparsity.strictness import strictness_of
from tests.corpora.full import codebook_data, full


def found(rows=None, **changes):
    study = full(rows)
    (plan,) = sparsity_plan(study.codebook).strictness
    return strictness_of(study, plan._replace(**changes))


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


def test_without_a_judgement_every_tag_is_unjudged():
    units = {unit.term: unit for unit in found({"judged": []}).units}
    assert list(units) == ["surface", "shallow", "deep", "rock"]
    assert units["surface"] == ("surface", ("ada", "bob"), (), (), (), ("ada", "bob"))
    assert units["rock"] == ("rock", (), (), (), (), ())
    assert (found({"judged": []}).judged, found({"judged": []}).tagged) == (0, 4)


def test_an_entry_of_several_tags_is_judged_for_each_and_named_once():
    data = codebook_data()
    columns = data["tables"]["judged"]["columns"]
    columns[1] = {
        "name": "at", "type": "term", "vocabulary": "senses", "definition": "What is judged.",
    }  # fmt: skip
    data["tables"]["judged"]["key"] = ["sensor", "at"]
    data["sparsity"]["readings"][0]["axis"] = "senses"
    judged = [
        ("ada", "water", "well"), ("ada", "heat", "nearly"), ("bob", "gas", "well"),
        ("bob", "salt", "well"), ("zoe", "gas", "well"),
    ]  # fmt: skip
    study = full({"judged": judged}, **data)
    result = strictness_of(study, sparsity_plan(study.codebook).strictness[0])
    units = {unit.term: unit for unit in result.units}
    assert (units["water"].strict, units["water"].unjudged) == (("ada",), ("bob", "eve"))
    assert (units["heat"].near, units["heat"].unjudged) == (("ada",), ("dot",))
    # A judgement of an entry that the pool dropped is not named: `corpus check` reports it.
    assert result.misplaced == ("bob",)
    assert (result.judged, result.tagged) == (2, 6)
