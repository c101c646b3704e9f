import pytest
from matplotlib.text import Text

from corpus.canvas.style import PALETTE
from corpus.publishing.figures.figure import draw_figure
from tests.support.drawn import drawn, rectangles, shipped, texts


def test_every_entry_inside_the_window_is_a_mark_of_its_row():
    _, data = shipped()["timeline"]
    figure = drawn("timeline")
    for position, group in enumerate(data.groups):
        marks = rectangles(figure, PALETTE[position])
        assert len(marks) == len(data.drawn(group.id))
        # They are in one row each: no mark of another group is between the highest and the lowest.
        assert all(mark.get_width() == pytest.approx(0.06) for mark in marks)


def test_marks_are_in_order_of_time_and_not_on_each_other():
    _, data = shipped()["timeline"]
    boxes = sorted(
        (mark.get_x(), mark.get_y()) for mark in rectangles(drawn("timeline"), PALETTE[0])
    )
    assert len(set(boxes)) == len(data.drawn("rl_method"))


def test_the_timeline_names_what_lies_outside_and_its_empty_months():
    words = " ".join(texts(drawn("timeline")))
    assert "59 of 84 entries" in words
    assert "25 earlier" in words
    assert "2025-12" in words
    assert "2026-05" in words


def test_no_name_is_beyond_the_page():
    plan, data = shipped()["timeline"]
    for width in (2.5, 3.5, 7.16):
        figure = draw_figure(plan._replace(labels={}), data, width)
        assert all(
            text.get_position()[0] < width for text in figure.findobj(Text) if text.get_text()
        )
