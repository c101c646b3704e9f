import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon

from corpus.canvas.style import PALETTE
from corpus.publishing.figures.drawing.log_axis import LogAxis
from corpus.publishing.figures.figure import draw_figure
from tests.support.drawn import FIGURES, made_up, texts

ROWS = [
    ("a1", "ada", "reach", "10", "m"), ("a2", "ada", "life", "10", "days"),
    ("d1", "dot", "reach", "1000", "m"), ("d2", "dot", "life", "1000", "days"),
    ("b1", "bob", "reach", "10", "m"), ("b2", "bob", "life", "10", "days"),
    ("c1", "cy", "reach", "", "m"),
]  # fmt: skip


def scatter(series):
    figure = {**FIGURES["far"], "series": series}
    return draw_figure(*made_up({"ranges": ROWS}, far=figure)["far"])


def circles(figure):
    found = []
    for mark in figure.findobj(Polygon):
        if len(mark.get_xy()) == 17:
            x, y = mark.get_xy()[:-1].mean(axis=0)
            found.append((x, y, to_hex(mark.get_facecolor()), to_hex(mark.get_edgecolor())))
    return found


SOLD = FIGURES["far"]["series"][0]


def test_entries_of_equal_numbers_share_a_mark_and_are_all_named():
    figure = scatter([SOLD])
    # Two entries are at the same place.
    low, high = sorted(circles(figure))
    assert low[0] < high[0]
    assert low[1] > high[1]  # heights are counted from above
    words = texts(figure)
    assert {"Ada the first", "bob", "dot"} <= set(words)
    assert any("3 of 4 entries" in word for word in words)


def test_marks_are_open_where_the_series_is():
    fills = [mark[2:] for mark in circles(scatter([SOLD, {**SOLD, "label": "kept", "open": True}]))]
    assert fills.count((PALETTE[0].lower(), PALETTE[0].lower())) == 2
    assert fills.count(("#ffffff", PALETTE[1].lower())) == 2


def test_the_axes_are_logarithmic():
    low, high = sorted(circles(scatter([SOLD])))
    across = LogAxis.over([10, 1000], 0, 1)
    assert across.place(100) == pytest.approx(0.5)
    # Two decades up are as far apart as the plot is high.
    assert low[1] - high[1] == pytest.approx(2 * 0.85, abs=0.01)
