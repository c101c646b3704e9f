"""What each kind puts on paper: the marks stand for the numbers of the record."""

import math

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text

from corpus.canvas.style import ALERT, PALETTE, SHADES
from corpus.publishing.figures.figure import draw_figure
from tests.support.drawn import FIGURES, made_up, shipped

SHIPPED = shipped()


def drawn(name):
    return draw_figure(*SHIPPED[name])


def rectangles(figure, fill):
    """Return the rectangles of one colour."""
    found = [patch for patch in figure.findobj(Rectangle) if patch.get_visible()]
    return [patch for patch in found if to_hex(patch.get_facecolor()) == fill.lower() and patch.get_width() < 7]


def texts(figure):
    return [artist.get_text() for artist in figure.findobj(Text) if artist.get_text()]


def test_columns_of_the_timeline_are_as_high_as_their_entries():
    _, data = SHIPPED["timeline"]
    for position, group in enumerate(data.groups):
        heights = [patch.get_height() for patch in rectangles(drawn("timeline"), PALETTE[position])]
        columns = [height for height in heights if abs(height - 0.09) > 1e-9]  # without the legend's swatch
        top = max(data.of_month(month) for month in data.months)
        assert sum(columns) == pytest.approx(1.55 / top * data.of_group(group.id))


def test_every_milestone_is_named_and_marked():
    figure = drawn("timeline")
    _, data = SHIPPED["timeline"]
    words = texts(figure)
    assert all(any(item.label in word for word in words) for item in data.milestones)
    diamonds = [mark for mark in figure.findobj(Polygon) if to_hex(mark.get_facecolor()) == ALERT.lower()]
    assert len(diamonds) == len(data.milestones)


def test_milestones_of_one_month_share_a_place():
    both = made_up(None, seen={**FIGURES["seen"], "milestones": [{"axis": "depth", "terms": ["surface", "shallow"]}]})
    words = texts(draw_figure(*both["seen"]))
    assert any("Ada the first" in word and "bob" in word for word in words)


def test_impossible_cells_are_hatched_and_only_they():
    for name in ("reward_by_credit", "form_by_credit"):
        _, data = SHIPPED[name]
        hatched = [patch for patch in drawn(name).findobj(Rectangle) if patch.get_hatch()]
        impossible = sum(tile.status == "impossible" for tile in data.tiles.values())
        assert len(hatched) == impossible + 1  # and the swatch that says so


def test_the_darkest_cell_holds_the_most_entries():
    _, data = SHIPPED["form_by_credit"]
    figure = drawn("form_by_credit")
    size = [patch for patch in figure.findobj(Rectangle) if patch.get_edgecolor()[3] and patch.get_width() < 1]
    darkest = min(size, key=lambda patch: sum(patch.get_facecolor()[:3]))
    inside = [
        text.get_text() for text in figure.findobj(Text)
        if 0 < text.get_position()[0] - darkest.get_x() < darkest.get_width()
        and 0 < text.get_position()[1] - darkest.get_y() < darkest.get_height()
    ]  # fmt: skip
    most = max(tile.entries for tile in data.tiles.values() if tile.status == "filled")
    assert inside == [str(most)]


def test_bars_are_as_long_as_their_parts():
    _, data = SHIPPED["categories"]
    dark = [patch.get_width() for patch in rectangles(drawn("categories"), SHADES[0])]
    bars = sorted(width for width in dark if abs(width - 0.11) > 1e-9)
    yes = sorted(data.parts[term.id, "yes"] for term in data.terms if data.parts[term.id, "yes"])
    unit = bars[-1] / yes[-1]
    assert bars == pytest.approx([unit * number for number in yes])


def test_bars_say_the_share_of_entries_to_which_the_axis_applies():
    words = " ".join(texts(draw_figure(*made_up()["depths"])))
    assert "2 (50%)" in words  # 2 of the 4 with a depth; 5 entries in all
    assert "4 entries to which the axis applies" in words


def test_the_ladder_says_how_many_tags_were_judged_and_every_unit():
    words = texts(drawn("credit_units"))
    _, data = SHIPPED["credit_units"]
    assert {rung.label for rung in data.rungs} <= set(words)
    assert any(word.startswith("22 of 48 tags have been judged") for word in words)


def test_an_empty_cell_of_the_highest_grade_is_marked_and_no_other():
    figure = drawn("decisions")
    dashed = [patch for patch in figure.findobj(Rectangle) if patch.get_linestyle() == "--"]
    assert len(dashed) == 2  # O4 and O5
    assert texts(figure).count("none") == 2


def test_the_flow_prints_every_number_of_its_record():
    words = " ".join(texts(drawn("screening"))).replace("\u00a0", " ")
    for number in (116, 100, 91, 85, 84, 16, 9, 6, 1, 42, 18, 10, 5, 3):
        assert f"(n = {number})" in words


def test_marks_stand_at_the_logarithm_of_their_values():
    figure = drawn("envelopes")
    _, data = SHIPPED["envelopes"]
    marks = [mark.get_xy() for mark in figure.findobj(Polygon) if not isinstance(mark, Rectangle)]
    legend = len(data.kinds)
    centres = [(min(points[:, 0]) + max(points[:, 0])) / 2 for points in marks[legend:]]
    assert len(centres) == len(data.marks)
    logs = [math.log10(mark.value) for mark in data.marks]
    low, high = logs.index(min(logs)), logs.index(max(logs))
    unit = (centres[high] - centres[low]) / (logs[high] - logs[low])
    for centre, log in zip(centres, logs, strict=True):
        assert centre == pytest.approx(centres[low] + unit * (log - logs[low]), abs=0.02)


def test_every_number_of_a_deployment_has_its_boundary_beside_it():
    words = " ".join(texts(drawn("envelopes")))
    _, data = SHIPPED["envelopes"]
    assert all(word in words for mark in data.marks for word in mark.boundary.split())
