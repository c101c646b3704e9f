"""What figures of traces share: ticks whose names do not touch, rectangles of texts."""

from corpus.traces.draw.figure import TextBox, spaced_ticks


def test_names_of_ticks_do_not_touch_and_equal_ones_are_written_once():
    ticks = [(0.0, "0 s"), (0.5, "1 s"), (2.0, "2 s"), (4.0, "2 s"), (6.0, "3 s")]
    assert spaced_ticks(ticks, 8, 0.3) == ([0.0, 2.0, 6.0], ["0 s", "2 s", "3 s"])
    assert spaced_ticks(ticks, 8, 1)[0] == [0.0, 0.5, 2.0, 6.0]


def test_texts_that_share_an_edge_do_not_overlap():
    box = TextBox(left=0, right=2, top=0, bottom=1)
    assert box.overlaps(TextBox(1, 3, 0.5, 2))
    assert not box.overlaps(TextBox(2, 3, 0, 1))
    assert not box.overlaps(TextBox(0, 2, 1, 2))
