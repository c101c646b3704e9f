"""The layout of a run without ink: page, lanes, lifetimes, marks and arrows, for every picture."""

import math
import sys
from dataclasses import dataclass, replace
from itertools import chain, compress
from typing import NamedTuple

from msgspec import UNSET

from corpus.printing.grid import plural
from corpus.printing.numerals import number
from corpus.traces.draw.ink import LOOKS, clock, clock_unit, plain
from corpus.traces.draw.lanes import Lane, lanes_of, rows_by_name
from corpus.traces.draw.time_axis import axis_to_scale, stretched_axis
from corpus.traces.measures.decisions import labels, stop_kind
from corpus.traces.measures.steps import critical_path, steps
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.run import Run

SMALLEST_TEXT = 6.0
"""Points; smaller text cannot be read in print."""


@dataclass(frozen=True)
class Page:
    """Size of a figure and of what is on it, in inches.

    Attributes
    ----------
    width, height : float
        The size; 0 where it follows from the run.
    tallest : float
        Height that lanes shrink for.
    scale : float
        Size of type and symbols beside those of a page that follows from the run.
    label : float
        Width of the longest name left of a lane.
    rows : int
        Lanes that fit; where there are more agents, some share a lane.
    bundles : int
        Bundles of arrows that fit beside each other, where events crowd.
    lane : float
        Height of a lane, where all fit.
    """

    width: float
    height: float
    tallest: float
    scale: float
    label: float
    rows: int
    bundles: int
    lane: float

    def text(self, points: float) -> float:
        """Return a type size on this page, never too small to be read."""
        return max(points * self.scale, SMALLEST_TEXT)


PAGES = {name: Page(**sizes) for name, sizes in LOOKS["pages"].items()}
"""The layouts by name."""
LAYOUTS = tuple(PAGES)


LANES = 20
"""Where there are more agents, those of one role, depth and spawner share a lane."""
EVERYONE = sys.maxsize
"""Lanes of a picture in which no agents share one."""
_SENDING = frozenset(("spawn", "message", "return", "despawn"))


class EventMark(NamedTuple):
    """One event: its lane and position, its type, the badge, whether it was inferred or failed."""

    lane: int
    x: float
    kind: str
    badge: str
    inferred: bool
    failed: bool


class Arrow(NamedTuple):
    """One edge between two lanes, or from a lane to the one that its event names.

    `target` is -1 where no event is known.
    """

    source: int
    target: int
    lane: int
    kind: str
    inferred: bool


class BusySpan(NamedTuple):
    """A stretch of one lane: a tool call until its result, or an event with an end."""

    lane: int
    start: float
    end: float
    label: str = ""


