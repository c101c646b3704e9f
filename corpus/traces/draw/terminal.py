"""A run as text of at most 100 columns: a lane an agent, a line an event, time downward."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET

from corpus.traces.draw.ink import SIGNS
from corpus.traces.draw.picture import Arrow, Picture
from corpus.traces.draw.wording import plain
from corpus.traces.run import Run

WIDTH: Final = 100
NAME: Final = 24


def swimlane_text(run: Run, picture: Picture) -> str:
    """Return the swimlane: a head that names the lanes, then one line an event.

    The letter of an event stands in the lane of its agent; ``#`` marks the critical path, ``!`` untrusted content.
    """
    order = sorted(range(len(picture.marks)), key=lambda event: (picture.marks[event].x, picture.marks[event].lane))
    times = _times(picture)
    clock = max([len(name) for name in times.values()], default=1)
    lines = [*_head(picture), ""]
    arrows: dict[int, list[Arrow]] = {}
    for arrow in picture.arrows:
        arrows.setdefault(arrow.source, []).append(arrow)
    critical = set(picture.critical)
    tainted = {event for path in picture.tainted for event in path}
    before = ""
    for event in order:
        time = times.get(picture.marks[event].x, before)
        cells = _cells(picture, event, arrows.get(event, []))
        sign = "!" if event in tainted else "#" if event in critical else " "
        line = f"{time if time != before else '':>{clock}} {sign} {cells}  {_words(run, picture, event)}"
        lines.append(line[:WIDTH].rstrip())
        before = time
    return "\n".join([*lines, "", *_foot(picture)]) + "\n"


def event_list_text(run: Run, picture: Picture) -> str:
    """Return the event graph: one line an event with the ids it depends on; ``~`` marks an inferred edge."""
    from corpus.traces.draw.picture import doubtful

    causes: dict[int, list[str]] = {}
    for edge, source, target in zip(run.trace.edges, *run.ends, strict=True):
        guess = "~" if doubtful(run, source, target) else ""
        causes.setdefault(target, []).append(f"{guess}{plain(run.events[source].id, 20)} ({edge.type})")
    critical = set(picture.critical)
    lines = [*_heading(picture), ""]
    for event in run.graph.order:
        sign = "#" if event in critical else " "
        name = plain(run.events[event].id, 20)
        line = f"{sign} {name:<20} {_words(run, picture, event)}"
        lines.append(line[:WIDTH].rstrip())
        for cause in causes.get(event, []):
            lines.append(f"{'':24}<- {cause}"[:WIDTH])
    return "\n".join(lines) + "\n"


def _heading(picture: Picture) -> list[str]:
    """Return title, name and facts; the facts have a line of their own where they would be cut."""
    told = f"{picture.name}: {picture.facts}"
    return [plain(picture.title, WIDTH), *([told] if len(told) <= WIDTH else [f"{picture.name}:", picture.facts])]


def _head(picture: Picture) -> list[str]:
    lines = [*_heading(picture), ""]
    for row, lane in enumerate(picture.lanes):
        role = f" ({lane.role})" if lane.role else ""
        note = "  wasted" if lane.wasted else "  outside the team" if lane.person else ""
        name = "  " * min(lane.depth, 6) + lane.name + role
        lines.append(f"{row + 1:>3}  {name}{note}"[:WIDTH])
    return lines


def _times(picture: Picture) -> dict[float, str]:
    return dict(picture.ticks)


def _cells(picture: Picture, event: int, arrows: list[Arrow]) -> str:
    """Draw one line of lanes: the event, the lanes that live, and the way of its arrows."""
    mark = picture.marks[event]
    ends = [arrow.lane for arrow in arrows]
    low, high = min([mark.lane, *ends]), max([mark.lane, *ends])
    cells = []
    for row, lane in enumerate(picture.lanes):
        alive = lane.start <= mark.x <= lane.end
        if row == mark.lane:
            sign = SIGNS[mark.kind].letter
        elif row in ends:
            sign = ">" if row > mark.lane else "<"
        elif low < row < high:
            sign = "+" if alive else "-"
        else:
            sign = ("/" if lane.wasted else "|") if alive else " "
        cells.append(sign + ("-" if low <= row < high else " "))
    return "".join(cells)


def _words(run: Run, picture: Picture, event: int) -> str:
    """Say what happened: who, what, to whom, which tool, which decisions."""
    one, mark = run.events[event], picture.marks[event]
    parts = [plain(one.agent, NAME), SIGNS[mark.kind].name]
    if one.tool is not UNSET:
        parts.append(plain(one.tool, NAME))
    if one.to is not UNSET and one.to != one.agent:
        parts.append(f"-> {plain(one.to, NAME)}")
    notes = [note for note, given in (("failed", mark.failed), ("inferred", mark.inferred)) if given]
    if mark.badge:
        notes.append(mark.badge)
    return " ".join(parts) + (f" [{', '.join(notes)}]" if notes else "")


def _foot(picture: Picture) -> list[str]:
    kinds = {mark.kind for mark in picture.marks}
    letters = ", ".join(f"{sign.letter} {sign.name}" for kind, sign in SIGNS.items() if kind in kinds)
    return [letters[:WIDTH], "# critical path" + (", ! untrusted content" if picture.tainted else "")]
