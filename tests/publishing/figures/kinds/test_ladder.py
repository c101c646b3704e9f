import pytest

from corpus.publishing.figures.data import figure_data
from corpus.publishing.figures.parser import figure_plans
from tests.corpora.full import codebook_data, full
from tests.support.drawn import data_of


def test_the_ladder_reads_broad_and_strict(shipped):
    rungs = {rung.id: rung for rung in shipped["credit_units"].rungs}
    result = list(rungs)
    assert result == ["team", "orchestrator", "role", "agent", "turn", "message", "tool", "token"]
    assert [(rungs[u].broad, rungs[u].strict, rungs[u].near) for u in ("message", "orchestrator")] == [
        (2, 1, 0), (8, 4, 1),
    ]  # fmt: skip
    assert shipped["credit_units"].absent_entries == 36


@pytest.mark.parametrize(("absent", "units", "label", "entries"), [
    ("none", ["surface", "shallow", "deep", "rock"], "none", 1), ("surface", ["shallow", "deep", "rock", "none"], "surface", 2),
    ("", ["surface", "shallow", "deep", "rock", "none"], "", 0),
])  # fmt: skip
def test_the_ladder_leaves_the_term_for_not_applicable_out(absent, units, label, entries):
    vocabularies = codebook_data()["vocabularies"]
    vocabularies["depth"]["not_applicable"] = absent
    corpus = full(vocabularies=vocabularies, figures={"it": {"kind": "ladder", "axis": "depth"}})
    found = figure_data(corpus, figure_plans(corpus.codebook)["it"])
    assert [rung.id for rung in found.rungs] == units
    assert (found.absent, found.absent_entries) == (label, entries)


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
    assert (found.axis, found.names, found.absent, found.absent_entries) == (
        "Depth", ("well", "nearly", "hardly"), "none", 1,
    )  # fmt: skip
