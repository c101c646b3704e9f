"""A run as text of at most 100 columns: one lane per agent, one line per event, time downward."""

from itertools import chain

from msgspec import UNSET

from corpus.printing.grid import cut
from corpus.traces.draw.ink import SYMBOLS, plain, used_symbols
from corpus.traces.draw.picture import Arrow, EventMark, Picture

WIDTH = 100
NAME = 24


def swimlane_text(picture: Picture) -> str:
    """Return the swimlane: a head that names the lanes, then one line per event.

    The letter of an event is in the lane of its agent; ``#`` marks the critical path, ``!``
    untrusted content.
    """
    times = dict(picture.ticks)
    time_width = max(map(len, times.values()), default=1)
    paths = dict.fromkeys(picture.critical, "#")
    paths |= dict.fromkeys(chain(*picture.untrusted), "!")
    lines = [*_head(picture), ""]
    before = ""
    for event, mark, arrows in picture.in_time_order():
        time = times.get(mark.x, before)
        # The time of a moment is written once, at its first event.
        shown_time = time
        if time == before:
            shown_time = ""
        cells = _lane_cells(picture, mark, arrows)
        start = f"{shown_time:>{time_width}} {paths.get(event, ' ')} {cells}"
        line = f"{start}  {_event_words(picture, event)}"
        lines.append(_fitting(line).rstrip())
        before = time
    used = used_symbols(picture.run.kinds)
    letters = ", ".join(f"{symbol.letter} {symbol.name}" for symbol in used)
    legend = "# critical path"
    if picture.untrusted:
        legend += ", ! untrusted content"
    return "\n".join([*lines, "", letters[:WIDTH], legend]) + "\n"


def _fitting(line: str) -> str:
    """Cut a line to the width of a terminal, where a Chinese character takes two columns."""
    return cut(line[:WIDTH], WIDTH)


def _heading(picture: Picture) -> list[str]:
    """Return title, name and facts; the facts get a line of their own if they would be cut."""
    title = plain(picture.title, WIDTH)
    together = f"{picture.name}: {picture.facts}"
    if len(together) <= WIDTH:
        return [title, together]
    return [title, f"{picture.name}:", picture.facts]


def _head(picture: Picture) -> list[str]:
    lines = [*_heading(picture), ""]
    for number, lane in enumerate(picture.lanes, 1):
        line = f"{number:>3}  {'  ' * min(lane.depth, 6)}{lane.title}"
        if lane.wasted:
            line += "  wasted"
        elif lane.person:
            line += "  outside the team"
        lines.append(_fitting(line))
    return lines


def _lane_cells(picture: Picture, mark: EventMark, arrows: list[Arrow]) -> str:
    """Draw one line of lanes: the event, the lanes that live, and the way of its arrows."""
    ends = [arrow.lane for arrow in arrows]
    met = [mark.lane, *ends]
    low, high = min(met), max(met)
    cells = ""
    for row, lane in enumerate(picture.lanes):
        alive = lane.start <= mark.x <= lane.end
        if row == mark.lane:
            cells += SYMBOLS[mark.kind].letter
        elif row in ends:
            cells += ">" if row > mark.lane else "<"
        elif low < row < high:
            cells += "+" if alive else "-"
        elif alive:
            cells += "/" if lane.wasted else "|"
        else:
            cells += " "
        cells += "-" if low <= row < high else " "
    return cells


def _event_words(picture: Picture, event: int) -> str:
    """Return what happened: who, what, to whom, which tool, which decisions."""
    recorded = picture.run.events[event]
    mark = picture.marks[event]
    words = [plain(recorded.agent, NAME), SYMBOLS[mark.kind].name]
    if recorded.tool is not UNSET:
        words.append(plain(recorded.tool, NAME))
    if recorded.to is not UNSET and recorded.to != recorded.agent:
        words.append(f"-> {plain(recorded.to, NAME)}")
    notes = []
    if mark.failed:
        notes.append("failed")
    if mark.inferred:
        notes.append("inferred")
    if mark.badge:
        notes.append(mark.badge)
    if notes:
        words.append(f"[{', '.join(notes)}]")
    return " ".join(words)
