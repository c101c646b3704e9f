"""One run as the viewer's script reads it: lanes, events, arrows and paths as plain values.

Nothing is measured here. Positions come from :mod:`corpus.traces.draw.picture`, what is wasted,
untrusted, critical or a decision from the measures.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from corpus.printing.escape import terminal
from corpus.printing.numerals import number
from corpus.traces.contents import Contents
from corpus.traces.convert.messages import OBJECT
from corpus.traces.draw.ink import ARROWS, GREY, SYMBOLS, clock
from corpus.traces.draw.lanes import rows_by_name
from corpus.traces.draw.picture import EVERYONE, Picture
from corpus.traces.emit.target import plain
from corpus.traces.lookup import JsonObject
from corpus.traces.measures.decisions import DECISIONS, RULES, labels
from corpus.traces.measures.untrusted_flow import untrusted_flow
from corpus.traces.model import Event
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.structure import shown
from corpus.traces.run import Run

FLAGS = {
    "critical": 1,
    "decision": 2,
    "wasted": 4,
    "untrusted": 8,
    "failed": 16,
    "inferred": 32,
    "end": 64,
    "compacted": 128,
    "undone": 256,
    "mistake": 512,
}
"""What can be true of an event, one bit each; ``untrusted`` means on a path to a trusted place."""
#: Characters of a content, and of its beginning in the list.
LONG = 4_000
BEGINNING = 160
_TELLING = frozenset(("user", "assistant", "tool", "tool_call", "reasoning"))
SHOWN_ELSEWHERE = frozenset(("id", "t", "type", "agent"))
"""Keys of an event that the viewer's heading and list show."""


class RunText(NamedTuple):
    """A run, the text it was read from, with keys that the model does not keep, and contents.

    Of events whose step has one, `advantages` has the credit of a scheme.
    """

    document: TraceText
    run: Run
    contents: Contents | None = None
    advantages: dict[int, float] = {}  # noqa: RUF012 # never changed


def vocabulary() -> JsonObject:
    """Return what is the same for every run: event types with their looks, decisions, flags."""
    return {
        "types": [{"id": kind, **symbol._asdict()} for kind, symbol in SYMBOLS.items()],
        "arrows": ARROWS,
        "otherArrow": GREY,
        "decisions": DECISIONS,
        "rules": RULES,
        "flags": FLAGS,
    }


def run_data(source: RunText) -> JsonObject:
    """Return everything that the viewer shows of one run, as plain values.

    Lists that end in the same number of members as ``ids`` have one member per event, in the order
    of the trace; other numbers of events are positions in that order.
    """
    document, run, *_ = source
    # The model skips keys that it does not know; a reader wants to see them.
    written = msgspec.json.decode(document.raw)["events"]
    decisions: dict[int, list[tuple[str, str, str]]] = {}
    for label in labels(run):
        labelled = (label.decision, label.rule, label.stop)
        decisions.setdefault(label.event, []).append(labelled)
    reached = enumerate(untrusted_flow(run).origin)
    # Unlike a figure, the page scrolls: no agent shares a lane.
    drawn = Picture(run, EVERYONE)
    lanes, xs, *_ = zip(*drawn.marks, strict=True)
    return {
        "name": drawn.name,
        "title": drawn.title,
        "facts": drawn.facts,
        "axis": drawn.axis_label,
        "file": f"{short(document.file)}:{document.line}",
        "about": _about(run),
        "lanes": _lanes(drawn),
        **_events(run),
        # A thousandth of a step is invisible.
        "lane": lanes,
        "x": [round(x, 3) for x in xs],
        "arrows": drawn.arrows,
        "work": [(span.lane, round(span.start, 3), round(span.end, 3)) for span in drawn.work],
        "critical": drawn.critical,
        "untrusted": drawn.untrusted,
        "ticks": [(round(x, 3), text) for x, text in drawn.ticks],
        "cuts": drawn.axis.cuts,
        "width": drawn.width,
        "flags": _flags(drawn, decisions, written),
        # Where nearly every event is on the path, a mark on each tells nothing.
        "tellsCritical": 2 * len(drawn.critical) <= len(run.events),
        "texts": [_beginning(source, event) for event in run.events],
        "scores": _scores(source),
        "keys": _event_keys(source, written),
        "decisions": decisions,
        # Of each event that untrusted content reached, the event that it came from.
        "origins": {place: one for place, one in reached if one >= 0 and one != place},
        "order": list(run.graph.order),
        "edges": [edge[:3] for edge in drawn.edges],
    }


def _events(run: Run) -> JsonObject:
    """Return a column for each thing that the list of events shows.

    Agents and types are numbers, since their names would be most of the page.
    """
    kinds = list(SYMBOLS)
    names = list(dict.fromkeys(run.actors))
    numbers = {name: number for number, name in enumerate(names)}
    span = run.finish - min(run.times)
    return {
        "names": list(map(short, names)),
        "ids": list(map(short, run.index)),
        "agents": list(map(numbers.__getitem__, run.actors)),
        "types": list(map(kinds.index, run.kinds)),
        "times": [clock(time, span) for time in run.times],
        "subjects": list(map(_subject, run.events)),
    }


