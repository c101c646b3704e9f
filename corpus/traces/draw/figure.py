"""What every figure of a trace shares: page, heading, names, arrows, time axis, legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from math import inf
from typing import Any, TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke

from corpus.canvas.paper import wrap
from corpus.canvas.style import style
from corpus.canvas.typeface import HINTED, drawable, hinted_width, missing_glyphs
from corpus.traces.draw.ink import ARROWS, BLACK, GREY, RED
from corpus.traces.draw.lanes import Lane
from corpus.traces.draw.picture import Page, Picture

_SETTINGS = {
    "svg.hashsalt": "orchestration-trace",
    "hatch.linewidth": 0.7,
    # matplotlib's default, with which hinted_width() agrees.
    "text.hinting": "default",
}

#: Type sizes in points.
_TITLE, _FACTS, _NAME, _NOTE, _TICK, _LEGEND = 12.5, 8.5, 9, 7.2, 8, 7.8
_FAINT = "#444444"
#: Inches at the sides of the page, and from a name to the axes.
MARGIN, _GAP = 0.15, 0.13
_LEAST_WIDTH = 8.6
#: Inches by which a lane is indented for each spawn above it, of which some are shown.
_INDENT, _DEEPEST = 0.14, 4
DASHED = (0, (3, 2))

#: What matplotlib is told of a mark, by its names.
Looks: TypeAlias = dict[str, Any]


def trace_style() -> AbstractContextManager[None]:
    """Return the context in which trace figures are drawn and saved."""
    return style(_SETTINGS)


class LaneName:
    """Name and note of a lane, left of it.

    Parameters
    ----------
    lane : Lane
        What is named.
    page : Page
        The layout.
    """

    def __init__(self, lane: Lane, page: Page) -> None:
        self.name_size = page.text(_NAME)
        self.note_size = page.text(_NOTE)
        self.name = drawable(lane.name, page.label, self.name_size)
        note = lane.note
        # Of a note that is too long only the first part.
        if hinted_width(note, self.note_size) > page.label:
            note, _, _ = note.partition(", ")
        self.note = drawable(note, page.label, self.note_size)
        self.indent = _INDENT * page.scale * min(lane.depth, _DEEPEST)
        self.weight = self.style = "normal"
        if lane.many:
            self.weight = "bold"
        if lane.person and not missing_glyphs(self.name, "italic"):
            self.style = "italic"

        name_width = hinted_width(self.name, self.name_size, self.weight)
        #: Inches that name and note take, indented.
        self.width = self.indent + max(name_width, hinted_width(self.note, self.note_size))
        self.height = (self.name_size + self.note_size * bool(self.note)) * 1.35 / 72

    def write(self, figure: Figure, middle: float) -> None:
        """Write both, in the middle of a lane that is so many inches from the lower edge."""
        width, height = figure.get_size_inches()
        looks: Looks = {"x": (MARGIN + self.indent) / width, "va": "center"}
        up = 0.0
        if self.note:
            up = self.note_size * 0.65 / 72
            y = (middle - self.name_size * 0.7 / 72) / height
            figure.text(y=y, s=self.note, fontsize=self.note_size, color="#5f6672", **looks)
        looks |= {"weight": self.weight, "style": self.style, "color": BLACK}
        figure.text(y=(middle + up) / height, s=self.name, fontsize=self.name_size, **looks)


def names_width(names: Iterable[LaneName]) -> float:
    """Return the inches left of the axes that names take."""
    return MARGIN + max(name.width for name in names) + _GAP


Legend: TypeAlias = list[Line2D | Patch]
"""Entries of a legend."""


class Sheet:
    """A figure with its heading above and its legend below; all sizes are in inches.

    Parameters
    ----------
    picture : Picture
        What is drawn.
    entries : Legend
        The legend.
    page : Page
        The layout.
    needed : float
        The width of what is drawn, where that of the page follows from it.
    """

    def __init__(self, picture: Picture, entries: Legend, page: Page, needed: float) -> None:
        self.page = page
        self.width = page.width or max(needed, _LEAST_WIDTH)
        self.entries = entries
        self.picture = picture
        #: Text, baseline from the top, and look of each line of the heading: nothing is cut.
        self.lines: list[tuple[str, float, Looks]] = []
        down = 0.1
        for text, points, weight, colour in (
            (picture.title, _TITLE, "bold", BLACK),
            (f"{picture.name}: {picture.facts}", _FACTS, "normal", _FAINT),
        ):
            size = page.text(points)
            # Characters set on whole pixels take more than their outlines, after which wrap()
            # breaks.
            usable = (self.width - 2 * MARGIN) / HINTED * 0.99
            looks: Looks = {"fontsize": size, "weight": weight, "color": colour}
            for line in wrap(text, usable, size, weight):
                down += size * 1.2 / 72
                self.lines.append((drawable(line, None, size, weight), down, looks))
            down += 0.04
        #: What heading and legend take; the axis of time is above the legend.
        self.above = down + 0.06
        self.size = page.text(_LEGEND)
        labels = [hinted_width(str(entry.get_label()), self.size) for entry in entries]
        column = max(labels) + self.size * 3.6 / 72
        # matplotlib does not break a legend that is too wide: it runs off the page.
        fitting = int((self.width - 2 * MARGIN) / column)
        self.columns = max(1, min(len(entries), fitting))
        rows = -(-len(entries) // self.columns)
        self.below = rows * self.size * 1.55 / 72 + 0.1
        self.axis = (13 + 2.6 * page.text(_TICK)) / 72
        self.figure = Figure(facecolor="white")

    def open(self, height: float) -> Figure:
        """Set the height, write heading and legend, and return the figure."""
        self.figure.set_size_inches(self.width, height)
        for line, down, looks in self.lines:
            self.figure.text(MARGIN / self.width, 1 - down / height, line, **looks)
        self.figure.legend(
            handles=self.entries,
            loc="lower left",
            bbox_to_anchor=(0.1 / self.width, 0.02 / height),
            ncols=self.columns,
            frameon=False,
            fontsize=self.size,
            handlelength=1.6,
            columnspacing=1.0,
            labelspacing=0.35,
            borderpad=0.1,
        )
        return self.figure

    def axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Return axes with a line below them and no other frame or ticks."""
        page_width, page_height = self.figure.get_size_inches()
        sides = (left / page_width, bottom / page_height, width / page_width, height / page_height)
        axes = self.figure.add_axes(sides)
        axes.spines[["top", "left", "right"]].set_visible(False)
        axes.spines["bottom"].set_color("#999999")
        axes.set_xticks([])
        axes.set_yticks([])
        return axes

    def time(self, axes: Axes, order: float) -> None:
        """Draw the time axis with as many times as fit, and mark where it is cut short."""
        size = self.page.text(_TICK)
        left, right = axes.get_xlim()
        unit = axes.get_position().width * self.width / (right - left)
        positions = []
        names: list[str] = []
        free_from = -inf
        for x, name in self.picture.ticks:
            half = (hinted_width(name, size) / 2 + 0.05) / unit
            # No name touches another, and of equal ones the first is written.
            if x - half >= free_from and name not in names[-1:]:
                positions.append(x)
                names.append(name)
                free_from = x + half
        axes.set_xticks(positions, names, fontsize=size, color=_FAINT)
        axes.set_xlabel(self.picture.axis_label, fontsize=size, color=_FAINT, labelpad=3)
        axes.tick_params(length=2.5, pad=2)
        half = 0.05 / unit
        for start, end in self.picture.axis.cuts:
            middle = (start + end) / 2
            axes.axvspan(middle - half, middle + half, color="white", zorder=order, linewidth=0)
            axes.text(
                middle,
                0.0,
                "//",
                ha="center",
                va="center",
                transform=axes.get_xaxis_transform(),
                fontsize=self.page.text(9.5),
                zorder=order + 1,
            )