class Picture:
    """All there is to draw of one run, in at most `most` lanes.

    Parameters
    ----------
    run : Run
        The run.
    most : int
        Lanes that there may be.
    crowded : bool
        Whether events may coincide: time is to scale. Else it is stretched where they crowd.

    Attributes
    ----------
    edges : list of (str, int, int, bool)
        Type, source and target of each edge, in the order of the trace, and whether it was
        inferred: it is marked so at its target, or its source was.
    axis : TimeAxis
        Where times are, and which long pauses are cut short.
    axis_label : str
        What the time axis shows.
    ticks : list of (float, str)
        Positions on the axis, and their times.
    lanes, marks, arrows, work
        The rows; one mark per event, in the order of the trace; arrows; busy stretches.
    critical : list of int
        The critical path, as events.
    untrusted : list of list of int
        The paths along which untrusted content reached a trusted place.
    title, name, facts : str
        Topology and system; id of the trace; its numbers in a line.
    """

    def __init__(self, run: Run, most: int = LANES, crowded: bool = False) -> None:
        self.run = run
        self.crowded = crowded
        self.edges = []
        for edge, source, target in zip(run.trace.edges, *run.ends, strict=True):
            first = run.events[source]
            marked = run.events[target].infers(f"edge:{first.id}")
            self.edges.append((edge.type, source, target, first.x_inferred is True or marked))
        lanes, lane_of = lanes_of(run, most)
        if crowded:
            ends = map(run.until, range(len(run.events)))
            axis = axis_to_scale([*run.times, *ends], len(run.times))
        else:
            axis = stretched_axis(run.times, lane_of, run.graph.order, run.graph.edges())
        self.axis = axis
        # The axis begins with the first event; the run may go on after the last one.
        span = run.finish - axis.moments[0]
        self.axis_label = "turn (the source has no clock)"
        if run.has_clock:
            self.axis_label = f"time [{clock_unit(span)}]"
            if axis.stretched:
                self.axis_label += ", stretched where events crowd"
        if axis.cuts:
            self.axis_label += ", long pauses cut (//)"
        self.ticks = []
        for x, time in zip(axis.positions, axis.moments, strict=True):
            name = clock(time, span) if run.has_clock else f"{time:g}"
            self.ticks.append((x, name))
        self.marks = self._marked(lane_of)
        self.work = self._busy_spans()
        self.arrows = self._arrows(rows_by_name(lanes))
        self.lanes = self._lived(lanes)
        self.critical = critical_path(run)
        self.untrusted = _untrusted_paths(run)
        self.title = str(run.trace.topology or "unknown").replace("_", " ")
        if run.trace.system:
            self.title += f" · {plain(run.trace.system, 200)}"
        self.name = plain(run.id, 48)
        self.facts = _facts(run, span)

    @property
    def width(self) -> float:
        """The last position on the axis at which something happens."""
        return max(*self.axis.x, *(span.end for span in self.work), 0.0)

    def _marked(self, lane_of: list[int]) -> list[EventMark]:
        # At events are written all decisions but that one agent ends its work.
        decisions: dict[int, list[str]] = {}
        for label in labels(self.run):
            if label.scope != "local":
                decisions.setdefault(label.event, []).append(label.decision)
        marks = []
        for place, (event, lane) in enumerate(zip(self.run.events, lane_of, strict=True)):
            badge = " ".join(decisions.get(place, ()))
            inferred = event.infers("type") or event.infers("event")
            x = self.axis.x[place]
            marks.append(EventMark(lane, x, event.type, badge, inferred, event.failed))
        return marks

    def _busy_spans(self) -> list[BusySpan]:
        """Return the stretches in which a lane was busy; a call without a result has no length."""
        run, marks, along = self.run, self.marks, self.axis.along
        found = []
        # A call without a result is shown with its tool, but nobody knows how long it took.
        open_calls = zip(run.pairs.open_calls, run.pairs.open_calls, strict=True)
        for call, result in chain(sorted(run.pairs.answers.items()), open_calls):
            lane = marks[call].lane
            if lane == marks[result].lane:
                tool = plain(run.events[call].tool or "", 24)
                found.append(BusySpan(lane, marks[call].x, marks[result].x, tool))
        for event, mark in zip(run.events, marks, strict=True):
            if event.x_end is not UNSET and event.x_end > event.t:
                found.append(BusySpan(mark.lane, mark.x, along(event.x_end)))
            # All acts of one step state its times; one of them counts it.
            counts = event.x_steps is not UNSET
            if counts and event.x_step_t is not UNSET and event.x_step_end is not UNSET:
                start, end = along(event.x_step_t), along(event.x_step_end)
                found.append(BusySpan(mark.lane, start, end))
        return found

    def _arrows(self, rows: dict[str, int]) -> list[Arrow]:
        """Return the edges that cross lanes, and what was sent to a lane where no edge shows it."""
        # One arrow from an event to a lane, however many events of it follow from the event.
        arrows: dict[tuple[int, int], Arrow] = {}

        def add(arrow: Arrow) -> None:
            # Within a lane, the order of the marks shows what an arrow would.
            if arrow.lane != self.marks[arrow.source].lane:
                arrows.setdefault((arrow.source, arrow.lane), arrow)

        for edge, source, target, inferred in self.edges:
            kind: str = self.run.kinds[source]
            if kind not in _SENDING:
                kind = edge
            add(Arrow(source, target, self.marks[target].lane, kind, inferred))
        # After the edges: where one of them shows what was sent, the event adds no second arrow.
        for place, event in enumerate(self.run.events):
            if event.to is not UNSET and event.to in rows and event.type in _SENDING:
                add(Arrow(place, -1, rows[event.to], event.type, event.infers("to")))
        return list(arrows.values())

    def _lived(self, lanes: list[Lane]) -> list[Lane]:
        """Return the lanes, each from the first event in it or arrow to it until the last.

        Marks, spans, arrows and spawns are read once: a run may have as many agents as events.
        """
        run = self.run
        positions: list[list[float]] = [[] for _ in lanes]
        for mark in self.marks:
            positions[mark.lane].append(mark.x)
        for span in self.work:
            positions[span.lane] += [span.start, span.end]
        for arrow in self.arrows:
            positions[arrow.lane].append(self.marks[arrow.source].x)
        # Spawned agents of which no event has a path to the end of the run.
        wasted = {event.to for event in run.of_kind("spawn")}
        wasted.difference_update(compress(run.actors, run.useful))
        lived = []
        for lane, xs in zip(lanes, positions, strict=True):
            of_lane = len(wasted.intersection(lane.members))
            lived.append(replace(lane, start=min(xs), end=max(xs), wasted=of_lane))
        return lived


def _untrusted_paths(run: Run) -> list[list[int]]:
    """Return the way of untrusted content to each place it reached, from its first source."""
    flow = untrusted_flow(run)
    sources: dict[int, int] = {}
    for source, target in run.graph.edges():
        if run.events[source].trusted is False:
            sources.setdefault(target, source)
    paths = []
    for event in flow.reached:
        path = flow.path(event)[::-1]
        while path[-1] in sources:
            path.append(sources[path[-1]])
        paths.append(path[::-1])
    return paths


def _facts(run: Run, span: float) -> str:
    """Return the numbers of a run in a line."""
    facts = [plural(len(run.agents), "agent"), plural(len(run.events), "event")]
    counted = steps(run)
    # Of agents outside the spawn tree, PARL knows no critical steps.
    if counted.critical is not None and 0 < counted.total < math.inf:
        critical = number(counted.critical)
        facts.append(f"critical steps {critical} of {number(counted.total)}")
    tokens = run.trace.costs["tokens"]
    if tokens:
        facts.append(f"{number(tokens)} tokens")
    if run.has_clock:
        time = clock(span, span)
        unit = clock_unit(span)
        # clock() names milliseconds itself.
        if not time.endswith(unit):
            time = f"{time} {unit}"
        facts.append(time)
    facts.append(f"stop: {stop_kind(run)}")
    return ", ".join(facts)
