import pytest

from corpus.canvas.paper import Paper
from corpus.publishing.figures.drawing.log_axis import LogAxis, number_in_print
from tests.support.drawn import texts


@pytest.mark.parametrize(("values", "low", "high"), [
    ([3, 40], 0, 2), ([1, 1000], 0, 3), ([0.02], -2, -1), ([10], 1, 2), ([999, 1001], 2, 4), ([], 0, 1),
])  # fmt: skip
def test_the_axis_has_whole_decades_around_all_values(values, low, high):
    axis = LogAxis.over(values, 1.0, 3.0)
    assert (axis.low, axis.high) == (low, high)
    assert list(axis.decades) == list(range(low, high + 1))


def named(low, high, right):
    paper = Paper(7)
    before = paper.y
    LogAxis(0.5, right, low, high).name_decades(paper)
    assert paper.y > before
    return texts(paper.figure())


def test_decades_are_named_as_far_as_there_is_place():
    assert named(-2, 4, 6.5) == ["0.01", "0.1", "1", "10", "100", "1,000", "10,000"]
    crowded = named(0, 9, 2.0)
    assert crowded[0] == "1"
    assert 1 < len(crowded) < 10


@pytest.mark.parametrize(("value", "text"), [
    (4000.0, "4,000"), (0.5, "0.5"), (1234.5, "1,234.5"), (3, "3"), (2_500_000.0, "2,500,000"),
])  # fmt: skip
def test_a_number_in_print_has_no_needless_decimals(value, text):
    assert number_in_print(value) == text
