"""Where the boxes of the event graph are."""

import json
from pathlib import Path

import pytest

from corpus.traces.draw.event_graph import event_graph, layout
from corpus.traces.draw.figure import trace_style
from corpus.traces.draw.page import PAGES
from corpus.traces.draw.picture import picture
from tests.support.golden import golden
from tests.support.large_traces import varied
from tests.support.made_traces import event, pair, run_of
from tests.support.placed import placed

EXAMPLES = sorted((Path(__file__).parents[3] / "data" / "traces" / "examples").glob("*.json"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_causes_are_left_of_effects_and_every_event_is_alone(path):
    run = run_of(json.loads(path.read_text(encoding="utf-8")))
    places = layout(run)
    assert all(
        places.column[source] < places.column[target]
        for source, target in zip(*run.ends, strict=True)
    )
    assert len(set(zip(places.column, places.row, strict=True))) == len(run.events)


def test_parallel_events_of_one_agent_are_in_rows_of_its_band():
    run = run_of(pair())
    places = layout(run)
    one, other = run.index["make-ann"], run.index["make-bob"]
    assert places.column[one] == places.column[other]
    assert places.bands[0] == ("lead", 0, 2)
    assert {places.row[one], places.row[other]} == {0, 1}


def test_columns_are_as_wide_as_the_longest_id_needs():
    trace = pair()
    event(trace, "tea")["id"] = "a-rather-long-id"
    trace["edges"] = trace["edges"][:6]
    assert layout(run_of(trace)).inches > layout(run_of(pair())).inches


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_boxes_do_not_overlap(path):
    run = run_of(json.loads(path.read_text(encoding="utf-8")))
    with trace_style():
        figure = event_graph(run, picture(run), PAGES["auto"])
        assert figure is not None
        figure.canvas.draw()  # type: ignore[attr-defined]
        boxes = [
            text.get_window_extent().padded(4)
            for text in figure.axes[0].texts
            if text.get_bbox_patch()
        ]
    assert len(boxes) == len(run.events)
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])


def test_the_legend_names_what_occurs_in_words():
    trace = pair()
    trace["edges"][0]["type"] = "safety_flow"
    run = run_of(trace)
    with trace_style():
        figure = event_graph(run, picture(run), PAGES["auto"])
        assert figure is not None
        legend = figure.legends[0]
    names = [text.get_text() for text in legend.get_texts()]
    assert "safety flow edge" in names
    assert "critical path" in names
    assert not any("_" in name for name in names)


def test_every_mark_of_the_event_graph_is_where_it_was():
    run = run_of(varied())
    with trace_style():
        figure = event_graph(run, picture(run), PAGES["auto"])
    assert figure is not None
    golden("traces/event_graph.txt", placed(figure))
