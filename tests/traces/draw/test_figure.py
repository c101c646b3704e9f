"""What figures of traces share: ticks whose names do not touch, rectangles of texts."""

import pytest

from corpus.traces.draw.figure import Sheet, line
from corpus.traces.draw.picture import PAGES, Picture
from tests.support.made_traces import pair, run_of


@pytest.mark.parametrize(("inches", "shown"), [(0.3, "0 s 2 s 3 s"), (1, "0 s 1 s 2 s 3 s")])
def test_names_of_ticks_do_not_touch_and_equal_ones_are_written_once(inches, shown):
    picture = Picture(run_of(pair()))
    picture.ticks = [(0.0, "0 s"), (0.5, "1 s"), (2.0, "2 s"), (4.0, "2 s"), (6.0, "3 s")]
    sheet = Sheet(picture, [line("black", "path")], PAGES["auto"], 9)
    sheet.open(2)
    axes = sheet.axes(1, 1, 6 * inches, 1)
    axes.set_xlim(0, 6)
    sheet.time(axes, 1)
    assert " ".join(name.get_text() for name in axes.get_xticklabels()) == shown
