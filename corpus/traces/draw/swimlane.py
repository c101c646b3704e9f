"""The swimlane as a matplotlib figure: one lane per agent, time to the right."""

from itertools import pairwise

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Patch

from corpus.canvas.typeface import drawable, hinted_width
from corpus.traces.draw.figure import (
    LaneName,
    Legend,
    Looks,
    Sheet,
    draw_arrow,
    draw_paths,
    edge_lines,
    marker,
    names_width,
    path_lines,
    write_outlined,
)
from corpus.traces.draw.ink import BAR, GREY, PERSON_BAR, RED, SYMBOLS, WORK, used_symbols
from corpus.traces.draw.picture import Arrow, EventMark, Page, Picture

LANE_INCHES = 0.62
SIDE_INCHES = 0.35
WIDEST = 22.0
LEAST_UNIT = 0.17
"""Inches between two marks below which they cannot be told apart."""
_LEAST_LANE = 0.42
_MOST_LANE = 1.25
_MOST_UNIT = 1.3
BAR_HEIGHT = 0.40

_BADGE_TEXT = 6.3
_BADGE = "#3b4252"
_BADGE_BOX: Looks = {"boxstyle": "round,pad=0.22", "facecolor": _BADGE, "edgecolor": "none"}
_WASTED: Looks = {"edgecolor": "#6b6f76", "hatch": "////"}


