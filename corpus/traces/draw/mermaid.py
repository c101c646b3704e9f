"""A run as Mermaid text, for pages that draw it themselves: a sequence diagram, or a flow chart of the events."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from msgspec import UNSET

from corpus.traces.draw.ink import RED, SIGNS
from corpus.traces.draw.picture import Arrow, Picture, doubtful, lanes_of
from corpus.traces.draw.wording import plain
from corpus.traces.run import Run

_SPECIAL: Final = re.compile(r"[^A-Za-z0-9 _.,/+-]")


def escaped(text: str, limit: int = 40) -> str:
    """Return `text` as a Mermaid label: what may be syntax or HTML becomes a character code.

    Examples
    --------
    >>> escaped('end; "x" <b>')
    'end#59; #34;x#34; #60;b#62;'
    """
    return _SPECIAL.sub(lambda sign: f"#{ord(sign.group())};", plain(text, limit))


def sequence_mermaid(run: Run, picture: Picture) -> str:
    """Return a sequence diagram: a participant a lane, an arrow where lanes meet, a note for what stays in one."""
    lines = [*_front(picture), "sequenceDiagram"]
    for row, lane in enumerate(picture.lanes):
        kind = "actor" if lane.person else "participant"
        role = f" ({lane.role})" if lane.role else ""
        lines.append(f"    {kind} L{row} as {escaped(lane.name + role, 60) or 'agent'}")
    arrows: dict[int, list[Arrow]] = {}
    for arrow in picture.arrows:
        arrows.setdefault(arrow.source, []).append(arrow)
    for event in sorted(range(len(picture.marks)), key=lambda one: (picture.marks[one].x, picture.marks[one].lane)):
        mark = picture.marks[event]
        said = _said(run, picture, event)
        for arrow in arrows.get(event, []):
            line = "--)" if arrow.inferred else "-->>" if arrow.kind in ("return", "aggregate") else "->>"
            lines.append(f"    L{mark.lane}{line}L{arrow.lane}: {said}")
        if not arrows.get(event) and mark.kind != "tool_result":
            lines.append(f"    Note over L{mark.lane}: {said}")
    return "\n".join(lines) + "\n"


def flowchart_mermaid(run: Run, picture: Picture) -> str:
    """Return a flow chart: one box an event in the box of its agent, one arrow an edge."""
    _, lane_of = lanes_of(run)
    lines = [*_front(picture), "flowchart LR"]
    for row, lane in enumerate(picture.lanes):
        lines.append(f'    subgraph L{row}["{escaped(lane.name)}"]')
        for event in run.graph.order:
            if lane_of[event] == row:
                lines.append(f'        E{event}["{_said(run, picture, event)}"]:::{picture.marks[event].kind}')
        lines.append("    end")
    bold = dict.fromkeys(pairwise(picture.critical), "stroke-width:4px")
    bold |= {pair: f"stroke:{RED},stroke-width:4px" for path in picture.tainted for pair in pairwise(path)}
    styles = []
    for number, (edge, source, target) in enumerate(zip(run.trace.edges, *run.ends, strict=True)):
        line = "-.->" if doubtful(run, source, target) else "-->"
        lines.append(f"    E{source} {line}|{escaped(edge.type)}| E{target}")
        if (source, target) in bold:
            styles.append(f"    linkStyle {number} {bold[source, target]}")
    classes = [f"    classDef {kind} fill:{sign.colour}33,stroke:{sign.colour}" for kind, sign in SIGNS.items()]
    return "\n".join([*lines, *styles, *classes]) + "\n"


def _front(picture: Picture) -> list[str]:
    title = re.sub(r"[^\w .,:/+()·-]", "_", plain(picture.title, 120))
    return ["---", f'title: "{title}"', "---"]


def _said(run: Run, picture: Picture, event: int) -> str:
    """Say in a few words what happened."""
    one, mark = run.events[event], picture.marks[event]
    parts = [SIGNS[mark.kind].name]
    if one.tool is not UNSET:
        parts.append(plain(one.tool, 24))
    elif one.role is not UNSET and mark.kind in ("spawn", "human_intervention", "safety_event"):
        parts.append(plain(one.role, 24))
    notes = [mark.badge] if mark.badge else []
    notes += ["failed"] if mark.failed else []
    return escaped(" ".join(parts), 60) + (f" - {escaped(', '.join(notes))}" if notes else "")
