"""One run as the viewer's script reads it: lanes, events, arrows and paths as plain values.

Nothing is measured here. Positions come from :mod:`corpus.traces.draw.picture`, what is wasted,
untrusted, critical or a decision from the measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from corpus.traces.draw.ink import ARROWS, GREY, SYMBOLS
from corpus.traces.draw.picture import Picture, lanes_of, picture, run_edges
from corpus.traces.draw.wording import clock
from corpus.traces.measures.decisions import DECISIONS, RULES, labels
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.reading.pointer_lines import LARGEST, locate
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run
from corpus.traces.view.texts import short, value_text

FLAGS: Final = {
    "critical": 1,
    "decision": 2,
    "wasted": 4,
    "untrusted": 8,
    "failed": 16,
    "inferred": 32,
    "end": 64,
}
"""What can be true of an event, one bit each; ``untrusted`` means on a path to a trusted place."""
SHOWN_ELSEWHERE: Final = frozenset(("id", "t", "type", "agent"))
"""Keys of an event that the viewer's heading and list show."""


class RunText(NamedTuple):
    """A run and the text it was read from, which has the keys that the model does not keep."""

    document: TraceText
    run: Run


def vocabulary() -> dict[str, Any]:
    """Return what is the same for every run: event types with their looks, decisions, flags."""
    types = []
    for kind, symbol in SYMBOLS.items():
        looks = {"id": kind, "name": symbol.name, "shape": symbol.marker, "colour": symbol.colour}
        types.append(looks)
    return {
        "types": types,
        "arrows": ARROWS,
        "otherArrow": GREY,
        "decisions": DECISIONS,
        "rules": RULES,
        "flags": FLAGS,
    }


def run_data(source: RunText) -> dict[str, Any]:
    """Return everything that the viewer shows of one run, as plain values.

    Lists that end in the same number of members as ``ids`` have one member per event, in the order
    of the trace; other numbers of events are positions in that order.
    """
    document, run = source
    members = len(run.first) + len(run.agents)
    drawn = picture(run, most=members)
    rows, _ = lanes_of(run, most=members)
    names = list(dict.fromkeys(run.actors))
    number_of_name = {name: number for number, name in enumerate(names)}
    kinds = {kind: number for number, kind in enumerate(SYMBOLS)}
    span = run.finish - min(run.times)
    return {
        "name": drawn.name,
        "title": drawn.title,
        "facts": drawn.facts,
        "axis": drawn.axis,
        "file": short(document.file),
        "about": _about(run),
        "lanes": _lanes(run, drawn, rows),
        "names": [short(name) for name in names],
        "ids": [short(event.id) for event in run.events],
        "agents": [number_of_name[name] for name in run.actors],
        "types": [kinds[kind] for kind in run.kinds],
        "lane": [mark.lane for mark in drawn.marks],
        "x": [round(mark.x, 3) for mark in drawn.marks],
        "times": [clock(time, span) for time in run.times],
        "flags": _flags(run, drawn),
        "subjects": [_subject(run, place) for place in range(len(run.events))],
        "keys": _keys(document),
        "places": _places(document, len(run.events)),
        "decisions": _decisions(run),
        "origins": _origins(run),
        "order": list(run.graph.order),
        "edges": [list(edge) for edge in run_edges(run)],
        "arrows": [list(arrow) for arrow in drawn.arrows],
        "work": [[span.lane, round(span.start, 3), round(span.end, 3)] for span in drawn.work],
        "critical": drawn.critical,
        "untrusted": drawn.untrusted,
        "ticks": [[round(x, 3), text] for x, text in drawn.ticks],
        "cuts": drawn.cuts,
        "width": drawn.width,
    }