def _about(run: Run) -> list[tuple[str, str]]:
    """Return what the trace states about the whole run: label and text."""
    trace = run.trace
    about = [("Trace", short(trace.trace_id)), ("Task", short(trace.task_id))]
    if trace.system is not UNSET:
        about.append(("System", short(trace.system)))
    tables = (("Reward", trace.rewards), ("Cost", trace.costs), ("Metric", trace.metrics))
    for label, table in tables:
        for name, value in (table or {}).items():
            about.append((f"{label}: {short(name)}", value_text(value)))
    recorded = run.events[0].x_run
    if recorded is not UNSET:
        about.append(("Recorded", value_text(recorded)))
    return about


def _lanes(drawn: Picture) -> list[JsonObject]:
    """Return the lanes with the lane of each agent's spawner, -1 where it has none."""
    row_of = rows_by_name(drawn.lanes)
    lanes: list[JsonObject] = []
    for lane in drawn.lanes:
        spawner = drawn.run.parents.get(lane.members[0], "")
        parent = row_of.get(spawner, -1)
        # Agents that spawned each other in a circle have no root: the first one becomes it, so
        # that every lane comes after its parent and the tree ends.
        if parent >= len(lanes):
            parent = -1
        lanes.append(
            {
                "name": lane.name,
                "role": lane.note,
                "parent": parent,
                "start": round(lane.start, 3),
                "end": round(lane.end, 3),
                "person": lane.person,
                "wasted": lane.wasted > 0,
            }
        )
    return lanes


def _flags(drawn: Picture, decisions: Iterable[int], written: Sequence[JsonObject]) -> list[int]:
    """Return what is true of each event, as a sum of :data:`FLAGS`."""
    found = {
        "critical": drawn.critical,
        "decision": decisions,
        "untrusted": set(chain(*drawn.untrusted)),
        "end": (drawn.run.end,),
    }
    for name in ("compacted", "undone", "mistake"):
        found[name] = [n for n, event in enumerate(written) if event.get(f"x_{name}") is True]
    flags = []
    for useful, mark in zip(drawn.run.useful, drawn.marks, strict=True):
        flag = FLAGS["failed"] * mark.failed | FLAGS["inferred"] * mark.inferred
        flags.append(flag | FLAGS["wasted"] * (not useful))
    for name, places in found.items():
        for place in places:
            flags[place] |= FLAGS[name]
    return flags


def _subject(event: Event) -> str:
    """Return what an event is about in a word or two: its tool, or whom it is sent to."""
    if event.tool:
        return short(event.tool)
    if event.to:
        return f"to {short(event.to)}"
    sender = event.from_
    if sender not in (UNSET, "", event.agent):
        return f"from {short(sender)}"
    return ""


def _beginning(source: RunText, event: Event) -> str:
    """Return the beginning of what an event tells, on one line; empty where it is not known."""
    contents = source.contents
    for name in event.references if contents is not None else ():
        content = contents.get(name) if contents is not None else None
        if content is not None and content.role in _TELLING:
            words = plain(content.value).replace(OBJECT, "(picture, sound or file)")
            return short(" ".join(words.split())[:BEGINNING])
    return ""


def _scores(source: RunText) -> dict[int, list[str]]:
    """Return by event its rewards, and its advantage where a scheme gives one."""
    found: dict[int, list[str]] = {}
    for place, event in enumerate(source.run.events):
        scores = [f"{short(name)} {number(one)}" for name, one in (event.x_rewards or {}).items()]
        if place in source.advantages:
            scores.append(f"advantage {number(source.advantages[place])}")
        if scores:
            found[place] = scores
    return found


def _event_keys(source: RunText, written: Sequence[JsonObject]) -> list[list[tuple[str, str]]]:
    """Return for each event its contents by role, then every further key that the text has."""
    found = []
    for event, known in zip(written, source.run.events, strict=True):
        keys = []
        for name in known.references:
            content = None if source.contents is None else source.contents.get(name)
            if content is not None:
                keys.append((short(f"content {content.role}"), value_text(content.value)))
        for key, value in event.items():
            if key not in SHOWN_ELSEWHERE and key != "x_run":
                keys.append((short(key), value_text(value)))
        found.append(keys)
    return found


def short(text: str) -> str:
    """Return a name on one line, cut where it is too long, with invisible characters as escapes.

    Examples
    --------
    >>> short("a\\u202eb"), short("x" * 300)[-1]
    ('a\\\\u202eb', '…')
    """
    return terminal(shown(text))


def long(text: str) -> str:
    """Return a content with its line ends; where it is cut, the number of missing characters.

    Examples
    --------
    >>> long("one\\ntwo\\x07"), long("x" * 4_010)[-21:]
    ('one\\ntwo\\\\x07', ' … 10 more characters')
    """
    missing = len(text) - LONG
    lines = text[:LONG].split("\n")
    kept = "\n".join(map(terminal, lines))
    if missing > 0:
        kept += f" … {missing:,} more characters"
    return kept


def value_text(value: object) -> str:
    """Return any JSON value as text: numbers with separators, objects and lists as JSON.

    Examples
    --------
    >>> value_text(12000.0), value_text(True), value_text({"input": 3})
    ('12,000', 'yes', '{\\n  "input": 3\\n}')
    """
    if isinstance(value, str):
        return long(value)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    # An integer of JSON may have any number of digits; a double has at most 309.
    if isinstance(value, int) and value.bit_length() > 1000:
        return f"an integer of {value.bit_length():,} bits"
    if isinstance(value, int | float):
        return number(value, 6)
    return long(json.dumps(value, ensure_ascii=False, indent=2))
