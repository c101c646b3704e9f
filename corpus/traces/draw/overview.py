"""The layout of a run too large for marks: a bar per agent, a row per group, bundled arrows.

Positions along the axis are from 0 to 1. Every agent has a bar and every arrow between rows is in a
bundle, while rows and bundles are bounded whatever the size of the run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from corpus.traces.draw.groups import AgentGroup, grouped
from corpus.traces.draw.picture import (
    SPREAD,
    TIME,
    Heading,
    Page,
    lane_arrows,
    run_heading,
    shown_agents,
    time_name,
    untrusted_paths,
    wasted_agents,
)
from corpus.traces.draw.time_axis import TimeAxis, axis_to_scale
from corpus.traces.measures.steps import critical_path, steps
from corpus.traces.measures.timing import has_clock, intervals, merged
from corpus.traces.run import OUTSIDE, Run

STROKED = frozenset(
    (*OUTSIDE, "orchestrator_decision", "spawn", "despawn", "message", "return", "aggregate")
)
"""Event types that have a stroke of their own; calls and results are part of the bars."""
_STROKES_PER_AXIS = 1500
_NEAR = 0.012


class Place(NamedTuple):
    """Where an agent is: its row, and its position among the agents of the row."""

    row: int
    slot: int


class Bar(NamedTuple):
    """A stretch of time of one agent."""

    place: Place
    start: float
    end: float


class Stroke(NamedTuple):
    """One or more events of an agent at one position: their type, and whether one failed."""

    place: Place
    x: float
    kind: str
    failed: bool


class Bundle(NamedTuple):
    """Arrows of one kind from row to row at about one time.

    Attributes
    ----------
    kind : str
        A type of event, or of edge.
    source, target : Place
        Of the agents that it joins, those that are nearest to each other.
    x : float
        Where the first one begins.
    number : int
        How many arrows it represents.
    """

    kind: str
    source: Place
    target: Place
    x: float
    number: int


class Point(NamedTuple):
    """An event on a path."""

    place: Place
    x: float


@dataclass(slots=True)
class Overview:
    """All there is to draw.

    Attributes
    ----------
    heading : Heading
        Title, name, facts and the label of the axis.
    rows : list of AgentGroup
        The agents of each row.
    life, busy : list of Bar
        When each agent took part, one bar for each; and when it worked, as far as that is known.
    wasted : set of Place
        Spawned agents of which nothing reached the end.
    people : set of int
        Rows of people outside the team.
    strokes : list of Stroke
        Events other than calls.
    bundles : list of Bundle
        The arrows between rows, by time.
    critical : list of Point
        The critical path.
    untrusted : list of list of Point
        The paths along which untrusted content reached a trusted place.
    ticks : list of (float, str)
        Positions on the axis, and their times.
    cuts : list of (float, float)
        Where a long pause is cut short.
    """

    heading: Heading
    rows: list[AgentGroup]
    life: list[Bar]
    busy: list[Bar] = field(default_factory=list)
    wasted: set[Place] = field(default_factory=set)
    people: set[int] = field(default_factory=set)
    strokes: list[Stroke] = field(default_factory=list)
    bundles: list[Bundle] = field(default_factory=list)
    critical: list[Point] = field(default_factory=list)
    untrusted: list[list[Point]] = field(default_factory=list)
    ticks: list[tuple[float, str]] = field(default_factory=list)
    cuts: list[tuple[float, float]] = field(default_factory=list)


def overview(run: Run, page: Page, axis_kind: str = SPREAD) -> Overview:
    """Lay out a run of any size in the rows and bundles that a page has space for."""
    names, owners = shown_agents(run)
    rows = grouped(run, names, page.rows)
    ends = [run.until(event) for event in range(len(run.events))]
    axis = axis_to_scale([*run.times, *ends], linear=axis_kind == TIME)
    start, end = _lifetimes(run, names, owners, ends)
    places = _places(rows, start)
    of_event = [places[owner] for owner in owners]
    # The positions of the ends follow those of the events.
    points = [Point(place, x) for place, x in zip(of_event, axis.x, strict=False)]
    is_cut = bool(axis.cuts)
    found = Overview(run_heading(run, axis.span, stretched=False, cut=is_cut), rows, [])
    for name, place in places.items():
        bar = Bar(place, axis.along(start[name]), axis.along(end[name]))
        found.life.append(bar)
    found.busy = _busy(run, axis, places, of_event)
    wasted = wasted_agents(run)
    found.wasted = {place for name, place in places.items() if name in wasted}
    found.people = {places[name].row for name in names if name in run.outsiders}
    found.strokes = _strokes(run, points)
    arrows = _arrows(run, rows, places, points)
    found.bundles = _joined_bundles(arrows, page.bundles)
    found.critical = [points[event] for event in critical_path(run)]
    for path in untrusted_paths(run):
        found.untrusted.append([points[event] for event in path])
    clock = has_clock(run)
    for position, time in axis.round_ticks(clock):
        name = time_name(time, axis.span, clock)
        found.ticks.append((position, name))
    found.cuts = axis.cuts
    return found


def _lifetimes(
    run: Run, names: list[str], owners: list[str], ends: list[float]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return when each agent's part of the run began and ended."""
    start: dict[str, float] = {}
    end: dict[str, float] = {}
    for name, life in run.lives.items():
        start[name], end[name] = life
    for owner, time, over in zip(owners, run.times, ends, strict=True):
        start[owner] = min(start.get(owner, time), time)
        end[owner] = max(end.get(owner, over), over)
    # A tool that is all there is of a run has neither.
    for name in names:
        start.setdefault(name, run.times[0])
        end.setdefault(name, start[name])
    return start, end


