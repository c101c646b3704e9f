"""The swimlane as a figure: everybody is in it, nothing leaves the page or covers anything else."""

import json
from functools import cache
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.text import Text

from corpus.traces.draw.figure import Swimlane, bundled, swimlane, trace_style
from corpus.traces.draw.ink import RED, SYMBOLS
from corpus.traces.draw.picture import LAYOUTS, PAGES, SMALLEST_TEXT, Picture
from tests.support.golden import golden
from tests.support.large_traces import swarm, varied
from tests.support.made_traces import run_of
from tests.support.placed import placed
from tests.support.trace_commands import FILES, each_example, run_in

#: Pixels by which hinted characters may differ from their outlines.
SLACK = 2.0


@cache
def run(agents):
    return run_of(swarm(agents, 8 if agents == 300 else 6))


def texts_are_apart(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    texts = [text for text in figure.findobj(Text) if text.get_text().strip()]
    texts = [(text, text.get_window_extent(renderer)) for text in texts if text.get_visible()]
    page = figure.bbox
    for text, box in texts:
        words = text.get_text()
        outside = (page.x0 - box.x0, box.x1 - page.x1, page.y0 - box.y0, box.y1 - page.y1)
        assert max(outside) <= SLACK, f"{words!r} leaves the page"
        assert text.get_fontsize() >= SMALLEST_TEXT, words
    for (one, first), (other, second) in combinations(texts, 2):
        across = min(first.x1, second.x1) - max(first.x0, second.x0)
        along = min(first.y1, second.y1) - max(first.y0, second.y0)
        pair_of_texts = f"{one.get_text()!r} and {other.get_text()!r}"
        assert min(across, along) <= SLACK, f"{pair_of_texts} overlap"


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("agents", [3, 30, 300])
def test_texts_are_on_the_page_large_enough_and_apart(agents, layout):
    page = PAGES[layout]
    with trace_style():
        figure = swimlane(run(agents), page)
        texts_are_apart(figure)
    width, height = figure.get_size_inches()
    assert width == page.width or not page.width
    assert height == page.height or not page.height
    assert layout != "column" or height < 9


@each_example
def test_texts_of_an_example_do_not_overlap(path):
    with trace_style():
        texts_are_apart(swimlane(run_in(path), PAGES["auto"]))


def test_a_name_without_oblique_glyphs_is_drawn_upright():
    trace = json.loads(FILES[0].read_text(encoding="utf-8"))
    text = json.dumps(trace).replace('"traveller"', json.dumps("سلام"))
    with trace_style():
        figure = swimlane(run_of(json.loads(text)), PAGES["auto"])
    names = [drawn for drawn in figure.texts if "سلام" in drawn.get_text()]
    assert [drawn.get_style() for drawn in names] == ["normal"]


def test_every_mark_is_where_it_was():
    with trace_style():
        golden("traces/swimlane-auto.txt", placed(swimlane(run_of(varied()), PAGES["auto"])))
        crowded = swimlane(run_of(swarm(12, 2)), PAGES["column"])
    golden("traces/swimlane-column.txt", placed(crowded))


def test_bundles_hold_every_arrow_and_are_few():
    large = run(300)
    for page in PAGES.values():
        picture = Picture(large, page.rows, crowded=True)
        bundles = bundled(picture, page.bundles)
        assert sum(bundles.values()) == len(picture.arrows)
        assert len(bundles) <= page.bundles
        # No spawn of the swarm stays within a lane.
        spawns = [number for bundle, number in bundles.items() if bundle.kind == "spawn"]
        assert sum(spawns) == len(large.spawns)


def test_lanes_of_many_agents_show_failures_and_people_only():
    trace = swarm(100)
    workers = [one for one in trace["events"] if one["type"] == "tool_call"]
    for number, kind in enumerate(("message", "return", "human_intervention")):
        workers[number]["type"] = kind
    workers[1]["x_error"] = "timeout"
    failed = sum("x_error" in one for one in trace["events"])
    page = PAGES["auto"]
    found = Swimlane(Picture(run_of(trace), page.rows, crowded=True), page)
    with trace_style():
        found.draw()
    lines = [one for one in found.axes.collections if isinstance(one, LineCollection)]
    strokes = {to_hex(one.get_color()[0]): len(one.get_segments()) for one in lines}
    assert strokes[RED] == failed
    # The task of the user, and the one that was made of a call.
    assert strokes[SYMBOLS["human_intervention"].colour] == 2
    assert SYMBOLS["message"].colour not in strokes


def test_one_moment_of_many_agents_has_a_picture():
    trace = swarm(30)
    for event in trace["events"]:
        event["t"] = 0
    with trace_style():
        assert swimlane(run_of(trace), PAGES["auto"]).axes
