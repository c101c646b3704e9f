"""The swimlane as a figure: nothing covers anything else."""

import json

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from corpus.traces.draw.figure import trace_style
from corpus.traces.draw.picture import PAGES, Picture
from corpus.traces.draw.swimlane import Swimlane
from tests.support.golden import golden
from tests.support.large_traces import varied
from tests.support.made_traces import run_of
from tests.support.placed import placed
from tests.support.trace_commands import FILES, each_example, run_in


@each_example
def test_labels_do_not_overlap(path):
    with trace_style():
        found = Picture(run_in(path))
        figure = Swimlane(found, PAGES["auto"]).draw()
        assert figure is not None
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        axes = figure.axes[0]
        texts = [*axes.texts, *axes.get_xticklabels(), *figure.texts, axes.xaxis.label]
        boxes = [
            (text.get_text(), text.get_window_extent(renderer))
            for text in texts
            if text.get_text().strip()
        ]
        page = figure.bbox
        for number, (words, box) in enumerate(boxes):
            assert page.x0 <= box.x0 <= box.x1 <= page.x1, f"{words!r} leaves the page"
            for other, second in boxes[number + 1 :]:
                overlap = (
                    min(box.x1, second.x1) - max(box.x0, second.x0),
                    min(box.y1, second.y1) - max(box.y0, second.y0),
                )
                assert min(overlap) <= 1, f"{words!r} and {other!r} overlap"


def test_a_name_without_oblique_glyphs_is_drawn_upright():
    trace = json.loads(FILES[0].read_text(encoding="utf-8"))
    text = json.dumps(trace).replace('"traveller"', json.dumps("سلام"))
    with trace_style():
        figure = Swimlane(Picture(run_of(json.loads(text))), PAGES["auto"]).draw()
    assert figure is not None
    names = [drawn for drawn in figure.texts if "سلام" in drawn.get_text()]
    assert [drawn.get_style() for drawn in names] == ["normal"]


@pytest.mark.parametrize("layout", ["auto", "wide"])
def test_every_mark_of_the_swimlane_is_where_it_was(layout):
    with trace_style():
        figure = Swimlane(Picture(run_of(varied())), PAGES[layout]).draw()
    golden(f"traces/swimlane-{layout}.txt", placed(figure))
