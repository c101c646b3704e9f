import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.figures.data import figure_data
from corpus.publishing.figures.parser import figure_plans
from tests.corpora.full import codebook_data, full
from tests.support.drawn import data_of

REACH = {
    "kind": "ranges",
    "table": "ranges",
    "value": "value",
    "unit": "unit",
    "quantity": "of",
    "boundary": "limit",
}


def test_ranges_are_sorted_by_unit_each_with_its_boundary(shipped):
    found = data_of(**REACH)
    assert [(mark.unit, mark.value, mark.boundary) for mark in found.marks] == [
        ("m", 3.0, "on sand"), ("m", 40.0, "in clay"), ("days", 1500.0, "as sold"),
    ]  # fmt: skip
    assert all(mark.boundary for mark in shipped["envelopes"].marks)
    assert found.units == ("m", "days")
    assert found.frame().header == ("name", "quantity", "value", "unit", "kind", "boundary")
    assert found.frame().rows[0] == ("ada", "reach", 3.0, "m", "", "on sand")
    result = {mark.value for mark in shipped["envelopes"].marks}
    assert result >= {16, 100, 300, 1500, 4000, 20000, 100000}


@pytest.mark.parametrize("value", ["0", "-3", "many", "inf", "nan", "1e999"])
def test_a_number_that_a_logarithmic_axis_cannot_show_is_a_finding(value):
    with pytest.raises(CorpusError) as caught:
        data_of({"ranges": [("r", "ada", "reach", value, "m", "")]}, **REACH)
    assert [(f.code, f.line, f.value) for f in caught.value.findings] == [("C802", 2, value)]


def test_small_numbers_are_drawn_and_every_wrong_one_is_a_finding():
    rows = [
        ("a", "ada", "reach", "0.5", "m", ""),
        ("b", "ada", "reach", "0", "m", ""),
        ("c", "bob", "reach", "x", "m", ""),
    ]
    assert [mark.value for mark in data_of({"ranges": rows[:1]}, **REACH).marks] == [0.5]
    with pytest.raises(CorpusError) as caught:
        data_of({"ranges": rows}, **REACH)
    result = [(f.line, f.column, f.value) for f in caught.value.findings]
    assert result == [(3, "value", "0"), (4, "value", "x")]


def test_kinds_of_numbers_are_drawn_as_declared_where_they_occur():
    data = codebook_data()
    data["tables"]["ranges"]["columns"].append(
        {"name": "seen", "type": "term", "vocabulary": "proof", "definition": "How."}
    )
    rows = [("a", "ada", "reach", "3", "m", "", "lab"), ("b", "bob", "reach", "2", "m", "", "lab")]
    corpus = full(
        {"ranges": rows}, tables=data["tables"], figures={"it": {**REACH, "bound": "seen"}}
    )
    found = figure_data(corpus, figure_plans(corpus.codebook)["it"])
    assert [(mark.name, mark.kind) for mark in found.marks] == [("bob", "lab"), ("ada", "lab")]
    assert found.kinds == ("lab",)
    assert data_of(**REACH).kinds == ()


def test_units_are_sorted_by_their_largest_number():
    rows = [
        ("a", "ada", "reach", "0.2", "m", ""),
        ("b", "bob", "life", "0.9", "s", ""),
        ("c", "cy", "life", "0.1", "s", ""),
    ]
    found = data_of({"ranges": rows}, **REACH)
    assert [(mark.unit, mark.value) for mark in found.marks] == [("m", 0.2), ("s", 0.1), ("s", 0.9)]


def test_a_number_without_a_kind_has_a_marker_of_its_own():
    """It must not look like a number of the first kind."""
    data = codebook_data()
    kind = {"name": "proof", "type": "term", "required": False, "definition": "Kind."}
    data["tables"]["ranges"]["columns"].append(kind)
    rows = [("r1", "ada", "reach", "3", "m", "x", "lab"), ("r2", "bob", "reach", "4", "m", "x", "")]
    study = full({"ranges": rows}, **data, figures={"it": {**REACH, "bound": "proof"}})
    found = figure_data(study, figure_plans(study.codebook)["it"])
    assert [mark.kind for mark in found.marks] == ["lab", "not given"]
    assert found.kinds == ("lab", "not given")
