import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon

from corpus.canvas.style import ALERT, PALETTE
from corpus.publishing.figures.figure import draw_figure
from tests.support.drawn import FIGURES, drawn, made_up, rectangles, shipped, swatches, texts


def test_columns_of_the_timeline_are_as_high_as_their_entries():
    _, data = shipped()["timeline"]
    for position, group in enumerate(data.groups):
        heights = [patch.get_height() for patch in rectangles(drawn("timeline"), PALETTE[position])]
        columns = [
            height for height in heights if abs(height - 0.09) > 1e-9
        ]  # without the legend's swatch
        top = max(data.of_month(month) for month in data.months)
        assert sum(columns) == pytest.approx(1.55 / top * data.of_group(group.id))


def test_every_milestone_is_named_and_marked():
    figure = drawn("timeline")
    _, data = shipped()["timeline"]
    words = texts(figure)
    assert all(any(item.label in word for word in words) for item in data.milestones)
    diamonds = [
        mark for mark in figure.findobj(Polygon) if to_hex(mark.get_facecolor()) == ALERT.lower()
    ]
    assert len(diamonds) == len(data.milestones)


def test_milestones_of_one_month_share_a_place():
    both = made_up(
        None,
        seen={
            **FIGURES["seen"],
            "milestones": [{"axis": "depth", "terms": ["surface", "shallow"]}],
        },
    )
    words = texts(draw_figure(*both["seen"]))
    assert any("Ada the first" in word and "bob" in word for word in words)


def test_the_timeline_names_what_lies_outside_and_its_empty_months():
    words = " ".join(texts(drawn("timeline")))
    assert "59 of 84 entries" in words
    assert "25 earlier" in words
    assert "2025-12" in words
    assert "2026-05" in words


def test_the_legend_has_the_color_and_the_number_of_each_group():
    figure = drawn("timeline")
    _, data = shipped()["timeline"]
    fills = swatches(figure)
    assert list(fills) == [f"{group.label} {data.of_group(group.id)}" for group in data.groups]
    for group, fill in zip(data.groups, fills.values(), strict=True):
        columns = [box for box in rectangles(figure, fill) if abs(box.get_height() - 0.09) > 1e-9]
        filled = [month for month in data.months if data.counts[month, group.id]]
        assert len(columns) == len(filled)
