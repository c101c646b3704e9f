import pytest

from corpus.model.finding import CorpusError
from tests.support.drawn import FIGURES, data_of

FAR = FIGURES["far"]
ROWS = [
    ("a1", "ada", "reach", "3", "m"), ("a2", "ada", "life", "1500", "days"), ("a3", "ada", "life", "20", "days"),
    ("d1", "dot", "reach", "40", "m"), ("c1", "cy", "reach", "", "m"),
]  # fmt: skip


def test_two_numbers_of_an_entry_make_a_mark_and_the_largest_of_several_counts():
    sold, kept = data_of({"ranges": ROWS}, **FAR).series
    assert [tuple(mark) for mark in sold.marks] == [
        ("ada", "Ada the first", 1500.0, 3.0), ("cy", "cy", None, None), ("dot", "dot", None, 40.0),
    ]  # fmt: skip
    assert [mark.key for mark in sold.marks if mark.is_drawn] == ["ada"]
    assert (sold.is_open, kept.is_open) == (False, True)


def test_a_series_without_a_filter_takes_every_row():
    _, kept = data_of({"ranges": ROWS}, **FAR).series
    assert {mark.key: (mark.x, mark.y) for mark in kept.marks} == {
        "ada": (3.0, 1500.0), "cy": (None, None), "dot": (40.0, 40.0),
    }  # fmt: skip


def test_the_frame_has_unknown_numbers_as_empty_cells():
    frame = data_of({"ranges": ROWS}, **FAR).frame()
    assert frame.header == ("series", "key", "x", "y")
    assert frame.rows[:3] == (
        ("sold", "ada", 1500.0, 3.0), ("sold", "cy", "", ""), ("sold", "dot", "", 40.0),
    )  # fmt: skip


@pytest.mark.parametrize("value", ["0", "-3", "many", "nan", "inf"])
def test_what_has_no_place_on_a_logarithmic_axis_is_a_finding_at_its_line(value):
    rows = [("a1", "ada", "reach", "3", "m"), ("d1", "dot", "reach", value, "m")]
    with pytest.raises(CorpusError) as caught:
        data_of({"ranges": rows}, **FAR)
    assert {(f.code, f.line, f.value) for f in caught.value.findings} == {("C802", 3, value)}