def write_outlined(axes: Axes, x: float, y: float, text: str, **style: Any) -> None:
    """Write on top of lines: a white outline keeps the text legible."""
    outline = withStroke(linewidth=2.0, foreground="white")
    axes.text(x, y, text, va="center", path_effects=[outline], zorder=7, **style)


def draw_arrow(
    axes: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    kind: str,
    order: int,
    inferred: bool = False,
    **style: Any,
) -> None:
    """Draw an arrow that begins and ends exactly where it is asked to.

    Parameters
    ----------
    axes
        Where to draw.
    start, end
        In the units of the axes.
    kind
        A type of event or edge, which has a colour.
    order
        What has a higher one is drawn on top.
    inferred
        Whether it is dashed.
    **style
        Colour, width and gaps, as matplotlib names them for the patch of an arrow.
    """
    properties = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0}
    properties |= {"color": ARROWS.get(kind, GREY), **style}
    if inferred:
        properties["linestyle"] = DASHED
    axes.annotate("", xy=end, xytext=start, arrowprops=properties, zorder=order)


def draw_paths(
    axes: Axes, picture: Picture, heights: Sequence[float], critical: Looks, untrusted: Looks
) -> None:
    """Draw the critical path and those of untrusted content along the agents.

    Parameters
    ----------
    axes, picture
        Where to draw, and what.
    heights
        Where each lane is.
    critical, untrusted
        How the paths of each kind look.
    """
    paths = [(picture.critical, {"color": BLACK, **critical})]
    for path in picture.untrusted:
        paths.append((path, {"color": RED, **untrusted}))
    for path, looks in paths:
        xs = []
        ys = []
        for first, second in pairwise(map(picture.marks.__getitem__, path)):
            # An edge against time turns where its effect is, never behind it.
            xs += [first.x, min(first.x, second.x), second.x]
            ys += [heights[first.lane], heights[second.lane], heights[second.lane]]
        axes.plot(xs, ys, solid_joinstyle="round", zorder=3, **looks)


def line(colour: str, label: str, **style: Any) -> Line2D:
    """Return the legend entry of a line: of a path, or of a kind of arrow."""
    return Line2D([], [], color=colour, label=label, **style)


def marker(shape: str, colour: str, label: str, **style: Any) -> Line2D:
    """Return the legend entry of a mark without a line; of a stroke, which is all edge."""
    if shape == "|":
        style["markeredgewidth"] = 1.6
    return line(colour, label, marker=shape, linestyle="none", markersize=7, **style)


def path_lines(picture: Picture) -> Legend:
    """Return the legend entries of the paths that a picture has."""
    entries: Legend = [line(BLACK, "critical path", linewidth=2.6)]
    if picture.untrusted:
        entries.append(line(RED, "untrusted content", linewidth=2.6))
    return entries


def edge_lines(kinds: Iterable[str], is_inferred: bool = False) -> Legend:
    """Return the legend entries of some kinds of edges, and of inferred ones."""
    used = set(kinds)
    entries: Legend = []
    for kind, colour in ARROWS.items():
        if kind in used:
            # Without the underscores of the schema.
            name = kind.replace("_", " ")
            entries.append(line(colour, f"{name} edge"))
    if is_inferred:
        entries.append(line(GREY, "inferred", linestyle=DASHED))
    return entries