def _places(rows: list[AgentGroup], start: dict[str, float]) -> dict[str, Place]:
    """Return the place of each agent; those of one row are in the order in which they began."""
    places: dict[str, Place] = {}
    for row, group in enumerate(rows):
        by_start = sorted(group.members, key=start.__getitem__)
        for slot, name in enumerate(by_start):
            places[name] = Place(row, slot)
    return places


def _busy(run: Run, axis: TimeAxis, places: dict[str, Place], of_event: list[Place]) -> list[Bar]:
    """Return when each agent worked, as one bar for work that overlaps."""
    spans: dict[Place, list[tuple[float, float]]] = {}
    weights = steps(run).weights
    for event, interval in intervals(run, weights).items():
        if interval.end > interval.start:
            place = places.get(interval.agent, of_event[event])
            start = axis.along(interval.start)
            end = axis.along(interval.end)
            spans.setdefault(place, []).append((start, end))
    bars = []
    for place, of_place in spans.items():
        # Gaps that nobody could see in print are closed, which keeps the number of bars bounded.
        for start, end in merged(of_place, 1 / _STROKES_PER_AXIS):
            bars.append(Bar(place, start, end))
    return bars


def _strokes(run: Run, points: list[Point]) -> list[Stroke]:
    """Return the events other than calls; those at one point of the axis are one stroke."""
    strokes: dict[tuple[Place, str, int], Stroke] = {}
    for event, (place, x) in enumerate(points):
        kind = run.kinds[event]
        failed = run.events[event].failed
        if kind not in STROKED and not failed:
            continue
        key = (place, kind, round(x * _STROKES_PER_AXIS))
        # Of several events at one point, a failed one is shown.
        if failed or key not in strokes:
            strokes[key] = Stroke(place, x, kind, failed)
    return list(strokes.values())


def _arrows(
    run: Run, rows: list[AgentGroup], places: dict[str, Place], points: list[Point]
) -> list[Bundle]:
    """Return every arrow between rows by itself, by time."""
    found: list[Bundle] = []
    row_of = [point.place.row for point in points]
    for arrow in lane_arrows(run, rows, row_of):
        if arrow.target >= 0:
            target = points[arrow.target].place
        else:
            receiver = str(run.events[arrow.source].to)
            target = places[receiver]
        source = points[arrow.source]
        found.append(Bundle(arrow.kind, source.place, target, source.x, 1))
    # Bundles are made in one pass, which needs the arrows by time.
    found.sort(key=lambda arrow: arrow.x)
    return found


def _joined_bundles(arrows: list[Bundle], most: int) -> list[Bundle]:
    """Join arrows of one kind between the same rows that are near each other in time.

    Where there are more than `most` bundles, arrows further apart are joined as well.
    """
    near = _NEAR
    bundles = _joined_within(arrows, near)
    # Beyond the whole axis, there is one bundle for each kind and pair of rows.
    while len(bundles) > most and near < 1:
        near *= 1.7
        bundles = _joined_within(arrows, near)
    return bundles


def _joined_within(arrows: list[Bundle], near: float) -> list[Bundle]:
    bundles: list[Bundle] = []
    latest: dict[tuple[str, int, int], int] = {}
    for arrow in arrows:
        source_row = arrow.source.row
        target_row = arrow.target.row
        key = (arrow.kind, source_row, target_row)
        number = latest.get(key)
        if number is None or arrow.x - bundles[number].x > near:
            latest[key] = len(bundles)
            bundles.append(arrow)
            continue
        known = bundles[number]
        # Downward, the nearest two agents are the last of the source and the first of the target.
        nearest = min
        farthest = max
        if source_row > target_row:
            nearest = max
            farthest = min
        bundles[number] = known._replace(
            source=farthest(known.source, arrow.source),
            target=nearest(known.target, arrow.target),
            number=known.number + 1,
        )
    return bundles
