"""The swimlane as a matplotlib figure: one lane per agent, time to the right.

Where events crowd or agents share a lane, time is to scale, strokes take the place of symbols, and
arrows are bundled: any run takes one page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke

from corpus.canvas.paper import wrap
from corpus.canvas.style import style
from corpus.canvas.typeface import HINTED, drawable, hinted_width, missing_glyphs
from corpus.traces.draw.ink import (
    ARROWS,
    BAR,
    BLACK,
    GREY,
    PERSON_BAR,
    RED,
    SYMBOLS,
    WORK,
    used_symbols,
)
from corpus.traces.draw.lanes import Lane
from corpus.traces.draw.picture import EventMark, Page, Picture
from corpus.traces.run import OUTSIDE, Run

_SETTINGS = {
    "svg.hashsalt": "orchestration-trace",
    "hatch.linewidth": 0.7,
    # matplotlib's default, with which hinted_width() agrees.
    "text.hinting": "default",
}

#: Type sizes in points.
_TITLE, _FACTS, _NAME, _NOTE = 12.5, 8.5, 9, 7.2
_TICK, _LEGEND, _TOOL, _BADGE_TEXT = 8, 7.8, 6.6, 6.3
_FAINT = "#444444"
_BADGE = "#3b4252"
#: Inches at the sides of the page, from a name to the axes, and at the sides of these.
MARGIN, _GAP, _SIDE = 0.15, 0.13, 0.35
#: Inches of a page whose width is free.
_LEAST_WIDTH, _CROWDED_WIDTH, _WIDEST = 8.6, 12.0, 22.0
#: Inches by which a lane is indented for each spawn above it, of which some are shown.
_INDENT, _DEEPEST = 0.14, 4
_LEAST_UNIT = 0.17
"""Inches between two marks below which they cannot be told apart."""
_MOST_UNIT = 1.3
_BAR_HEIGHT = 0.40
MARKED = 3000
"""Events of the largest run for which every event is tried to be drawn by itself."""
#: Strokes along the axis: what is nearer could not be told apart in print.
_STROKES = 1500
_STROKED = {*OUTSIDE, "orchestrator_decision", "spawn", "despawn", "message", "return", "aggregate"}

#: What matplotlib is told of a mark, by its names.
Looks: TypeAlias = dict[str, Any]
_DASHED: Looks = {"linestyle": (0, (3, 2))}
_WASTED: Looks = {"edgecolor": "#6b6f76", "hatch": "////"}


def trace_style() -> AbstractContextManager[None]:
    """Return the context in which trace figures are drawn and saved."""
    return style(_SETTINGS)


def swimlane(run: Run, page: Page) -> Figure:
    """Return the figure of a run, to be called in the style of trace figures."""
    if len(run.events) <= MARKED:
        found = Swimlane(Picture(run, page.rows), page)
        if found.unit >= _LEAST_UNIT and not any(lane.many for lane in found.picture.lanes):
            return found.draw()
    return Swimlane(Picture(run, page.rows, crowded=True), page).draw()


class Bundle(NamedTuple):
    """Arrows of one kind from lane to lane at about one time: where the first one begins."""

    kind: str
    inferred: bool
    source: int
    target: int
    x: float


def bundled(picture: Picture, most: int) -> Counter[Bundle]:
    """Return the arrows of a picture; where events crowd, at most `most` bundles of near ones."""
    arrows = [(picture.marks[arrow.source], arrow) for arrow in picture.arrows]
    # Bundles are made in one pass, which needs the arrows by time.
    arrows.sort(key=lambda one: one[0].x)
    near = 0.01 * picture.width * picture.crowded
    while True:
        bundles: Counter[Bundle] = Counter()
        latest: dict[tuple[str, bool, int, int], Bundle] = {}
        for mark, arrow in arrows:
            key = (arrow.kind, arrow.inferred, mark.lane, arrow.lane)
            if key not in latest or mark.x - latest[key].x > near:
                latest[key] = Bundle(*key, mark.x)
            bundles[latest[key]] += 1
        # Beyond the whole axis, there is one bundle for each kind and pair of lanes.
        if not picture.crowded or len(bundles) <= most or near >= picture.width:
            return bundles
        near = max(near * 1.7, 1e-9)


def profile(picture: Picture, lane: Lane) -> tuple[np.ndarray, np.ndarray]:
    """Return how many agents of a lane there were from each position on: positions and numbers."""
    lives = [picture.run.lives[name] for name in lane.members if name in picture.run.lives]
    starts = np.sort([picture.axis.along(life.start) for life in lives])
    ends = np.sort([picture.axis.along(life.end) for life in lives])
    xs = np.unique([*starts, *ends])
    begun = np.searchsorted(starts, xs, side="right")
    # Who is there for a moment only is there at that moment.
    return xs, begun - np.searchsorted(ends, xs, side="left")


class Swimlane:
    """One figure; lanes run downward at y = 0, -1, -2 and so on. All sizes are in inches.

    Parameters
    ----------
    picture : Picture
        What is drawn.
    page : Page
        The layout.

    Attributes
    ----------
    unit : float
        Inches per unit of the time axis.
    """

    def __init__(self, picture: Picture, page: Page) -> None:
        self.picture = picture
        self.page = page
        steps = max(picture.width, 1.0)
        self.names = list(map(self._name, picture.lanes))
        self.label = MARGIN + max(width for *_, width in self.names) + _GAP
        self.side = _SIDE * min(page.scale, 1.0)
        self.width = page.width or _CROWDED_WIDTH * picture.crowded
        if self.width:
            usable = self.width - self.label - 2 * self.side - 0.05
            self.unit = min(usable / (steps + 1.4), _MOST_UNIT)
        else:
            self.unit = min(max(0.29, 6.6 / steps), (_WIDEST - self.label) / steps, 0.75)
            self.width = max(self.label + steps * self.unit + 2 * self.side, _LEAST_WIDTH)
        #: Marks shrink where events are crowded.
        self.size = min(page.scale, self.unit / 0.30)
        if picture.crowded:
            self.size = page.scale * 0.5
        #: What is taken by texts already, by lane and by whether they are above its middle.
        self.written: dict[tuple[int, bool], list[tuple[float, float]]] = {}
        self.figure = Figure(facecolor="white")

    def _name(self, lane: Lane) -> tuple[str, Looks, str, float, float]:
        """Return the name of a lane, how it looks, the note, the indent, and the width of all."""
        page = self.page
        name_size, note_size = page.text(_NAME), page.text(_NOTE)
        name = drawable(lane.name, page.label, name_size)
        note = lane.note
        if lane.many:
            _, counts = profile(self.picture, lane)
            note = f"peak {max(counts, default=0):,}"
            if lane.wasted:
                note += f", {lane.wasted:,} wasted"
            note += f", {lane.note}" * bool(lane.note)
        # Of a note that is too long only the first part.
        if hinted_width(note, note_size) > page.label:
            note, _, _ = note.partition(", ")
        note = drawable(note, page.label, note_size)
        looks: Looks = {"fontsize": name_size, "weight": "bold" if lane.many else "normal"}
        if lane.person and not missing_glyphs(name, "italic"):
            looks["style"] = "italic"
        indent = _INDENT * page.scale * min(lane.depth, _DEEPEST)
        width = hinted_width(name, name_size, looks["weight"])
        return name, looks, note, indent, indent + max(width, hinted_width(note, note_size))

    def draw(self) -> Figure:
        """Return the finished figure."""
        picture, page = self.picture, self.page
        lanes = len(self.names)
        heading, above = self._heading()
        entries = list(self._legend())
        legend_size = page.text(_LEGEND)
        labels = [hinted_width(str(entry.get_label()), legend_size) for entry in entries]
        # matplotlib does not break a legend that is too wide: it runs off the page.
        fitting = int((self.width - 2 * MARGIN) / (max(labels) + legend_size * 3.6 / 72))
        columns = max(1, min(len(entries), fitting))
        below = -(-len(entries) // columns) * legend_size * 1.55 / 72 + 0.1
        around = above + below + (13 + 2.6 * page.text(_TICK)) / 72
        least = (page.text(_NAME) + page.text(_NOTE)) * 1.35 / 72 + 0.03
        lane_height = max(min((page.tallest - around) / lanes, page.lane), least)
        height = max(page.height, around + lanes * lane_height)
        self.figure.set_size_inches(self.width, height)
        for text, down, looks in heading:
            self.figure.text(MARGIN / self.width, 1 - down / height, text, **looks)
        self.figure.legend(
            handles=entries,
            loc="lower left",
            bbox_to_anchor=(0.1 / self.width, 0.02 / height),
            ncols=columns,
            frameon=False,
            fontsize=legend_size,
            handlelength=1.6,
            columnspacing=1.0,
            labelspacing=0.35,
            borderpad=0.1,
        )
        # Where a fixed page has more space than the lanes need, it stays free below them.
        bottom = height - above - lanes * lane_height
        width = self.width - self.label - self.side
        sides = (self.label / self.width, bottom / height, width / self.width)
        self.axes = self.figure.add_axes((*sides, lanes * lane_height / height))
        self.axes.spines[["top", "left", "right"]].set_visible(False)
        self.axes.spines["bottom"].set_color("#999999")
        self.axes.set_yticks([])
        self.axes.set_xlim(-0.7, max(width / self.unit - 0.7, picture.width + 0.7))
        self.axes.set_ylim(0.5 - lanes, 0.5)
        for row, lane in enumerate(picture.lanes):
            self._lane(row, lane)
            self._write_name(row, (bottom + (lanes - row - 0.5) * lane_height) / height)
        self._work()
        self._paths()
        self._arrows()
        if picture.crowded:
            self._strokes()
        else:
            for mark in picture.marks:
                self._mark(mark)
            for mark in picture.marks:
                self._badge(mark)
        self._time()
        return self.figure

    def _heading(self) -> tuple[list[tuple[str, float, Looks]], float]:
        """Return text, baseline from the top and look of each line, of which nothing is cut."""
        picture = self.picture
        lines = []
        down = 0.1
        for text, points, weight, colour in (
            (picture.title, _TITLE, "bold", BLACK),
            (f"{picture.name}: {picture.facts}", _FACTS, "normal", _FAINT),
        ):
            size = self.page.text(points)
            # Characters set on whole pixels take more than their outlines, after which wrap()
            # breaks.
            usable = (self.width - 2 * MARGIN) / HINTED * 0.99
            looks: Looks = {"fontsize": size, "weight": weight, "color": colour}
            for line in wrap(text, usable, size, weight):
                down += size * 1.2 / 72
                lines.append((drawable(line, None, size, weight), down, looks))
            down += 0.04
        return lines, down + 0.06

    def _write_name(self, row: int, y: float) -> None:
        """Write name and note left of a lane, whose middle is at a share of the height."""
        name, looks, note, indent, _ = self.names[row]
        x = (MARGIN + indent) / self.width
        aside = self.page.text(_NOTE) * 0.7 / 72 / self.figure.get_figheight()
        if note:
            size = self.page.text(_NOTE)
            self.figure.text(x, y - aside, note, va="center", fontsize=size, color="#5f6672")
            y += aside
        self.figure.text(x, y, name, va="center", color=BLACK, **looks)

    def _lane(self, row: int, lane: Lane) -> None:
        """Draw the lifetime of a lane; of agents that share one, how many there were at a time."""
        self.axes.axhline(-row, color="#eeeeee", linewidth=0.8, zorder=0)
        self.axes.barh(
            -row,
            lane.end - lane.start + 0.68,
            _BAR_HEIGHT,
            lane.start - 0.34,
            color=PERSON_BAR if lane.person else BAR,
            linewidth=0.8,
            zorder=1,
            **(_WASTED if lane.wasted and not lane.many else {"edgecolor": "#9aa7ba"}),
        )
        if lane.many:
            xs, counts = profile(self.picture, lane)
            heights = counts * (_BAR_HEIGHT / max(counts, default=1))
            low = -row - _BAR_HEIGHT / 2
            looks: Looks = {"color": WORK, "linewidth": 0, "zorder": 2}
            self.axes.fill_between(xs, low + heights, low, step="post", **looks)

    def _work(self) -> None:
        """Draw the stretches in which a lane was busy, with the tool below."""
        picture = self.picture
        stretches: dict[tuple[int, int, int], tuple[float, float]] = {}
        for span in picture.work:
            if picture.lanes[span.lane].many:
                continue
            # Of those that are equal in print, one is drawn.
            key = (span.lane, self._place(span.start), self._place(span.end))
            stretches[key] = (span.start, span.end - span.start)
            middle = (span.start + span.end) / 2
            if span.label and not picture.crowded:
                size = self.page.text(_TOOL)
                text = drawable(span.label, self.page.label, size)
                half = hinted_width(text, size) / 2 / self.unit + 0.08
                left, right = self.axes.get_xlim()
                middle = min(max(middle, left + half), right - half)
                self._write((span.lane, False), middle, half, text, fontsize=size, color="#44627d")
        for row in range(len(picture.lanes)):
            own = [ends for (lane, *_), ends in stretches.items() if lane == row]
            self.axes.broken_barh(own, (-row - 0.1, 0.2), facecolor=WORK, linewidth=0, zorder=2)

    def _place(self, x: float) -> int:
        """Return the stroke that a position is nearest to."""
        return round(x / max(self.picture.width, 1.0) * _STROKES)

    def _write(
        self, line: tuple[int, bool], x: float, half: float, text: str, **looks: Any
    ) -> bool:
        """Write above or below a lane's middle unless another text is there; returns whether."""
        taken = self.written.setdefault(line, [])
        if any(x - half < end and start < x + half for start, end in taken):
            return False
        taken.append((x - half, x + half))
        row, is_above = line
        y = -row + (0.345 if is_above else -0.335)
        if "bbox" not in looks:
            # On top of lines, a white outline keeps the text legible.
            looks["path_effects"] = [withStroke(linewidth=2.0, foreground="white")]
        self.axes.text(x, y, text, va="center", ha="center", zorder=8, **looks)
        return True

    def _paths(self) -> None:
        """Draw the critical path and those of untrusted content along the lanes."""
        picture = self.picture
        paths = [(picture.critical, BLACK, 3.4)]
        paths += [(path, RED, 2.6) for path in picture.untrusted]
        for path, colour, width in paths:
            xs = []
            ys = []
            for first, second in pairwise(map(picture.marks.__getitem__, path)):
                # An edge against time turns where its effect is, never behind it.
                xs += [first.x, min(first.x, second.x), second.x]
                ys += [-first.lane, -second.lane, -second.lane]
            self.axes.plot(
                xs,
                ys,
                color=colour,
                linewidth=width * self.size,
                alpha=0.85,
                solid_joinstyle="round",
                zorder=3,
            )

    def _arrows(self) -> None:
        """Draw arrows from events to the edges of other bars, and how many each represents."""
        size = self.page.text(_TOOL)
        for bundle, number in bundled(self.picture, self.page.bundles).items():
            edge = _BAR_HEIGHT / 2
            if bundle.target < bundle.source:
                edge = -edge
            colour = ARROWS.get(bundle.kind, GREY)
            # Each doubling of the number is one step wider.
            width = min(1.5 + 0.45 * (number.bit_length() - 1), 3.6) * self.page.scale
            properties: Looks = {"arrowstyle": "-|>", "color": colour, "linewidth": width}
            if bundle.inferred:
                properties |= _DASHED
            # Begins outside of the mark.
            properties |= {"shrinkA": 4, "shrinkB": 0, "mutation_scale": 10 * self.page.scale}
            self.axes.annotate(
                "",
                xy=(bundle.x, -bundle.target + edge * 0.92),
                xytext=(bundle.x, -bundle.source),
                arrowprops=properties,
                zorder=4,
            )
            if number > 1:
                text = f"×{number:,}"
                half = hinted_width(text, size) / 2 / self.unit + 0.05
                line = (bundle.target, bundle.target > bundle.source)
                self._write(line, bundle.x + half, half, text, fontsize=size, color=colour)

    def _strokes(self) -> None:
        """Draw events across the bars; across those of many agents failures and people only."""
        picture = self.picture
        strokes: dict[tuple[str, int, int], float] = {}
        for mark in picture.marks:
            is_shown = mark.failed or mark.kind in OUTSIDE
            if is_shown or (mark.kind in _STROKED and not picture.lanes[mark.lane].many):
                colour = RED if mark.failed else SYMBOLS[mark.kind].colour
                strokes[colour, mark.lane, self._place(mark.x)] = mark.x
        for colour in dict.fromkeys(colour for colour, *_ in strokes):
            own = [(lane, x) for (other, lane, _), x in strokes.items() if other == colour]
            lanes, xs = np.array(own).T
            self.axes.vlines(
                xs,
                -lanes - _BAR_HEIGHT / 2,
                -lanes + _BAR_HEIGHT / 2,
                colors=colour,
                linewidth=1.5 * self.page.scale,
                # Of several events at one point, a failed one is shown.
                zorder=5 + (colour == RED),
            )

    def _mark(self, mark: EventMark) -> None:
        symbol = SYMBOLS[mark.kind]
        size = 8.5
        fill, edge = symbol.colour, "white"
        edge_width = 0.7
        if mark.inferred:
            fill, edge = edge, fill
            edge_width = 1.2
        if symbol.marker == "|":
            # A stroke has no face: its edge is all there is of it.
            size = 10
            edge = symbol.colour
            edge_width = 2.0 * self.size
        marks = [(symbol.marker, size, edge, edge_width, fill)]
        if mark.failed:
            marks.append(("x", 9, RED, 2.2, RED))
        for order, (shape, size, edge, edge_width, fill) in enumerate(marks, 5):
            self.axes.plot(
                [mark.x],
                [-mark.lane],
                marker=shape,
                markersize=size * self.size,
                markeredgecolor=edge,
                markeredgewidth=edge_width,
                markerfacecolor=fill,
                linestyle="none",
                zorder=order,
            )

    def _badge(self, mark: EventMark) -> None:
        """Write the decisions above a mark, or only the first one where there is less space."""
        looks: Looks = {"fontsize": self.page.text(_BADGE_TEXT), "weight": "bold"}
        box = {"boxstyle": "round,pad=0.22", "facecolor": _BADGE, "edgecolor": "none"}
        for text in (mark.badge, mark.badge.partition(" ")[0]):
            half = (hinted_width(text, looks["fontsize"], "bold") / 2 + 0.05) / self.unit
            line = (mark.lane, True)
            if text and self._write(line, mark.x, half, text, color="white", bbox=box, **looks):
                return

    def _time(self) -> None:
        """Draw the time axis with as many times as fit, and mark where it is cut short."""
        size = self.page.text(_TICK)
        positions = []
        names: list[str] = []
        free_from = -inf
        for x, name in self.picture.ticks:
            half = (hinted_width(name, size) / 2 + 0.05) / self.unit
            # No name touches another, and of equal ones the first is written.
            if x - half >= free_from and name not in names[-1:]:
                positions.append(x)
                names.append(name)
                free_from = x + half
        self.axes.set_xticks(positions, names, fontsize=size, color=_FAINT)
        self.axes.set_xlabel(self.picture.axis_label, fontsize=size, color=_FAINT, labelpad=3)
        self.axes.tick_params(length=2.5, pad=2)
        half = 0.05 / self.unit
        transform = self.axes.get_xaxis_transform()
        looks: Looks = {"ha": "center", "va": "center", "fontsize": self.page.text(9.5)}
        for start, end in self.picture.axis.cuts:
            middle = (start + end) / 2
            self.axes.axvspan(middle - half, middle + half, color="white", zorder=2.5, linewidth=0)
            self.axes.text(middle, 0.0, "//", transform=transform, zorder=3.5, **looks)

    def _legend(self) -> Iterator[Line2D | Patch]:
        """Yield the entries of the legend: what occurs in this run."""
        picture = self.picture
        _, _, types, badges, inferred, failed = zip(*picture.marks, strict=True)
        shown = {kind for kind in types if kind in _STROKED or not picture.crowded}
        for symbol in used_symbols(shown):
            yield _marker("|" if picture.crowded else symbol.marker, symbol.colour, symbol.name)
        yield Line2D([], [], color=BLACK, label="critical path", linewidth=2.6)
        if picture.untrusted:
            yield Line2D([], [], color=RED, label="untrusted content", linewidth=2.6)
        # What is sent has the colour of its symbol.
        used = {arrow.kind for arrow in picture.arrows}.difference(SYMBOLS)
        for kind, colour in ARROWS.items():
            if kind in used:
                # Without the underscores of the schema.
                yield Line2D([], [], color=colour, label=f"{kind.replace('_', ' ')} edge")
        if any(arrow.inferred for arrow in picture.arrows):
            yield Line2D([], [], color=GREY, label="inferred", **_DASHED)
        if any(inferred) and not picture.crowded:
            yield _marker("o", GREY, "inferred event", markerfacecolor="white")
        if any(failed):
            yield _marker("|" if picture.crowded else "x", RED, "failed", markeredgewidth=2.2)
        if any(lane.wasted and not lane.many for lane in picture.lanes):
            yield Patch(facecolor=BAR, label="wasted spawn", **_WASTED)
        if any(lane.many for lane in picture.lanes):
            yield Patch(facecolor=WORK, label="busy, or agents at a time")
        if any(badges) and not picture.crowded:
            yield _marker("s", _BADGE, "O1-O5 decision made")


def _marker(shape: str, colour: str, label: str, **looks: Any) -> Line2D:
    """Return the legend entry of a mark without a line; of a stroke, which is all edge."""
    if shape == "|":
        looks["markeredgewidth"] = 1.6
    looks |= {"marker": shape, "linestyle": "none", "markersize": 7}
    return Line2D([], [], color=colour, label=label, **looks)
