from dataclasses import replace

import pytest
from matplotlib.patches import Rectangle

from corpus.analysis.sparsity.cells import EMPTY, FILLED, IMPOSSIBLE, NOT_APPLICABLE
from corpus.canvas.style import ENOUGH, contrast
from corpus.publishing.figures.figure import draw_figure
from corpus.publishing.figures.kinds.crossed import shade
from tests.corpora.full import sensor
from tests.support.drawn import FIGURES, data_of, drawn, made_up, texts


def test_the_rows_behind_a_heatmap():
    found = data_of(kind="heatmap", rows="depth", columns="senses")
    header, rows = found.frame()
    assert header == ("row", "column", "entries", "status")
    assert len(rows) == 5 * 4
    assert [row for row in rows if row[2]] == [
        ("surface", "water", 2, FILLED), ("surface", "heat", 1, FILLED), ("shallow", "salt", 1, FILLED),
        ("deep", "heat", 1, FILLED), ("none", "water", 1, NOT_APPLICABLE),
    ]  # fmt: skip
    assert ("rock", "water", 0, IMPOSSIBLE) in rows
    assert ("rock", "heat", 0, EMPTY) in rows


def test_impossible_cells_are_hatched_and_only_they(shipped):
    for name in ("reward_by_credit", "form_by_credit"):
        hatched = [patch for patch in drawn(name).findobj(Rectangle) if patch.get_hatch()]
        impossible = shipped[name].table.number(IMPOSSIBLE)
        assert len(hatched) == impossible + 1  # and the swatch that says so


@pytest.mark.parametrize("top", [1, 7, 40])
def test_more_entries_are_darker_and_every_number_can_be_read(top):
    shades = [shade(entries, top) for entries in range(top + 1)]
    darkness = [contrast(fill, "white") for fill, _ in shades]
    assert darkness == sorted(darkness)
    assert len(set(darkness)) == len(darkness)
    for fill, ink in shades:
        assert contrast(fill, ink) >= ENOUGH


NO_ROWS = {"dated": [], "judged": [], "uses": [], "ranges": [], "second": [], "probes": []}
WIDE, NARROW = 7.16, 3.5


def figure(width, *sensors):
    rows = {"sensors": list(sensors), **NO_ROWS} if sensors else None
    return draw_figure(*made_up(rows, who=FIGURES["who"])["who"], width)


def dashed(made):
    return [patch for patch in made.findobj(Rectangle) if patch.get_linestyle() == "--"]


def test_every_cell_has_its_names_or_a_zero_and_impossible_ones_are_hatched():
    made = figure(WIDE)
    words = texts(made)
    assert sorted(word for word in words if word in {"ada", "bob", "cy", "dot", "eve"}) == [
        "ada", "ada", "bob", "cy", "dot",
    ]  # fmt: skip
    # 16 cells: four with entries, one impossible.
    assert words.count("0") == 11
    hatched = [box for box in made.findobj(Rectangle) if box.get_hatch()]
    assert len(hatched) == 2  # the cell and its swatch
    assert "1 entry to which an axis does not apply is not drawn." in " ".join(words)


def test_an_entry_where_none_can_be_is_named():
    made = figure(WIDE, sensor("odd", depth="rock", senses="water"))
    assert texts(made).count("odd") == 1
    assert len(dashed(made)) == 1


@pytest.mark.parametrize(("entries", "more"), [(14, None), (15, "and 1 more"), (40, "and 26 more")])
def test_so_many_names_are_in_one_cell_and_the_others_are_counted(entries, more):
    words = texts(figure(WIDE, *[sensor(f"s{number:02}") for number in range(entries)]))
    named = [word for word in words if word.startswith("s") and word[1:].isdigit()]
    assert named == [f"s{number:02}" for number in range(min(entries, 14))]
    assert [word for word in words if word.endswith(" more")] == ([more] if more else [])


GRID = {"kind": "grid", "table": "uses", "rows": "use", "columns": "proof"}


def test_the_rows_behind_a_grid():
    found = data_of(**GRID, labels={"dot": "D."})
    assert found.frame() == (
        ("row", "column", "status", "key", "name"),
        [
            ("farm", "field", "filled", "ada", "ada"), ("farm", "lab", "filled", "bob", "bob"),
            ("dam", "field", "empty", "", ""), ("dam", "lab", "filled", "dot", "D."),
        ],
    )  # fmt: skip
    assert [label.id for label in (*found.rows, *found.columns)] == ["farm", "dam", "field", "lab"]


def test_an_anchor_is_marked_where_its_row_has_the_declared_values():
    found = data_of(**GRID, marked={"proof": ["lab"]})
    names = {row[-1] for row in found.frame().rows}
    assert names - {""} == {"ada", "bob*", "dot*"}


def test_an_empty_cell_of_the_highest_grade_is_marked_and_no_other():
    assert len(dashed(drawn("decisions"))) == 3  # O4 and O5, and the mark of the legend


def test_a_grid_has_numbers_before_names_and_instead_of_many():
    plan, data = made_up(it=GRID)["it"]
    assert {"1", "ada", "0"} <= set(texts(draw_figure(plan, data, WIDE)))
    many = ("filled", [("dot", f"n{number}") for number in range(15)])
    words = texts(
        draw_figure(plan, replace(data, cells={**data.cells, ("dam", "lab"): many}), WIDE)
    )
    assert "15" in words
    assert "n0" not in words


@pytest.mark.parametrize("name", ["who", "proofs"])
def test_a_narrow_page_stays_a_picture_with_numbers_in_its_cells(name):
    plan, data = made_up()[name]
    words = texts(draw_figure(plan, data, NARROW))
    assert {f"{len(names)}" for _, names in data.cells.values()} <= set(words)
    assert not {name for _, names in data.cells.values() for _, name in names} & set(words)
    assert any("CSV" in word for word in words)
