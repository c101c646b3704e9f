"""Where the boxes of the event graph are."""

from matplotlib.backends.backend_agg import FigureCanvasAgg

from corpus.traces.draw.event_graph import EventGraph
from corpus.traces.draw.figure import trace_style
from corpus.traces.draw.picture import PAGES, Picture
from tests.support.golden import golden
from tests.support.large_traces import varied
from tests.support.made_traces import run_of
from tests.support.placed import placed
from tests.support.trace_commands import each_example, run_in


@each_example
def test_causes_are_left_of_effects_and_every_event_is_alone(path):
    run = run_in(path)
    places = EventGraph(Picture(run))
    assert all(
        places.column[source] < places.column[target]
        for source, target in zip(*run.ends, strict=True)
    )
    assert len(set(zip(places.column, places.row, strict=True))) == len(run.events)


@each_example
def test_boxes_do_not_overlap(path):
    run = run_in(path)
    with trace_style():
        figure = EventGraph(Picture(run)).draw(PAGES["auto"])
        assert figure is not None
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        boxes = [
            text.get_window_extent(renderer).padded(4)
            for text in figure.axes[0].texts
            if text.get_bbox_patch()
        ]
    assert len(boxes) == len(run.events)
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])


def test_every_mark_of_the_event_graph_is_where_it_was():
    run = run_of(varied())
    with trace_style():
        figure = EventGraph(Picture(run)).draw(PAGES["auto"])
    assert figure is not None
    golden("traces/event_graph.txt", placed(figure))
