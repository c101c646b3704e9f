"""The swimlane as a matplotlib figure: one lane per agent, time to the right."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, Patch

from corpus.canvas.typeface import drawable, hinted_width, missing_glyphs
from corpus.traces.draw.figure import (
    LegendEntry,
    column_count,
    draw_arrow,
    draw_cuts,
    draw_path,
    draw_time_axis,
    edge_lines,
    heading,
    line,
    marker,
    row_count,
    write_legend,
    write_outlined,
)
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
from corpus.traces.draw.picture import Arrow, EventMark, Lane, Page, Picture

LANE_INCHES = 0.62
SIDE_INCHES = 0.35
AXIS_INCHES = 0.66
LEGEND_INCHES = 0.2
WIDEST = 22.0
LEAST_UNIT = 0.17
"""Inches between two marks below which they cannot be told apart."""
_LEAST_LANE = 0.42
_MOST_LANE = 1.25
_MOST_UNIT = 1.3
BAR_HEIGHT = 0.40
INDENT = 3
FAILED: dict[str, Any] = {"marker": "x", "color": RED, "markeredgewidth": 2.2, "linestyle": "none"}

_NAME_TEXT = 9.5
_ROLE_TEXT = 7.5
_BADGE_TEXT = 6.3
_TICK_TEXT = 8
_BADGE = "#3b4252"
_BADGE_BOX: dict[str, Any] = {
    "boxstyle": "round,pad=0.22",
    "facecolor": _BADGE,
    "edgecolor": "none",
}
_WASTED_EDGE = "#6b6f76"
_HATCH = "////"
_DASHED = (0, (3, 2))


class Swimlane:
    """One figure; lanes run downward at y = 0, -1, -2 and so on.

    Parameters
    ----------
    picture : Picture
        What to draw.
    page : Page
        The layout.
    """

    def __init__(self, picture: Picture, page: Page) -> None:
        self.picture = picture
        self.page = page
        self.name_size = page.text(_NAME_TEXT)
        self.role_size = page.text(_ROLE_TEXT)
        steps = max(picture.width, 1.0)
        self.names = [self._names(lane) for lane in picture.lanes]
        name_widths = [hinted_width(name, self.name_size) for name, _ in self.names]
        role_widths = [hinted_width(role, self.role_size) for _, role in self.names]
        #: Inches left of the lanes, and inches per unit of the time axis.
        widest = max(*name_widths, *role_widths)
        self.label = 0.15 + 0.3 * page.scale + widest
        self.side = SIDE_INCHES * min(page.scale, 1.0)
        self.unit = self._unit(steps)
        needed = self.label + steps * self.unit + 2 * self.side
        width = page.width or max(needed, 8.6)
        self.heading = heading(picture.heading, width, page)
        self.handles = self._handles()
        self.legend_size = page.text(7.8)
        # Sizes of the legend are those of its text of 7.8 points.
        entry = 1.42 * self.legend_size / 7.8
        self.columns = column_count(self.handles, width, entry)
        legend_row = LEGEND_INCHES * self.legend_size / 7.8
        self.bottom = AXIS_INCHES + legend_row * row_count(self.handles, self.columns)
        lanes = len(picture.lanes)
        free = page.height - self.heading.height - self.bottom
        self.lane = min(max(free / lanes, _LEAST_LANE), _MOST_LANE)
        if not page.height:
            self.lane = max(LANE_INCHES * page.scale, _LEAST_LANE)
        height = page.height or lanes * self.lane + self.heading.height + self.bottom
        self.figure = Figure(figsize=(width, height), facecolor="white")
        self.axes = self._axes(width, height, lanes)
        #: Marks shrink where events are crowded.
        self.size = min(page.scale, self.unit / 0.30)
        #: What is taken by texts already, by lane and by whether they are above its middle.
        self.written: dict[tuple[int, bool], list[tuple[float, float]]] = {}

    @property
    def legible(self) -> bool:
        """Whether marks and lanes are large enough on this page, and the page large enough."""
        lanes = len(self.picture.lanes) * self.lane
        needed = lanes + self.heading.height + self.bottom
        is_low_enough = not self.page.width or needed <= self.page.tallest + 1e-6
        are_marks_apart = self.unit * self.picture.least_gap >= LEAST_UNIT
        return is_low_enough and are_marks_apart

    def _unit(self, steps: float) -> float:
        """Return the inches of a unit of the time axis."""
        if self.page.width:
            usable = self.page.width - self.label - 2 * self.side - 0.05
            return min(usable / (steps + 1.4), _MOST_UNIT)
        wanted = max(0.29, 6.6 / steps)
        possible = (WIDEST - self.label) / steps
        return min(wanted, possible, 0.75)

    def _axes(self, width: float, height: float, lanes: int) -> Axes:
        left = self.label / width
        right = self.side / width
        # Where a fixed page has more space than the lanes need, it stays free below them.
        down = height - self.heading.height - lanes * self.lane
        place = (left, down / height, 1 - left - right, lanes * self.lane / height)
        axes = self.figure.add_axes(place)
        units = (width - self.label - self.side) / self.unit
        axes.set_xlim(-0.7, max(units - 0.7, self.picture.width + 0.7))
        axes.set_ylim(-lanes + 0.45, 0.55)
        return axes

    def draw(self) -> Figure:
        """Return the finished figure."""
        for row, lane in enumerate(self.picture.lanes):
            self._lane(row, lane)
            self._lane_name(row, lane)
        self._work()
        self._path(self.picture.critical, BLACK, 3.4, 0.85)
        for path in self.picture.untrusted:
            self._path(path, RED, 2.6, 0.95)
        for arrow in self.picture.arrows:
            self._arrow(arrow)
        for mark in self.picture.marks:
            self._mark(mark)
        for mark in self.picture.marks:
            self._badge(mark.lane, mark.x, mark.badge)
        self._time()
        draw_cuts(self.axes, self.picture.cuts, 0.3, order=2.5, fontsize=10)
        self.heading.write(self.figure)
        write_legend(
            self.figure,
            self.handles,
            self.columns,
            bottom=0.01,
            fontsize=self.legend_size,
            handlelength=1.9,
            columnspacing=1.2,
        )
        return self.figure

    def _lane(self, row: int, lane: Lane) -> None:
        """Draw the lifetime of one lane."""
        self.axes.axhline(-row, color="#eeeeee", linewidth=0.8, zorder=0)
        fill = PERSON_BAR if lane.person else BAR
        edge = _WASTED_EDGE if lane.wasted else "#9aa7ba"
        hatch = _HATCH if lane.wasted else None
        box = FancyBboxPatch(
            (lane.start - 0.34, -row - BAR_HEIGHT / 2),
            lane.end - lane.start + 0.68,
            BAR_HEIGHT,
            boxstyle="round,pad=0,rounding_size=0.12",
            facecolor=fill,
            edgecolor=edge,
            linewidth=0.8,
            hatch=hatch,
            # Without this, the corners would be ellipses: the axes have different units.
            mutation_aspect=self.unit / self.lane,
            zorder=1,
        )
        self.axes.add_patch(box)

    def _lane_name(self, row: int, lane: Lane) -> None:
        name, role = self.names[row]
        # In inches: higher lanes do not pull name and role apart.
        offset = 0.07 / self.lane if role else 0.0
        is_slanted = lane.person and not missing_glyphs(name, "italic")
        axes_width = self.figure.get_figwidth() - self.label - self.side
        edge = -(self.label - 0.15) / axes_width
        slant = "italic" if is_slanted else "normal"
        place: dict[str, Any] = {
            "transform": self.axes.get_yaxis_transform(),
            "va": "center",
            "clip_on": False,
        }
        self.axes.text(
            edge, -row + offset, name, fontsize=self.name_size, style=slant, color=BLACK, **place
        )
        if role:
            self.axes.text(
                edge,
                -row - 0.125 / self.lane,
                role,
                fontsize=self.role_size,
                color="#5f6672",
                **place,
            )

    def _work(self) -> None:
        """Draw the stretches in which a lane was busy, with the tool below."""
        for span in self.picture.work:
            y = -span.lane
            if span.end > span.start:
                self.axes.plot(
                    [span.start, span.end],
                    [y, y],
                    color=WORK,
                    linewidth=9 * self.size,
                    solid_capstyle="butt",
                    zorder=2,
                )
            if span.label:
                middle = (span.start + span.end) / 2
                self._tool(span.lane, middle, span.label)

    def _tool(self, row: int, x: float, tool: str) -> None:
        """Write the name of a tool below a lane's middle, unless another one is there."""
        size = self.page.text(6.6)
        text = drawable(tool, self.page.label, size)
        half = hinted_width(text, size) / 2 / self.unit + 0.08
        left, right = self.axes.get_xlim()
        x = min(max(x, left + half), right - half)
        if not self._take((row, False), x - half, x + half):
            return
        write_outlined(
            self.axes,
            x,
            -row - 0.335,
            text,
            fontsize=size,
            color="#44627d",
            ha="center",
            zorder=7,
            clip_on=False,
            outline=2.2,
        )

    def _take(self, line: tuple[int, bool], start: float, end: float) -> bool:
        """Reserve a stretch of a line of text; returns whether it was free."""
        taken = self.written.setdefault(line, [])
        for other_start, other_end in taken:
            if start < other_end and other_start < end:
                return False
        taken.append((start, end))
        return True

    def _path(self, events: list[int], colour: str, width: float, alpha: float) -> None:
        marks = [self.picture.marks[event] for event in events]
        points = [(mark.x, -mark.lane) for mark in marks]
        draw_path(self.axes, points, color=colour, linewidth=width * self.size, alpha=alpha)

    def _arrow(self, arrow: Arrow) -> None:
        """Draw an arrow from an event to the edge of the other lane's bar."""
        source = self.picture.marks[arrow.source]
        half = BAR_HEIGHT / 2
        edge = half if arrow.lane > source.lane else -half
        pattern = _DASHED if arrow.inferred else "-"
        draw_arrow(
            self.axes,
            (source.x, -source.lane),
            (source.x, -arrow.lane + edge * 0.92),
            order=4,
            color=ARROWS.get(arrow.kind, GREY),
            linewidth=1.5 * self.page.scale,
            linestyle=pattern,
            mutation_scale=10 * self.page.scale,
            # Begins outside of the mark.
            shrinkA=4,
        )

    def _mark(self, mark: EventMark) -> None:
        symbol = SYMBOLS[mark.kind]
        size = 8.5
        fill = symbol.colour
        edge = "white"
        edge_width = 0.7
        if mark.inferred:
            fill = "white"
            edge = symbol.colour
            edge_width = 1.2
        if symbol.marker == "|":
            # A stroke has no face: its edge is all there is of it.
            size = 10
            edge = symbol.colour
            edge_width = 2.0 * self.size
        self.axes.plot(
            [mark.x],
            [-mark.lane],
            marker=symbol.marker,
            markersize=size * self.size,
            color=symbol.colour,
            markerfacecolor=fill,
            markeredgecolor=edge,
            markeredgewidth=edge_width,
            linestyle="none",
            zorder=5,
        )
        if mark.failed:
            cross = 9 * self.size
            self.axes.plot([mark.x], [-mark.lane], **FAILED, markersize=cross, zorder=6)

    def _badge(self, row: int, x: float, text: str) -> None:
        """Write the decisions above a mark, or only the first one where there is less space."""
        if not text:
            return
        size = self.page.text(_BADGE_TEXT)
        text_width = 0.66 * size / 72 * len(text)
        half = (text_width / 2 + 0.05) / self.unit
        if not self._take((row, True), x - half, x + half):
            first, *others = text.split()
            if others:
                self._badge(row, x, first)
            return
        self.axes.text(
            x,
            -row + 0.345,
            text,
            fontsize=size,
            color="white",
            weight="bold",
            ha="center",
            va="center",
            zorder=8,
            bbox=_BADGE_BOX,
        )

    def _time(self) -> None:
        size = self.page.text(_TICK_TEXT)

        def half_width(name: str) -> float:
            text_width = 0.62 * size / 72 * len(name)
            return (text_width / 2 + 0.06) / self.unit

        sizes = (size, self.page.text(8.5))
        label = self.picture.heading.axis
        draw_time_axis(self.axes, self.picture.ticks, half_width, sizes, label)

    def _names(self, lane: Lane) -> tuple[str, str]:
        """Return name and role of a lane as drawn, indented by its depth in the spawn tree."""
        indent = " " * INDENT * min(lane.depth, 4)
        branch = "└ " if lane.depth else ""
        name = indent + branch + drawable(lane.name, self.page.label, self.name_size)
        if not lane.role:
            return name, ""
        below_branch = "   " if lane.depth else ""
        role = drawable(lane.role, self.page.label, self.role_size)
        return name, indent + below_branch + role

    def _handles(self) -> list[LegendEntry]:
        """Return the entries of the legend: what occurs in this run."""
        picture = self.picture
        marks = picture.marks
        handles: list[LegendEntry] = []
        for symbol in used_symbols(mark.kind for mark in marks).values():
            # A stroke is all edge.
            style = {"markeredgewidth": 1.5} if symbol.marker == "|" else {}
            handles.append(
                marker(symbol.marker, symbol.colour, symbol.name, markersize=7.0, **style)
            )
        handles.append(line(BLACK, "critical path", linewidth=3.2))
        if picture.untrusted:
            handles.append(line(RED, "untrusted content", linewidth=2.6))
        if any(arrow.inferred for arrow in picture.arrows):
            handles.append(line(GREY, "inferred", linewidth=1.5, linestyle=_DASHED))
        handles += edge_lines(arrow.kind for arrow in picture.arrows)
        if any(mark.inferred for mark in marks):
            handles.append(marker("o", GREY, "inferred event", markerfacecolor="white"))
        if any(mark.failed for mark in marks):
            handles.append(Line2D([], [], **FAILED, markersize=7, label="failed"))
        if any(lane.wasted for lane in picture.lanes):
            wasted = Patch(facecolor=BAR, edgecolor=_WASTED_EDGE, hatch=_HATCH)
            wasted.set_label("wasted spawn")
            handles.append(wasted)
        if any(mark.badge for mark in marks):
            handles.append(marker("s", _BADGE, "O1-O5 decision made"))
        return handles
