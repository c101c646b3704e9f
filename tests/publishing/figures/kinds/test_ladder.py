import pytest

from corpus.publishing.figures.figure import figure_data
from corpus.publishing.figures.parser import figure_plans
from tests.corpora.full import codebook_data, full
from tests.support.drawn import data_of, drawn, shipped, texts


def test_the_ladder_reads_broad_and_strict(shipped):
    _, rows = shipped["credit_units"].frame()
    rungs = {unit: numbers for unit, *numbers in rows}
    assert list(rungs) == [
        "team",
        "orchestrator",
        "role",
        "agent",
        "turn",
        "message",
        "tool",
        "token",
    ]
    assert [rungs[unit][:3] for unit in ("message", "orchestrator")] == [
        [2, 1, 0], [8, 4, 1],
    ]  # fmt: skip
    assert shipped["credit_units"].absent == 36


@pytest.mark.parametrize(("absent", "units", "entries"), [
    ("none", ["surface", "shallow", "deep", "rock"], 1), ("surface", ["shallow", "deep", "rock", "none"], 2),
    ("", ["surface", "shallow", "deep", "rock", "none"], 0),
])  # fmt: skip
def test_the_ladder_leaves_the_term_for_not_applicable_out(absent, units, entries):
    vocabularies = codebook_data()["vocabularies"]
    vocabularies["depth"]["not_applicable"] = absent
    corpus = full(vocabularies=vocabularies, figures={"it": {"kind": "ladder", "axis": "depth"}})
    found = figure_data(corpus, figure_plans(corpus.codebook)["it"])
    assert [row[0] for row in found.frame().rows] == units
    assert found.absent == entries


def test_the_rows_behind_a_ladder():
    found = data_of(kind="ladder", axis="depth")
    assert found.frame() == (
        ("unit", "broad", "strict", "near", "weaker", "unjudged"),
        (
            ("surface", 2, 1, 0, 1, 0),
            ("shallow", 1, 0, 1, 0, 0),
            ("deep", 1, 0, 0, 0, 1),
            ("rock", 0, 0, 0, 0, 0),
        ),
    )
    assert (found.words, found.absent) == (("well", "nearly", "hardly"), 1)


def test_the_ladder_shows_every_unit_and_how_many_tags_were_judged():
    words = texts(drawn("credit_units"))
    _, data = shipped()["credit_units"]
    assert {data.vocabulary.term(unit.term).label for unit in data.readings.units} <= set(words)
    assert any(word.startswith("22 of 48 tags have been judged") for word in words)
