import pytest
from matplotlib.patches import Rectangle

from corpus.publishing.figures.drawing.contrast import ENOUGH, contrast
from corpus.publishing.figures.drawing.heatmap import shade
from tests.support.drawn import drawn, shipped, texts


def test_impossible_cells_are_hatched_and_only_they():
    for name in ("reward_by_credit", "form_by_credit"):
        _, data = shipped()[name]
        hatched = [patch for patch in drawn(name).findobj(Rectangle) if patch.get_hatch()]
        impossible = sum(tile.status == "impossible" for tile in data.tiles.values())
        assert len(hatched) == impossible + 1  # and the swatch that says so


def test_zeros_are_drawn_and_impossible_cells_are_not():
    numbers = texts(drawn("reward_by_credit"))
    _, data = shipped()["reward_by_credit"]
    zeros = sum(tile.entries == 0 and tile.status != "impossible" for tile in data.tiles.values())
    zero_totals = [*data.row_totals.values(), *data.column_totals.values()].count(0)
    assert numbers.count("0") == zeros + zero_totals


@pytest.mark.parametrize("top", [1, 7, 40])
def test_more_entries_are_darker_and_every_number_can_be_read(top):
    shades = [shade(entries, top) for entries in range(top + 1)]
    darkness = [contrast(fill, "white") for fill, _ in shades]
    assert darkness == sorted(darkness)
    assert len(set(darkness)) == len(darkness)
    for fill, ink in shades:
        assert contrast(fill, ink) >= ENOUGH
