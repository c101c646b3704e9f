"""Pictures of large runs: everybody is in them, nothing leaves the page or covers anything else."""

from functools import cache
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from corpus.model.finding import UsageProblem
from corpus.traces.draw import AXES, LAYOUTS, SPREAD, draw, figure_of
from corpus.traces.draw.figure import trace_style
from corpus.traces.draw.overview import overview
from corpus.traces.draw.picture import PAGES, SMALLEST_TEXT
from tests.support.large_traces import swarm
from tests.support.made_traces import pair, run_of

SIZES = (3, 30, 300)
#: Pixels by which hinted characters may differ from their outlines.
SLACK = 2.0


@cache
def run(agents):
    return run_of(swarm(agents, 8 if agents == 300 else 6))


@cache
def drawn(agents, view, axis, layout):
    """The figure and its visible texts with their boxes in pixels."""
    with trace_style():
        figure = figure_of(run(agents), view, axis, PAGES[layout])
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        texts = [text for text in figure.findobj(Text) if text.get_text().strip()]
        shown = [text for text in texts if text.get_visible()]
        return figure, [(text, text.get_window_extent(renderer)) for text in shown]


PICTURES = [
    *((agents, "swimlane", "spread", layout) for agents in SIZES for layout in LAYOUTS),
    *((3, "graph", "spread", layout) for layout in ("auto", "wide")),
    *((agents, "swimlane", "time", "auto") for agents in SIZES),
]


@pytest.mark.parametrize(("agents", "view", "axis", "layout"), PICTURES)
def test_texts_are_on_the_page_large_enough_and_apart(agents, view, axis, layout):
    figure, texts = drawn(agents, view, axis, layout)
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
def test_a_graph_that_does_not_fit_is_refused(layout):
    with pytest.raises(UsageProblem):
        draw(run(300), "svg", "graph", layout=layout)


@pytest.mark.parametrize("agents", [3, 300])
def test_fixed_layouts_have_their_size(agents):
    wide, _ = drawn(agents, "swimlane", SPREAD, "wide")
    column, _ = drawn(agents, "swimlane", SPREAD, "column")
    width, height = wide.get_size_inches()
    assert width / height == pytest.approx(16 / 9, rel=0.001)
    assert column.get_figwidth() == PAGES["column"].width
    assert column.get_figheight() < 9


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("agents", [30, 300])
def test_every_agent_is_in_one_row_and_has_one_bar(agents, layout):
    large = run(agents)
    found = overview(large, PAGES[layout])
    members = [name for group in found.rows for name in group.members]
    assert len(members) == len(set(members))
    assert set(large.agents) <= set(members)
    assert len(found.rows) <= PAGES[layout].rows
    assert len({bar.place for bar in found.life}) == len(found.life) == len(members)
    for group in found.rows:
        assert not group.many or group.name.startswith(f"{len(group.members)} ×")


def test_bundles_hold_every_arrow_and_are_few():
    large = run(300)
    for page in PAGES.values():
        found = overview(large, page)
        spawns = sum(bundle.number for bundle in found.bundles if bundle.kind == "spawn")
        assert spawns == len(large.spawns)
        assert len(found.bundles) <= page.bundles


def test_a_long_pause_is_cut_unless_the_axis_is_linear():
    trace = swarm(30)
    for event in trace["events"]:
        event["t"] += 100_000 * (event["t"] > 40)
    paused = run_of(trace)
    assert len(overview(paused, PAGES["auto"], AXES[0]).cuts) == 1
    assert overview(paused, PAGES["auto"], "time").cuts == []


def test_titles_are_not_cut():
    trace = pair()
    trace["system"] = " ".join(f"word{number}" for number in range(20))
    with trace_style():
        for layout in LAYOUTS:
            figure = figure_of(run_of(trace), "swimlane", SPREAD, PAGES[layout])
            words = " ".join(text.get_text() for text in figure.texts)
            assert all(f"word{number}" in words for number in range(20)), layout


def test_one_moment_of_many_agents_has_a_picture():
    trace = swarm(30)
    for event in trace["events"]:
        event["t"] = 0
    with trace_style():
        for axis in AXES:
            assert figure_of(run_of(trace), "swimlane", axis, PAGES["auto"]).axes
