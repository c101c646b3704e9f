import pytest

from corpus.publishing.figures.figure import draw_figure, figure_plans
from tests.corpora.full import codebook_data, full, full_of, sensor
from tests.support.drawn import data_of, texts


def test_the_rows_behind_bars():
    found = data_of(kind="bars", axis="depth", split="senses")
    assert found.frame().header == ("term", "part", "entries")
    result = found.frame().rows[:3]
    assert result == [("surface", "water", 2), ("surface", "salt", 0), ("surface", "heat", 1)]
    whole = data_of(kind="bars", axis="depth")
    assert whole.frame() == (
        ("term", "entries"),
        [("surface", 2), ("shallow", 1), ("deep", 1), ("rock", 0), ("none", 1)],
    )


def test_the_share_beside_a_bar_is_rounded_as_it_is_in_tables():
    deep = [sensor(f"d{n}", depth="deep") for n in range(115)]
    others = [sensor(f"s{n}", depth="surface") for n in range(85)]
    study = full_of(*deep, *others, figures={"it": {"kind": "bars", "axis": "depth"}})
    plan = figure_plans(study.codebook)["it"]
    # Half of a percent more than 57; 100 times 0.575 is a little less.
    assert "115 (58%)" in texts(draw_figure(plan, plan.data(study)))


@pytest.mark.parametrize(("absent", "units", "note"), [
    ("none", ["surface", "shallow", "deep", "rock"], "does not apply to 1 entry."), ("surface", ["shallow", "deep", "rock", "none"], "does not apply to 2 entries."),
    ("", ["surface", "shallow", "deep", "rock", "none"], "have been judged."),
])  # fmt: skip
def test_the_ladder_leaves_the_term_for_not_applicable_out(absent, units, note):
    vocabularies = codebook_data()["vocabularies"]
    vocabularies["depth"]["not_applicable"] = absent
    corpus = full(vocabularies=vocabularies, figures={"it": {"kind": "ladder", "axis": "depth"}})
    found = figure_plans(corpus.codebook)["it"].data(corpus)
    assert [row[0] for row in found.frame().rows] == units
    assert found.note.endswith(note)


def test_the_rows_behind_a_ladder():
    found = data_of(kind="ladder", axis="depth")
    assert found.frame() == (
        ("unit", "broad", "strict", "near", "weaker", "unjudged"),
        [
            ("surface", 2, 1, 0, 1, 0),
            ("shallow", 1, 0, 1, 0, 0),
            ("deep", 1, 0, 0, 0, 1),
            ("rock", 0, 0, 0, 0, 0),
        ],
    )
    labels = [label for label, _ in found.parts]
    assert labels == ["well", "nearly", "hardly only", "not judged"]
    assert found.bars[0].values == ("2", "1", "1")