class Swimlane:
    """One figure; lanes run downward at y = 0, -1, -2 and so on.

    Parameters
    ----------
    picture : Picture
        What is drawn.
    page : Page
        The layout.
    """

    def __init__(self, picture: Picture, page: Page) -> None:
        self.picture = picture
        self.page = page
        steps = max(picture.width, 1.0)
        self.names = [LaneName(lane, page) for lane in picture.lanes]
        self.label = names_width(self.names)
        self.side = SIDE_INCHES * min(page.scale, 1.0)
        #: Inches per unit of the time axis.
        self.unit = min(max(0.29, 6.6 / steps), (WIDEST - self.label) / steps, 0.75)
        if page.width:
            usable = page.width - self.label - 2 * self.side - 0.05
            self.unit = min(usable / (steps + 1.4), _MOST_UNIT)
        needed = self.label + steps * self.unit + 2 * self.side
        self.sheet = Sheet(picture, self._handles(), page, needed)
        around = self.sheet.above + self.sheet.below + self.sheet.axis
        #: Inches of a lane, and those that everything needs.
        self.lane = max(LANE_INCHES * page.scale, _LEAST_LANE)
        if page.height:
            free = (page.height - around) / len(self.names)
            self.lane = min(max(free, _LEAST_LANE), _MOST_LANE)
        self.height = len(self.names) * self.lane + around
        #: Marks shrink where events are crowded.
        self.size = min(page.scale, self.unit / 0.30)
        #: What is taken by texts already, by lane and by whether they are above its middle.
        self.written: dict[tuple[int, bool], list[tuple[float, float]]] = {}

    def draw(self) -> Figure | None:
        """Return the finished figure; None where marks or lanes would be too small on the page."""
        picture = self.picture
        is_too_high = self.page.width and self.height > self.page.tallest + 1e-6
        # Least distance of two events of one lane, where that is below 1.
        least = 1.0
        for first, second in pairwise(sorted(picture.marks)):
            if first.lane == second.lane:
                least = min(least, second.x - first.x)
        is_crowded = self.unit * least < LEAST_UNIT
        if is_too_high or is_crowded or any(lane.many for lane in picture.lanes):
            return None
        lanes = len(self.names)
        height = self.page.height or self.height
        figure = self.sheet.open(height)
        # Where a fixed page has more space than the lanes need, it stays free below them.
        bottom = height - self.sheet.above - lanes * self.lane
        width = self.sheet.width - self.label - self.side
        self.axes = self.sheet.axes(self.label, bottom, width, lanes * self.lane)
        self.axes.set_xlim(-0.7, max(width / self.unit - 0.7, picture.width + 0.7))
        self.axes.set_ylim(0.5 - lanes, 0.5)
        for row, name in enumerate(self.names):
            self._lane(row)
            name.write(figure, bottom + (lanes - row - 0.5) * self.lane)
        self._work()
        draw_paths(
            self.axes,
            picture,
            range(0, -lanes, -1),
            critical={"linewidth": 3.4 * self.size, "alpha": 0.85},
            untrusted={"linewidth": 2.6 * self.size, "alpha": 0.95},
        )
        for arrow in picture.arrows:
            self._arrow(arrow)
        for mark in picture.marks:
            self._mark(mark)
        for mark in picture.marks:
            self._badge(mark)
        self.sheet.time(self.axes, 2.5)
        return figure

    def _lane(self, row: int) -> None:
        """Draw the lifetime of one lane."""
        lane = self.picture.lanes[row]
        self.axes.axhline(-row, color="#eeeeee", linewidth=0.8, zorder=0)
        looks: Looks = {"edgecolor": "#9aa7ba"}
        if lane.wasted:
            looks = _WASTED
        box = FancyBboxPatch(
            (lane.start - 0.34, -row - BAR_HEIGHT / 2),
            lane.end - lane.start + 0.68,
            BAR_HEIGHT,
            boxstyle="round,pad=0,rounding_size=0.12",
            facecolor=PERSON_BAR if lane.person else BAR,
            linewidth=0.8,
            # Without this, the corners would be ellipses: the axes have different units.
            mutation_aspect=self.unit / self.lane,
            zorder=1,
            **looks,
        )
        self.axes.add_patch(box)

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
                self._tool(span.lane, (span.start + span.end) / 2, span.label)

    def _tool(self, row: int, x: float, tool: str) -> None:
        """Write the name of a tool below a lane's middle, unless another one is there."""
        size = self.page.text(6.6)
        text = drawable(tool, self.page.label, size)
        half = hinted_width(text, size) / 2 / self.unit + 0.08
        left, right = self.axes.get_xlim()
        x = min(max(x, left + half), right - half)
        if self._take((row, False), x - half, x + half):
            write_outlined(
                self.axes,
                x,
                -row - 0.335,
                text,
                fontsize=size,
                color="#44627d",
                ha="center",
                clip_on=False,
            )

    def _take(self, line: tuple[int, bool], start: float, end: float) -> bool:
        """Reserve a stretch of a line of text; returns whether it was free."""
        taken = self.written.setdefault(line, [])
        if any(start < end_of and start_of < end for start_of, end_of in taken):
            return False
        taken.append((start, end))
        return True

    def _arrow(self, arrow: Arrow) -> None:
        """Draw an arrow from an event to the edge of the other lane's bar."""
        source = self.picture.marks[arrow.source]
        edge = BAR_HEIGHT / 2
        if arrow.lane < source.lane:
            edge = -edge
        draw_arrow(
            self.axes,
            (source.x, -source.lane),
            (source.x, -arrow.lane + edge * 0.92),
            arrow.kind,
            order=4,
            inferred=arrow.inferred,
            linewidth=1.5 * self.page.scale,
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
            fill, edge = edge, fill
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
            markeredgecolor=edge,
            markeredgewidth=edge_width,
            color=symbol.colour,
            markerfacecolor=fill,
            linestyle="none",
            zorder=5,
        )
        if mark.failed:
            self.axes.plot(
                [mark.x],
                [-mark.lane],
                marker="x",
                color=RED,
                markeredgewidth=2.2,
                linestyle="none",
                markersize=9 * self.size,
                zorder=6,
            )

    def _badge(self, mark: EventMark) -> None:
        """Write the decisions above a mark, or only the first one where there is less space."""
        size = self.page.text(_BADGE_TEXT)
        for text in (mark.badge, mark.badge.partition(" ")[0]):
            half = (hinted_width(text, size, "bold") / 2 + 0.05) / self.unit
            if text and self._take((mark.lane, True), mark.x - half, mark.x + half):
                self.axes.text(
                    mark.x,
                    -mark.lane + 0.345,
                    text,
                    va="center",
                    zorder=8,
                    bbox=_BADGE_BOX,
                    fontsize=size,
                    color="white",
                    weight="bold",
                    ha="center",
                )
                return

    def _handles(self) -> Legend:
        """Return the entries of the legend: what occurs in this run."""
        picture = self.picture
        _, _, types, badges, inferred, failed = zip(*picture.marks, strict=True)
        handles: Legend = []
        for symbol in used_symbols(types):
            handles.append(marker(symbol.marker, symbol.colour, symbol.name))
        handles += path_lines(picture)
        kinds = {arrow.kind for arrow in picture.arrows}
        is_inferred = any(arrow.inferred for arrow in picture.arrows)
        # What is sent has the colour of its symbol.
        handles += edge_lines(kinds.difference(SYMBOLS), is_inferred)
        if any(inferred):
            handles.append(marker("o", GREY, "inferred event", markerfacecolor="white"))
        if any(failed):
            handles.append(marker("x", RED, "failed", markeredgewidth=2.2))
        if any(lane.wasted for lane in picture.lanes):
            handles.append(Patch(facecolor=BAR, label="wasted spawn", **_WASTED))
        if any(badges):
            handles.append(marker("s", _BADGE, "O1-O5 decision made"))
        return handles
