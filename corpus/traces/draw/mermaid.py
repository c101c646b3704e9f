"""A run as a sequence diagram in Mermaid, for pages that draw it themselves."""

import re

from msgspec import UNSET

from corpus.traces.draw.ink import SYMBOLS, plain
from corpus.traces.draw.picture import Picture

_SPECIAL = re.compile(r"[^A-Za-z0-9 _.,/+-]")

#: The title is a quoted YAML string: anything that could end it or begin an escape is replaced.
_NOT_IN_TITLE = re.compile(r"[^\w .,:/+()·-]")

_SHOWS_ROLE = ("spawn", "human_intervention", "safety_event")


def escaped(text: str, limit: int = 40) -> str:
    """Return `text` as a Mermaid label: what may be syntax or HTML becomes a character code.

    Examples
    --------
    >>> escaped('end; "x" <b>')
    'end#59; #34;x#34; #60;b#62;'
    """
    return _SPECIAL.sub(lambda found: f"#{ord(found.group())};", plain(text, limit))


def sequence_mermaid(picture: Picture) -> str:
    """Return a sequence diagram.

    Each lane is a participant; there is an arrow where lanes meet, and a note for what stays in
    one.
    """
    title = _NOT_IN_TITLE.sub("_", plain(picture.title, 120))
    lines = ["---", f'title: "{title}"', "---", "sequenceDiagram"]
    for row, lane in enumerate(picture.lanes):
        kind = "participant"
        if lane.person:
            kind = "actor"
        name = escaped(lane.title, 60) or "agent"
        lines.append(f"    {kind} L{row} as {name}")
    for event, mark, arrows in picture.in_time_order():
        label = _label(picture, event)
        for arrow in arrows:
            line = "->>"
            if arrow.inferred:
                line = "--)"
            elif arrow.kind in ("return", "aggregate"):
                line = "-->>"
            lines.append(f"    L{mark.lane}{line}L{arrow.lane}: {label}")
        if not arrows and mark.kind != "tool_result":
            lines.append(f"    Note over L{mark.lane}: {label}")
    return "\n".join(lines) + "\n"


def _label(picture: Picture, event: int) -> str:
    """Return in a few words what happened."""
    recorded = picture.run.events[event]
    mark = picture.marks[event]
    words = SYMBOLS[mark.kind].name
    if recorded.tool is not UNSET:
        words += f" {plain(recorded.tool, 24)}"
    elif recorded.role is not UNSET and mark.kind in _SHOWS_ROLE:
        words += f" {plain(recorded.role, 24)}"
    label = escaped(words, 60)
    notes = []
    if mark.badge:
        notes.append(mark.badge)
    if mark.failed:
        notes.append("failed")
    if notes:
        label += f" - {escaped(', '.join(notes))}"
    return label
