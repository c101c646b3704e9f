import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon

from corpus.canvas.style import PALETTE
from corpus.model.finding import CorpusError
from corpus.publishing.figures.figure import draw_figure
from corpus.publishing.figures.kinds.scatter import LogAxis
from tests.support.drawn import FIGURES, data_of, made_up, texts

FAR = FIGURES["far"]
ROWS = [
    ("a1", "ada", "reach", "3", "m"), ("a2", "ada", "life", "1500", "days"), ("a3", "ada", "life", "20", "days"),
    ("d1", "dot", "reach", "40", "m"), ("c1", "cy", "reach", "", "m"),
]  # fmt: skip


def test_two_numbers_of_an_entry_make_a_mark_and_the_largest_of_several_counts():
    data = data_of({"ranges": ROWS}, **FAR)
    assert data.frame() == (("series", "key", "x", "y"), [
        ("sold", "ada", 1500.0, 3.0), ("sold", "cy", "", ""), ("sold", "dot", "", 40.0),
        # Without a filter, every row counts.
        ("kept", "ada", 3.0, 1500.0), ("kept", "cy", "", ""), ("kept", "dot", 40.0, 40.0),
    ])  # fmt: skip
    assert [series.marks[0].name for series in data.series] == ["Ada the first"] * 2


@pytest.mark.parametrize("value", ["0", "-3", "many", "nan", "inf"])
def test_what_has_no_place_on_a_logarithmic_axis_is_a_finding_at_its_line(value):
    rows = [("a1", "ada", "reach", "3", "m"), ("d1", "dot", "reach", value, "m")]
    with pytest.raises(CorpusError) as caught:
        data_of({"ranges": rows}, **FAR)
    assert {(f.code, f.line, f.value) for f in caught.value.findings} == {("C802", 3, value)}


PAIRS = [
    ("a1", "ada", "reach", "10", "m"), ("a2", "ada", "life", "10", "days"),
    ("d1", "dot", "reach", "1000", "m"), ("d2", "dot", "life", "1000", "days"),
    ("b1", "bob", "reach", "10", "m"), ("b2", "bob", "life", "10", "days"),
    ("c1", "cy", "reach", "", "m"),
]  # fmt: skip


def scatter(series):
    figure = {**FIGURES["far"], "series": series}
    return draw_figure(*made_up({"ranges": PAIRS}, far=figure)["far"])


def circles(figure):
    found = []
    for mark in figure.findobj(Polygon):
        across = mark.get_xy()[:, 0].max() - mark.get_xy()[:, 0].min()
        if len(mark.get_xy()) == 17 and round(across, 3) != 0.08:  # that of the legend
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


@pytest.mark.parametrize(("values", "low", "high"), [
    ([3, 40], 0, 2), ([1, 1000], 0, 3), ([0.02], -2, -1), ([10], 1, 2), ([999, 1001], 2, 4), ([], 0, 1),
])  # fmt: skip
def test_the_axis_has_whole_decades_around_all_values(values, low, high):
    axis = LogAxis(values)
    assert (axis.low, axis.high) == (low, high)
    shares = list(axis.ticks.values())
    assert (shares[0], shares[-1], len(shares)) == (0, 1, high - low + 1)
