"""A run as a swimlane picture without ink: lanes, lifetimes, marks and arrows, the same for every way to draw them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from msgspec import UNSET

from corpus.traces.draw.scale import Scale, scale
from corpus.traces.draw.wording import amount, clock, clock_unit, plain
from corpus.traces.measures.decisions import labels, stop_kind
from corpus.traces.measures.steps import steps
from corpus.traces.measures.untrusted_flow import taint
from corpus.traces.run import Run

LANES: Final = 20
"""More agents than this are folded into one lane."""
BADGED: Final = frozenset(("orchestrator_decision", "aggregate"))
"""Event types whose decisions O1 to O5 are written at the mark; the end of the run has its badge too."""
_SENDING: Final = frozenset(("spawn", "message", "return", "despawn"))


class Lane(NamedTuple):
    """One row.

    Attributes
    ----------
    name, role : str
        The agent; for a folded lane, how many it holds.
    depth : int
        Spawns above it.
    start, end : float
        Its lifetime along the axis.
    person, wasted, folded : bool
        Somebody outside the team; nothing it did reached the end; several agents in one lane.
    """

    name: str
    role: str
    depth: int
    start: float
    end: float
    person: bool = False
    wasted: bool = False
    folded: bool = False


class EventMark(NamedTuple):
    """One event: its place, its type, the badge, whether it was inferred, whether it failed."""

    lane: int
    x: float
    kind: str
    badge: str = ""
    inferred: bool = False
    failed: bool = False


class Arrow(NamedTuple):
    """One edge between two lanes, or from a lane to the one its event names; `target` is -1 where no event is known."""

    source: int
    target: int
    lane: int
    kind: str
    inferred: bool = False


class BusySpan(NamedTuple):
    """A stretch of one lane: a tool call until its result, or an event with an end."""

    lane: int
    start: float
    end: float
    label: str


@dataclass(slots=True)
class Picture:
    """All there is to draw of one run.

    Attributes
    ----------
    title, name, facts, axis : str
        Topology and system; id of the trace; its numbers in a line; label of the time axis.
    marks : list of EventMark
        One an event, in the order of the trace.
    critical, tainted : list of list of int
        Paths of events.
    """

    title: str
    name: str
    facts: str
    axis: str
    lanes: list[Lane] = field(default_factory=list)
    marks: list[EventMark] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    work: list[BusySpan] = field(default_factory=list)
    critical: list[int] = field(default_factory=list)
    tainted: list[list[int]] = field(default_factory=list)
    ticks: list[tuple[float, str]] = field(default_factory=list)
    cuts: list[tuple[float, float]] = field(default_factory=list)
    width: float = 0.0


def picture(run: Run) -> Picture:
    """Lay out a run."""
    rows, lane_of = lanes_of(run)
    graph = run.graph
    axis = scale(run.times, lane_of, graph.order, list(zip(graph.sources, graph.targets, strict=True)))
    found = Picture(*_heading(run, axis))
    found.width = max([axis.width, *(axis.along(event.x_end) for event in run.events if event.x_end is not UNSET)])
    found.cuts = axis.cuts
    found.critical = critical_path(run)
    spread = taint(run)
    found.tainted = [_from_source(run, spread.path(event)) for event in spread.reached] if spread is not None else []
    badges = _badges(run)
    found.marks = [
        EventMark(
            lane_of[i],
            axis.x[i],
            run.kinds[i],
            badges.get(i, ""),
            _inferred(run, i),
            run.events[i].x_error not in (UNSET, None, False),
        )
        for i in range(len(run.events))
    ]
    found.arrows = _arrows(run, rows, lane_of)
    found.work = _work(run, axis, lane_of)
    found.lanes = [_lane(run, found, row, names) for row, names in enumerate(rows)]
    span = axis.ticks[-1][1] - axis.ticks[0][1]
    clocked = _has_clock(run)
    found.ticks = [(x, clock(t, span) if clocked else f"{t:g}") for x, t in axis.ticks]
    return found


def lanes_of(run: Run) -> tuple[list[list[str]], list[int]]:
    """Return the agents of each lane, people first, then the spawn tree; and the lane of each event.

    A tool that answers stands in the lane of its caller.
    """
    people = [name for name in run.first if name in run.outsiders and name not in run.agents]
    people.sort(key=lambda name: run.graph.rank[run.first[name]])
    answerers = {run.actors[result]: run.actors[call] for call, result in run.pairs.answers.items()}
    strays = [tool for tool in sorted(run.tools) if answerers.get(tool, tool) in run.tools]
    names = list(dict.fromkeys([*people, *run.agents, *strays]))
    rows = [[name] for name in names]
    if len(names) > LANES:
        kept = _kept(run, names)
        rows = [[name] for name in names if name in kept] + [[name for name in names if name not in kept]]
    lane = {name: row for row, members in enumerate(rows) for name in members}
    called = {result: run.actors[call] for call, result in run.pairs.answers.items()}
    of_event = []
    for place, actor in enumerate(run.actors):
        name = called.get(place, answerers.get(actor, actor)) if actor in run.tools else actor
        of_event.append(lane[name])
    return rows, of_event


def _kept(run: Run, names: list[str]) -> set[str]:
    """Choose the agents with a lane of their own: those on the critical path, then the first ones."""
    critical = {run.actors[event] for event in critical_path(run)}
    ranked = sorted(names, key=lambda name: name not in critical)  # in which equal ones keep their order
    return set(ranked[: LANES - 1])


def critical_path(run: Run) -> list[int]:
    """Return the path of the most model steps; of equal ones that of the causes which came last."""
    weights = steps(run).weights
    best = list(weights)
    before = [-1] * len(best)
    for source, target in zip(run.graph.sources, run.graph.targets, strict=True):
        reached = best[source] + weights[target]
        known = before[target]
        if reached > best[target] or (
            reached == best[target] and (known < 0 or run.times[source] > run.times[known]) and best[source] > 0
        ):
            best[target], before[target] = reached, source
    event = max(run.graph.order, key=best.__getitem__)
    path = [event]
    while before[path[-1]] >= 0:
        path.append(before[path[-1]])
    return path[::-1]


def _from_source(run: Run, path: list[int]) -> list[int]:
    """Lead a path of untrusted content back over the untrusted events before it."""
    causes: dict[int, int] = {}
    for source, target in zip(run.graph.sources, run.graph.targets, strict=True):
        if run.events[source].trusted is False:
            causes.setdefault(target, source)
    path = path[::-1]
    while path[-1] in causes:
        path.append(causes[path[-1]])
    return path[::-1]


def _lane(run: Run, found: Picture, row: int, names: list[str]) -> Lane:
    """Return one row; it begins with the first event in it or arrow to it, and ends with the last."""
    if len(names) > 1:
        return Lane(f"{len(names)} more agents", "", 0, 0.0, found.width, folded=True)
    name = names[0]
    mine = [mark.x for mark in found.marks if mark.lane == row]
    mine += [work.end for work in found.work if work.lane == row]
    mine += [found.marks[arrow.source].x for arrow in found.arrows if arrow.lane == row]
    born = [i for i in run.spawns if run.events[i].to == name]
    role = next((run.events[i].role for i in born), UNSET)
    wasted = bool(born) and not any(
        used for used, actor in zip(run.useful, run.actors, strict=True) if used and actor == name
    )
    return Lane(
        name=plain(name, 40),
        role=plain(role, 22) if isinstance(role, str) and not name.startswith(role) else "",
        depth=run.depths.get(name, 0),
        start=min(mine, default=0.0),
        end=max(mine, default=0.0),
        person=name in run.outsiders,
        wasted=wasted,
    )


def _badges(run: Run) -> dict[int, str]:
    found: dict[int, list[str]] = {}
    for label in labels(run):
        if run.kinds[label.event] in BADGED or label.event == run.end:
            found.setdefault(label.event, []).append(label.decision)
    return {event: " ".join(sorted(set(names))) for event, names in found.items()}


def _inferred(run: Run, event: int) -> bool:
    marks = run.events[event].x_inferred
    return marks is True or (isinstance(marks, list) and bool({"type", "event"}.intersection(marks)))


def doubtful(run: Run, source: int, target: int) -> bool:
    """Whether an edge was inferred: named so at its target, or one of its ends was."""
    events = run.events
    if events[source].x_inferred is True or events[target].x_inferred is True:
        return True
    marks = events[target].x_inferred
    return isinstance(marks, list) and f"edge:{events[source].id}" in marks


def _arrows(run: Run, rows: list[list[str]], lane_of: list[int]) -> list[Arrow]:
    """Return the edges that cross lanes, and spawns and sendings to a lane where no edge says so."""
    arrows: dict[tuple[int, int], Arrow] = {}
    for edge, source, target in zip(run.trace.edges, *run.ends, strict=True):
        if lane_of[source] != lane_of[target]:
            key = (source, lane_of[target])
            kind = run.kinds[source] if run.kinds[source] in _SENDING else edge.type
            arrows.setdefault(key, Arrow(source, target, lane_of[target], kind, doubtful(run, source, target)))
    lane = {name: row for row, members in enumerate(rows) for name in members}
    for place, event in enumerate(run.events):
        if event.to is not UNSET and event.type in _SENDING:
            row = lane.get(event.to, lane_of[place])
            if row != lane_of[place]:
                marks = event.x_inferred
                doubt = marks is True or (isinstance(marks, list) and "to" in marks)
                arrows.setdefault((place, row), Arrow(place, -1, row, event.type, doubt))
    return list(arrows.values())


def _work(run: Run, axis: Scale, lane_of: list[int]) -> list[BusySpan]:
    found = []
    for call, result in sorted(run.pairs.answers.items()):
        tool = run.events[call].tool
        label = plain(tool, 24) if tool is not UNSET else ""
        if lane_of[call] == lane_of[result]:
            found.append(BusySpan(lane_of[call], axis.x[call], axis.x[result], label))
    for place, event in enumerate(run.events):
        if event.x_end is not UNSET and event.x_end > event.t:
            found.append(BusySpan(lane_of[place], axis.x[place], axis.along(event.x_end), ""))
    for call in run.pairs.open_calls:
        tool = run.events[call].tool
        found.append(BusySpan(lane_of[call], axis.x[call], axis.x[call], plain(tool, 24) if tool is not UNSET else ""))
    return found


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s'[: number != 1]}"


def _has_clock(run: Run) -> bool:
    return any(
        not (isinstance(e.x_inferred, list) and "t" in e.x_inferred) and e.x_inferred is not True for e in run.events
    )


def _heading(run: Run, axis: Scale) -> tuple[str, str, str, str]:
    """Return title, name of the trace, facts and the label of the axis."""
    trace = run.trace
    topology = trace.topology if trace.topology is not UNSET else "unknown"
    system = f" · {plain(trace.system, 90)}" if trace.system is not UNSET and trace.system else ""
    counted = steps(run)
    span = run.finish - axis.ticks[0][1]
    facts = [_counted(len(run.agents), "agent"), _counted(len(run.events), "event")]
    if counted.critical is not None and 0 < counted.total < math.inf:
        facts.append(f"critical steps {amount(counted.critical)} of {amount(counted.total)}")
    if trace.costs["tokens"]:
        facts.append(f"{amount(trace.costs['tokens'])} tokens")
    if _has_clock(run):
        facts.append(f"{clock(span, span)} {clock_unit(span)}".replace(" ms ms", " ms"))
        axis_label = f"time [{clock_unit(span)}]" + ("" if axis.true else ", stretched where events crowd")
    else:
        axis_label = "turn (the source has no clock)"
    if axis.cuts:
        axis_label += ", long pauses cut (//)"
    facts.append(f"stop: {stop_kind(run)}")
    return f"{topology}{system}", plain(trace.trace_id, 48), ", ".join(facts), axis_label
