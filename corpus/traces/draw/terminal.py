"""A run as text of at most 100 columns: one lane per agent, one line per event, time downward."""

from itertools import chain

from msgspec import UNSET

from corpus.printing.grid import cut
from corpus.traces.draw.ink import SYMBOLS, plain, used_symbols
from corpus.traces.draw.picture import EventMark, Picture

WIDTH = 100
NAME = 24


def swimlane_text(picture: Picture) -> str:
    """Return the swimlane: a head that names the lanes, then one line per event.

    The letter of an event is in the lane of its agent; ``#`` marks the critical path, ``!``
    untrusted content.
    """
    lines = [plain(picture.title, WIDTH), f"{picture.name}:", picture.facts, ""]
    for number, lane in enumerate(picture.lanes, 1):
        line = f"{number:>3}  {'  ' * min(lane.depth, 6)}{lane.title}"
        if lane.wasted:
            line += f"  {lane.wasted:,} of {len(lane.members):,} wasted"
        elif lane.person:
            line += "  outside the team"
        lines.append(line)
    lines.append("")
    ends: dict[int, list[int]] = {}
    for arrow in picture.arrows:
        ends.setdefault(arrow.source, []).append(arrow.lane)
    times = dict(picture.ticks)
    time_width = max(map(len, times.values()), default=1)
    paths = dict.fromkeys(picture.critical, "#")
    paths |= dict.fromkeys(chain(*picture.untrusted), "!")
    before = ""
    # From left to right, those of one moment from the top down.
    for event, mark in sorted(enumerate(picture.marks), key=lambda one: (one[1].x, one[1].lane)):
        time = times.get(mark.x, before)
        # The time of a moment is written once, at its first event.
        shown_time = "" if time == before else time
        cells = _lane_cells(picture, mark, ends.get(event, []))
        start = f"{shown_time:>{time_width}} {paths.get(event, ' ')} {cells}"
        lines.append(f"{start}  {_event_words(picture, event)}".rstrip())
        before = time
    letters = (f"{symbol.letter} {symbol.name}" for symbol in used_symbols(picture.run.kinds))
    legend = "# critical path"
    if picture.untrusted:
        legend += ", ! untrusted content"
    lines += ["", ", ".join(letters), legend]
    # A Chinese character takes two columns.
    return "".join(f"{cut(line[:WIDTH], WIDTH)}\n" for line in lines)


def _lane_cells(picture: Picture, mark: EventMark, ends: list[int]) -> str:
    """Draw one line of lanes: the event, the lanes that live, and the way of its arrows."""
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
        else:
            cells += "|" if alive else " "
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
    flags = ((mark.failed, "failed"), (mark.inferred, "inferred"), (mark.badge, mark.badge))
    if notes := [note for is_so, note in flags if is_so]:
        words.append(f"[{', '.join(notes)}]")
    return " ".join(words)