def _about(run: Run) -> list[tuple[str, str]]:
    """Return what the trace states about the whole run: label and text."""
    trace = run.trace
    about = [("Trace", short(trace.trace_id)), ("Task", short(trace.task_id))]
    if trace.system is not UNSET:
        about.append(("System", short(trace.system)))
    tables: dict[str, Mapping[str, float]] = {"Reward": trace.rewards, "Cost": trace.costs}
    if trace.metrics is not UNSET:
        tables["Metric"] = trace.metrics
    for label, table in tables.items():
        for name, value in table.items():
            about.append((f"{label}: {short(name)}", value_text(value)))
    recorded = run.events[0].x_run
    if recorded is not UNSET:
        about.append(("Recorded", value_text(recorded)))
    return about


def _lanes(run: Run, drawn: Picture, rows: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Return the lanes with the lane of each agent's spawner, -1 where it has none."""
    lane_of_name = {names[0]: number for number, names in enumerate(rows)}
    lanes: list[dict[str, Any]] = []
    for lane, names in zip(drawn.lanes, rows, strict=True):
        parent = lane_of_name.get(run.parents.get(names[0], ""), -1)
        # Agents that spawned each other in a circle have no root; the later one is shown as one.
        if parent >= len(lanes):
            parent = -1
        found = {
            "name": lane.name,
            "role": lane.role,
            "parent": parent,
            "start": round(lane.start, 3),
            "end": round(lane.end, 3),
            "person": lane.person,
            "wasted": lane.wasted,
        }
        lanes.append(found)
    return lanes


def _flags(run: Run, drawn: Picture) -> list[int]:
    """Return what is true of each event, as a sum of :data:`FLAGS`."""
    flags = [0] * len(run.events)
    decided = {label.event for label in labels(run)}
    found = {
        "critical": drawn.critical,
        "decision": decided,
        "wasted": [place for place, useful in enumerate(run.useful) if not useful],
        "untrusted": drawn.untrusted_events(),
        "failed": [place for place, mark in enumerate(drawn.marks) if mark.failed],
        "inferred": [place for place, mark in enumerate(drawn.marks) if mark.inferred],
        "end": [run.end],
    }
    for name, places in found.items():
        for place in places:
            flags[place] |= FLAGS[name]
    return flags


def _subject(run: Run, place: int) -> str:
    """Return what an event is about in a word or two: its tool, or whom it is sent to."""
    event = run.events[place]
    if event.tool is not UNSET and event.tool:
        return short(event.tool)
    if event.to is not UNSET and event.to:
        return f"to {short(event.to)}"
    if event.from_ is not UNSET and event.from_ and event.from_ != event.agent:
        return f"from {short(event.from_)}"
    return ""


def _keys(document: TraceText) -> list[list[tuple[str, str]]]:
    """Return for each event every further key that the text has, known to the model or not."""
    found = []
    for event in msgspec.json.decode(document.raw)["events"]:
        keys = []
        for key, value in event.items():
            if key not in SHOWN_ELSEWHERE and key != "x_run":
                keys.append((short(key), value_text(value)))
        found.append(keys)
    return found


def _places(document: TraceText, number: int) -> list[tuple[int, int]]:
    """Return line and character of each event in its file; (line, 0) where only that is known."""
    pointers = [f"/events/{place}" for place in range(number)]
    first = document.line
    if len(document.raw) > LARGEST:
        return [(first, 0)] * number
    where = locate(document.raw.decode(), set(pointers))
    places = []
    for path in pointers:
        line, character = where[path]
        places.append((first + line - 1, character))
    return places


def _decisions(run: Run) -> dict[int, list[tuple[str, str, str]]]:
    """Return the labels of each event that has any: decision, rule, and how the run stops."""
    found: dict[int, list[tuple[str, str, str]]] = {}
    for label in labels(run):
        found.setdefault(label.event, []).append((label.decision, label.rule, label.stop))
    return found


def _origins(run: Run) -> dict[int, int]:
    """Return for each event that untrusted content reached the event that it came from."""
    flow = untrusted_flow(run)
    if flow is None:
        return {}
    return {
        place: origin for place, origin in enumerate(flow.origin) if origin >= 0 and origin != place
    }
