"""The overview as a figure: bars, strokes, arrows and numbers, each where it belongs."""

from itertools import combinations, pairwise

import pytest
from matplotlib.collections import LineCollection

from corpus.traces.draw import LAYOUTS
from corpus.traces.draw.figure import TextBox, trace_style
from corpus.traces.draw.ink import RED, SYMBOLS
from corpus.traces.draw.overview import Bar, Bundle, Overview, Place, Point, Stroke, overview
from corpus.traces.draw.overview_figure import LEAST_PITCH, OverviewFigure, _DrawnArrow, profile
from corpus.traces.draw.page import PAGES
from tests.support.golden import golden
from tests.support.large_traces import swarm, varied
from tests.support.made_traces import pair, run_of
from tests.support.placed import placed

NOWHERE = Place(0, 0)


def small() -> Overview:
    """The overview of the pair: three rows, for lead, ann and bob."""
    return overview(run_of(pair()), PAGES["auto"])


def figure_of(found: Overview, layout: str = "auto") -> OverviewFigure:
    """The figure of an overview, drawn."""
    with trace_style():
        figure = OverviewFigure(found, PAGES[layout])
        figure.draw()
    return figure


@pytest.mark.parametrize(
    ("stretches", "positions", "numbers"),
    [
        ([], [0], [0]),
        ([(0, 0.5)], [0, 0.5], [1, 0]),
        ([(0.25, 0.75), (0.5, 1)], [0, 0.25, 0.5, 0.75, 1], [0, 1, 2, 1, 0]),
        # One ends where another begins: there is one all the time.
        ([(0, 0.5), (0.5, 1)], [0, 0.5, 1], [1, 1, 0]),
        ([(0, 1), (0, 1)], [0, 1], [2, 0]),
    ],
)
def test_a_profile_counts_the_bars_from_each_position_on(stretches, positions, numbers):
    assert profile(Bar(NOWHERE, *ends) for ends in stretches) == (positions, numbers)


def test_a_bar_of_one_moment_is_counted():
    positions, numbers = profile([Bar(NOWHERE, 0.5, 0.5)])
    assert numbers == [0, 1, 0]
    assert 0.5 < positions[2] < 0.51


def test_an_arrow_crosses_what_it_runs_through_in_either_direction():
    bundle = Bundle("message", NOWHERE, Place(1, 0), 0.5, 2)
    box = TextBox(left=1, right=2, top=1, bottom=2)
    assert _DrawnArrow(bundle, 1.5, 0, 3).crosses(box)
    assert _DrawnArrow(bundle, 1.5, 3, 0).crosses(box)
    assert not _DrawnArrow(bundle, 1.5, 2, 3).crosses(box)
    assert not _DrawnArrow(bundle, 1.5, 0, 1).crosses(box)
    assert not _DrawnArrow(bundle, 2.5, 0, 3).crosses(box)


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
    assert stretches[-1][1] <= sum(figure.heights) + 1e-9


def test_a_group_without_space_for_bars_is_a_profile():
    found = overview(run_of(swarm(300)), PAGES["column"])
    figure = figure_of(found, "column")
    thin = [row for row, pitch in enumerate(figure.pitches) if pitch < LEAST_PITCH]
    assert thin
    assert all(found.rows[row].many for row in thin)
    life = [one for one in figure.axes.collections if one.get_gid() == "life"]
    bars = sum(len(one.get_paths()) for one in life)
    assert bars == sum(bar.place.row not in thin for bar in found.life)


def strokes_of(figure: OverviewFigure) -> dict[str, int]:
    """How many strokes there are of each colour."""
    found = {}
    for lines in figure.axes.collections:
        if isinstance(lines, LineCollection):
            red, green, blue, _ = lines.get_color()[0]
            colour = f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
            found[colour] = len(lines.get_segments())
    return found


def test_strokes_have_the_colour_of_their_type_and_failures_are_red():
    found = small()
    found.strokes = [
        Stroke(Place(0, 0), 0.1, "message", failed=False),
        Stroke(Place(1, 0), 0.1, "message", failed=False),
        Stroke(Place(0, 0), 0.2, "spawn", failed=False),
        Stroke(Place(0, 0), 0.3, "spawn", failed=True),
    ]
    figure = figure_of(found)
    message = SYMBOLS["message"].colour
    assert strokes_of(figure) == {message: 2, SYMBOLS["spawn"].colour: 1, RED: 1}
    labels = [entry.get_label() for entry in figure.handles]
    assert [label for label in labels if label in ("failed", "message", "spawn", "return")] == [
        "failed",
        "spawn",
        "message",
    ]


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


def test_a_path_turns_at_its_effect_and_never_behind_it():
    found = small()
    found.critical = [Point(Place(0, 0), 0.2), Point(Place(1, 0), 0.6), Point(Place(0, 0), 0.5)]
    found.untrusted = []
    figure = figure_of(found)
    path = figure.axes.lines[0]
    upper = figure.heights[0] / 2
    lower = figure.heights[0] + figure.heights[1] / 2
    assert list(path.get_xdata()) == [0.2, 0.2, 0.6, 0.6, 0.5, 0.5]
    assert list(path.get_ydata()) == pytest.approx([upper, lower, lower, lower, upper, upper])


def numbers_of(found: Overview) -> list[str]:
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


def test_an_arrow_that_would_lie_on_another_one_is_moved_and_stays_on_the_page():
    figure = figure_of(small())
    bundle = Bundle("message", Place(0, 0), Place(2, 0), 0.0, 1)
    drawn: list[_DrawnArrow] = []
    for _ in range(3):
        wanted = _DrawnArrow(bundle, 0.0, 0.2, 1.0)
        drawn.append(wanted._replace(x=figure._free_x(wanted, drawn)))
    assert [one.x for one in drawn] == pytest.approx([0, 0.055, 0.11])
    above = _DrawnArrow(bundle, 0.0, 0.0, 0.2)
    assert figure._free_x(above, drawn) == 0


def test_an_arrow_joins_the_nearer_edges_of_two_bars():
    figure = figure_of(small())
    upper, lower = figure._edge(Place(0, 0), True), figure._edge(Place(1, 0), False)
    assert 0 < upper < figure.heights[0] < lower < sum(figure.heights[:2])
    assert upper > figure.heights[0] / 2


def test_a_page_of_fixed_height_is_filled_but_not_stretched_beyond_measure():
    figure = figure_of(small(), "wide")
    assert figure.height == PAGES["wide"].height
    free = figure_of(small(), "auto")
    ratio = sum(figure.heights) / sum(free.heights)
    assert 1 < ratio <= 3 * PAGES["wide"].scale + 1e-9


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
