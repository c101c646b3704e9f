import math
from collections import Counter

import pytest
from matplotlib.patches import Rectangle

from corpus.canvas.style import PALETTE
from corpus.publishing.figures.drawing.spread import draw_spread
from corpus.publishing.figures.kinds.spread import SpreadData, SpreadMark, SpreadPanel, SpreadSeries
from tests.support.drawn import rectangles, texts


def spread(*values, unknown=(), label="all", name="s{}"):
    marks = tuple(
        SpreadMark(f"k{n}", name.format(n), value) for n, value in enumerate(sorted(values))
    )
    return SpreadSeries(label, marks, tuple(unknown))


def figure(*series, width=7.16):
    return draw_spread(SpreadData((SpreadPanel("Reach", tuple(series)),)), width, "")


def test_each_number_is_a_point_at_its_logarithm_and_equal_ones_are_stacked():
    made = figure(spread(1, 10, 10, 100))
    points = rectangles(made, PALETTE[0])
    centres = sorted(box.get_x() + box.get_width() / 2 for box in points)
    assert len(centres) == 4
    assert centres[1] == centres[2]
    assert centres[3] - centres[2] == pytest.approx(centres[1] - centres[0])
    heights = Counter(round(box.get_y(), 6) for box in points)
    assert sorted(heights.values()) == [1, 3]  # one above the other three


def test_a_high_stack_is_no_higher_than_an_inch_or_so():
    points = rectangles(figure(spread(*[5] * 400)), PALETTE[0])
    top = min(box.get_y() for box in points)
    bottom = max(box.get_y() + box.get_height() for box in points)
    assert len(points) == 400
    assert bottom - top <= 1.2


def test_series_have_colours_and_labels_of_their_own():
    made = figure(spread(1), spread(100, 1000, label="in clay"))
    assert (len(rectangles(made, PALETTE[0])), len(rectangles(made, PALETTE[1]))) == (1, 2)
    assert {"all", "in clay", "Reach"} <= set(texts(made))


@pytest.mark.parametrize(("series", "text"), [
    (spread(3, 40), "s1 40"),
    (spread(3, 4000), "s1 4,000"),
    (spread(0.5), "s0 0.5"),
    (spread(3, 40, 40), "40: 2 entries"),
])  # fmt: skip
def test_the_largest_is_named_with_its_number(series, text):
    assert text in texts(figure(series))


@pytest.mark.parametrize(("series", "text"), [
    (spread(3, 4), "unknown: none"),
    (spread(3, unknown=["x", "y"]), "unknown: 2 of 3"),
    (spread(unknown=["x"]), "unknown: 1 of 1"),
])  # fmt: skip
def test_numbers_that_are_not_known_are_counted(series, text):
    assert text in texts(figure(series))


@pytest.mark.parametrize("width", [3.5, 7.16])
def test_a_long_name_of_the_largest_stays_on_the_page(width):
    made = figure(spread(1, 1000, name="a name that is rather long for an axis {}"), width=width)
    assert any(word.startswith("a name") for word in texts(made))
    assert all(box.get_x() + box.get_width() <= width for box in rectangles(made, PALETTE[0]))


def test_the_axis_is_that_of_all_panels():
    one, other = SpreadPanel("One", (spread(1, 10),)), SpreadPanel("Other", (spread(10, 100000),))
    made = draw_spread(SpreadData((one, other)), 7.16, "")
    boxes = [box for box in made.findobj(Rectangle) if box in rectangles(made, PALETTE[0])]
    left = {round(box.get_x(), 6) for box in boxes}
    assert len(left) == 3  # both points of 10 are at one place
    first, ten, most = sorted(left)
    assert (most - first) / (ten - first) == pytest.approx(math.log10(100000))
