import pytest
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from corpus.publishing.figures.drawing.contrast import ENOUGH, contrast
from corpus.publishing.figures.drawing.heatmap import shade
from tests.support.drawn import drawn, shipped, texts


def test_impossible_cells_are_hatched_and_only_they():
    for name in ("reward_by_credit", "form_by_credit"):
        _, data = shipped()[name]
        hatched = [patch for patch in drawn(name).findobj(Rectangle) if patch.get_hatch()]
        impossible = sum(tile.status == "impossible" for tile in data.tiles.values())
        assert len(hatched) == impossible + 1  # and the swatch that says so


def test_the_darkest_cell_has_the_most_entries():
    _, data = shipped()["form_by_credit"]
    figure = drawn("form_by_credit")
    size = [
        patch
        for patch in figure.findobj(Rectangle)
        if patch.get_edgecolor()[3] and patch.get_width() < 1
    ]
    darkest = min(size, key=lambda patch: sum(patch.get_facecolor()[:3]))
    inside = [
        text.get_text() for text in figure.findobj(Text)
        if 0 < text.get_position()[0] - darkest.get_x() < darkest.get_width()
        and 0 < text.get_position()[1] - darkest.get_y() < darkest.get_height()
    ]  # fmt: skip
    most = max(tile.entries for tile in data.tiles.values() if tile.status == "filled")
    assert inside == [str(most)]


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


def test_the_key_has_the_fill_of_the_cells_that_it_explains():
    figure = drawn("form_by_credit")
    boxes = figure.findobj(Rectangle)
    (label,) = [text for text in figure.findobj(Text) if text.get_text() == "axis not applicable"]
    left, middle = label.get_position()
    beside = [
        box for box in boxes if 0 < left - box.get_x() < 0.25 and abs(box.get_y() - middle) < 0.12
    ]
    (swatch,) = [box for box in beside if box.get_width() < 0.12]
    _, data = shipped()["form_by_credit"]
    apart = {tile.entries for tile in data.tiles.values() if tile.status == "apart"}
    assert max(apart) > 0
    same = [box for box in boxes if box.get_facecolor() == swatch.get_facecolor()]
    numbers = [
        text.get_text() for box in same for text in figure.findobj(Text)
        if 0 < text.get_position()[0] - box.get_x() < box.get_width()
        and 0 < text.get_position()[1] - box.get_y() < box.get_height()
    ]  # fmt: skip
    assert set(numbers) == set(map(str, apart - {0}))
