import pytest
from matplotlib.patches import Rectangle

from corpus.analysis.sparsity.cells import EMPTY, FILLED, IMPOSSIBLE, NOT_APPLICABLE
from corpus.canvas.style import ENOUGH, contrast
from corpus.publishing.figures.kinds.heatmap import shade
from tests.support.drawn import data_of, drawn, shipped, texts


def test_the_heatmaps_have_every_cell(shipped):
    found = shipped["reward_by_credit"]
    _, rows = found.frame()
    assert len(rows) == 90
    assert ("shared", "message", 1, FILLED) in rows
    assert ("tool", "token", 0, EMPTY) in rows
    assert ("individual", "team", 0, IMPOSSIBLE) in rows
    assert ("NA", "orchestrator", 1, NOT_APPLICABLE) in rows
    assert [margin.entries for margin in found.table.margins] == [84, 84]


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


def test_impossible_cells_are_hatched_and_only_they():
    for name in ("reward_by_credit", "form_by_credit"):
        _, data = shipped()[name]
        hatched = [patch for patch in drawn(name).findobj(Rectangle) if patch.get_hatch()]
        impossible = data.table.number(IMPOSSIBLE)
        assert len(hatched) == impossible + 1  # and the swatch that says so


def test_zeros_are_drawn_and_impossible_cells_are_not():
    numbers = texts(drawn("reward_by_credit"))
    _, data = shipped()["reward_by_credit"]
    cells = data.table.cells.values()
    zeros = sum(cell.entries == 0 and cell.status != IMPOSSIBLE for cell in cells)
    totals = [row.entries for margin in data.table.margins for row in margin.rows]
    assert numbers.count("0") == zeros + totals.count(0)


@pytest.mark.parametrize("top", [1, 7, 40])
def test_more_entries_are_darker_and_every_number_can_be_read(top):
    shades = [shade(entries, top) for entries in range(top + 1)]
    darkness = [contrast(fill, "white") for fill, _ in shades]
    assert darkness == sorted(darkness)
    assert len(set(darkness)) == len(darkness)
    for fill, ink in shades:
        assert contrast(fill, ink) >= ENOUGH
