"""Pictures of large runs: everybody is in them, nothing leaves the page or covers anything else."""

from functools import cache
from itertools import combinations, pairwise

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.text import Text

from corpus.traces.draw import AXES, LAYOUTS, SPREAD, figure_of
from corpus.traces.draw.figure import trace_style
from corpus.traces.draw.ink import RED, SYMBOLS
from corpus.traces.draw.overview import Overview
from corpus.traces.draw.picture import PAGES, SMALLEST_TEXT
from tests.support.golden import golden
from tests.support.large_traces import swarm, varied
from tests.support.made_traces import pair, run_of
from tests.support.placed import placed

SIZES = (3, 30, 300)
#: Pixels by which hinted characters may differ from their outlines.
SLACK = 2.0


@cache
def run(agents):
    return run_of(swarm(agents, 8 if agents == 300 else 6))


@cache
def drawn(agents, axis, layout):
    """The figure and its visible texts with their boxes in pixels."""
    with trace_style():
        figure = figure_of(run(agents), axis, PAGES[layout])
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        texts = [text for text in figure.findobj(Text) if text.get_text().strip()]
        shown = [text for text in texts if text.get_visible()]
        return figure, [(text, text.get_window_extent(renderer)) for text in shown]


PICTURES = [
    *((agents, "spread", layout) for agents in SIZES for layout in LAYOUTS),
    *((agents, "time", "auto") for agents in SIZES),
]


@pytest.mark.parametrize(("agents", "axis", "layout"), PICTURES)
def test_texts_are_on_the_page_large_enough_and_apart(agents, axis, layout):
    figure, texts = drawn(agents, axis, layout)
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


@pytest.mark.parametrize("agents", [3, 300])
def test_fixed_layouts_have_their_size(agents):
    wide, _ = drawn(agents, SPREAD, "wide")
    column, _ = drawn(agents, SPREAD, "column")
    width, height = wide.get_size_inches()
    assert width / height == pytest.approx(16 / 9, rel=0.001)
    assert column.get_figwidth() == PAGES["column"].width
    assert column.get_figheight() < 9


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("agents", [30, 300])
def test_every_agent_is_in_one_row_and_has_one_bar(agents, layout):
    large = run(agents)
    found = Overview(large, PAGES[layout])
    members = [name for row in found.rows for name in row.lane.members]
    assert len(members) == len(set(members))
    assert set(large.agents) <= set(members)
    assert len(found.rows) <= PAGES[layout].rows
    places = [(agent.row.number, agent.slot) for agent in found.agents]
    assert len(set(places)) == len(places) == len(members)
    for row in found.rows:
        assert not row.lane.many or row.lane.name.startswith(f"{len(row.lane.members)} ×")


def test_bundles_hold_every_arrow_and_are_few():
    large = run(300)
    for page in PAGES.values():
        found = Overview(large, page)
        spawns = sum(len(bundle.sources) for bundle in found.bundles if bundle.kind == "spawn")
        assert spawns == len(large.spawns)
        assert len(found.bundles) <= page.bundles


def test_a_long_pause_is_cut_unless_the_axis_is_linear():
    trace = swarm(30)
    for event in trace["events"]:
        event["t"] += 100_000 * (event["t"] > 40)
    paused = run_of(trace)
    assert len(Overview(paused, PAGES["auto"], AXES[0]).picture.axis.cuts) == 1
    assert Overview(paused, PAGES["auto"], "time").picture.axis.cuts == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_bars_of_different_agents_do_not_overlap(layout):
    found = Overview(run(30), PAGES[layout])
    with trace_style():
        found.draw()
    bars = [
        one for one in found.axes.collections if isinstance(one, PolyCollection) and one.get_paths()
    ]
    uprights = [one.get_paths()[0].get_extents().intervaly for one in bars]
    edges = sorted({tuple(upright.tolist()) for upright in uprights})
    # People and agents have a bar each, at one height with what they were busy with.
    assert len(edges) == len(found.agents)
    for (_, bottom), (top, _) in pairwise(edges):
        assert bottom <= top + 1e-9
    assert edges[0][0] >= 0
    assert edges[-1][1] <= found.axes.get_ylim()[0] + 1e-9


def strokes_of(found):
    """How many strokes there are of each colour."""
    with trace_style():
        found.draw()
    lines = [one for one in found.axes.collections if isinstance(one, LineCollection)]
    return {to_hex(one.get_color()[0]): len(one.get_segments()) for one in lines}


def test_bars_too_thin_for_types_show_failures_and_people_only():
    trace = swarm(100)
    workers = [one for one in trace["events"] if one["type"] == "tool_call"]
    for number, kind in enumerate(("message", "return", "human_intervention")):
        workers[number]["type"] = kind
    workers[1]["x_error"] = "timeout"
    failed = sum("x_error" in one for one in trace["events"])
    strokes = strokes_of(Overview(run_of(trace), PAGES["auto"]))
    assert strokes[RED] == failed
    # The task of the user, and the one that was made of a call.
    assert strokes[SYMBOLS["human_intervention"].colour] == 2
    assert SYMBOLS["message"].colour not in strokes
    assert SYMBOLS["return"].colour in strokes


def test_the_legend_has_what_occurs():
    labels = [entry.get_label() for entry in Overview(run_of(pair()), PAGES["auto"]).handles()]
    assert labels[:3] == ["agent there", "agent busy", "critical path"]
    assert not {"wasted agent", "untrusted content", "failed"} & set(labels)
    labels = [entry.get_label() for entry in Overview(run_of(varied()), PAGES["auto"]).handles()]
    assert {"wasted agent", "untrusted content", "failed"} < set(labels)


def test_every_mark_of_the_overview_is_where_it_was():
    for layout, trace in (("auto", varied()), ("column", swarm(12, 2))):
        with trace_style():
            figure = Overview(run_of(trace), PAGES[layout]).draw()
        golden(f"traces/overview-{layout}.txt", placed(figure))


def test_one_moment_of_many_agents_has_a_picture():
    trace = swarm(30)
    for event in trace["events"]:
        event["t"] = 0
    with trace_style():
        for axis in AXES:
            assert figure_of(run_of(trace), axis, PAGES["auto"]).axes
