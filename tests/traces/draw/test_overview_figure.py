"""The overview as a figure: bars, strokes, arrows and numbers, each where it belongs."""

from itertools import combinations, pairwise

import pytest
from matplotlib.collections import LineCollection

from corpus.traces.draw import LAYOUTS
from corpus.traces.draw.figure import trace_style
from corpus.traces.draw.ink import RED, SYMBOLS
from corpus.traces.draw.overview import Bundle, Place, Point, Stroke, overview
from corpus.traces.draw.overview_figure import OverviewFigure
from corpus.traces.draw.picture import PAGES
from tests.support.golden import golden
from tests.support.large_traces import swarm, varied
from tests.support.made_traces import pair, run_of
from tests.support.placed import placed


def small():
    """The overview of the pair: three rows, for lead, ann and bob."""
    return overview(run_of(pair()), PAGES["auto"])


def figure_of(found, layout="auto"):
    """The figure of an overview, drawn."""
    with trace_style():
        figure = OverviewFigure(found, PAGES[layout])
        figure.draw()
    return figure


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("agents", [30, 300])
def test_bars_of_different_agents_do_not_overlap(agents, layout):
    figure = figure_of(overview(run_of(swarm(agents)), PAGES[layout]), layout)
    life = [one for one in figure.axes.collections if one.get_gid() == "life"]
    stretches = sorted(
        (min(y for _, y in path.vertices), max(y for _, y in path.vertices))
        for collection in life
        for path in collection.get_paths()
    )
    for (_, bottom), (top, _) in pairwise(stretches):
        assert bottom <= top + 1e-9
    assert stretches[0][0] >= 0
    assert stretches[-1][1] <= sum(row.height for row in figure.rows) + 1e-9


def strokes_of(figure):
    """How many strokes there are of each colour."""
    found = {}
    for lines in figure.axes.collections:
        if isinstance(lines, LineCollection):
            red, green, blue, _ = lines.get_color()[0]
            colour = f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
            found[colour] = len(lines.get_segments())
    return found


def test_bars_too_thin_for_types_show_failures_and_people_only():
    found = overview(run_of(swarm(100)), PAGES["auto"])
    (row, group) = next((row, one) for row, one in enumerate(found.rows) if one.many)
    assert len(group.members) > 20
    found.strokes = [
        Stroke(Place(row, 0), 0.1, "message", failed=False),
        Stroke(Place(row, 1), 0.2, "return", failed=True),
        Stroke(Place(row, 2), 0.3, "human_intervention", failed=False),
    ]
    assert strokes_of(figure_of(found)) == {RED: 1, SYMBOLS["human_intervention"].colour: 1}


def numbers_of(found):
    """The numbers that are written at arrows."""
    texts = [one for one in figure_of(found).axes.texts if one.get_text().startswith("×")]
    boxes = [one.get_window_extent() for one in texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    return [one.get_text() for one in texts]


def test_an_arrow_for_several_has_its_number_where_no_other_arrow_is():
    found = small()
    top, bottom = Place(0, 0), Place(2, 0)
    apart = zip((0.2, 0.5, 0.8), (1, 2, 3000), strict=True)
    found.bundles = [Bundle("message", top, bottom, x, number) for x, number in apart]
    assert numbers_of(found) == ["×2", "×3,000"]
    found.bundles = [Bundle("message", top, bottom, 0.5, number) for number in (1, 2, 30)]
    assert len(numbers_of(found)) < 2


def test_the_legend_has_what_occurs():
    found = small()
    labels = [entry.get_label() for entry in figure_of(found).handles]
    assert labels[:3] == ["agent there", "agent busy", "critical path"]
    assert not {"wasted agent", "untrusted content", "failed"} & set(labels)
    found.wasted = {Place(1, 0)}
    found.untrusted = [[Point(Place(1, 0), 0.5), Point(Place(0, 0), 1.0)]]
    found.busy = []
    labels = [entry.get_label() for entry in figure_of(found).handles]
    assert labels[:4] == ["agent there", "wasted agent", "critical path", "untrusted content"]


def test_every_mark_of_the_overview_is_where_it_was():
    for layout, trace in (("auto", varied()), ("column", swarm(12, 2))):
        figure = figure_of(overview(run_of(trace), PAGES[layout]), layout).figure
        golden(f"traces/overview-{layout}.txt", placed(figure))
