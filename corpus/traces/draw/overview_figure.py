"""The overview of a large run as a matplotlib figure: bars and bundles on one page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from corpus.canvas.typeface import drawable, hinted_width
from corpus.traces.draw.figure import (
    LegendEntry,
    TextBox,
    column_count,
    draw_arrow,
    draw_cuts,
    draw_path,
    draw_time_axis,
    edge_lines,
    heading,
    keep_bottom_line,
    line,
    marker,
    row_count,
    write_legend,
    write_outlined,
)
from corpus.traces.draw.groups import AgentGroup
from corpus.traces.draw.ink import (
    ARROWS,
    BLACK,
    BUSY,
    GREY,
    LIFE,
    PERSON_BAR,
    RED,
    SYMBOLS,
    WASTED_BUSY,
    WASTED_LIFE,
    used_symbols,
)
from corpus.traces.draw.overview import Bar, Bundle, Overview, Point
from corpus.traces.draw.picture import Page
from corpus.traces.run import OUTSIDE

WIDTH = 12.0
"""Inches of a page whose width is free."""
LEAST_PITCH = 0.0135
"""Inches from one agent of a group to the next; where there is less, the group is a profile."""
_MOST_PITCH = 0.12
_HIGHEST_GROUP = 3.2
_GROUP_PADDING = 0.09
#: How much higher rows become where a page of fixed height has space left.
_MOST_SPREAD = 3.0
#: A stroke or a mark needs a bar of this height in inches.
_STROKE_FROM = 0.07
_SHORTEST_BAR = 0.0022
_ARROW_DISTANCE = 0.055
_PROFILE_LABEL = "agents at a time"
_BAND = "#f6f7f9"


class _DrawnArrow(NamedTuple):
    """A bundle with where it is drawn, in inches."""

    bundle: Bundle
    x: float
    start: float
    end: float

    def crosses(self, box: TextBox) -> bool:
        """Whether the arrow runs through a rectangle."""
        low = min(self.start, self.end)
        high = max(self.start, self.end)
        is_beside = box.left < self.x < box.right
        return is_beside and low < box.bottom and box.top < high


class _Row:
    """One row with its sizes in inches; heights on the page grow downward.

    Parameters
    ----------
    group : AgentGroup
        Its agents.
    page : Page
        The layout.
    """

    def __init__(self, group: AgentGroup, page: Page) -> None:
        self.group = group
        self.page = page
        self.name_size = page.text(8.5)
        self.note_size = page.text(7)
        self.name = drawable(group.name, page.label, self.name_size)
        note = group.note
        # Of a note that is too long only the first part.
        if hinted_width(note, self.note_size) > page.label:
            note, _, _ = note.partition(", ")
        self.note = drawable(note, page.label, self.note_size)
        self.indent = 0.11 * page.scale * min(group.depth, 4)
        self.top = 0.0
        self.height = 0.0
        #: From one agent of the row to the next.
        self.pitch = 0.0

    @property
    def label(self) -> float:
        """The width of name and note."""
        width = hinted_width(self.name, self.name_size, "bold")
        if self.group.many:
            width = max(width, hinted_width(self.note, self.note_size))
        return self.indent + width

    def needed(self, pitch: float) -> float:
        """Return the height for so many inches per agent."""
        height = self.name_size * 1.3 / 72
        if self.group.many and self.group.note:
            note_line = self.note_size * 1.3 / 72
            height = height + note_line + 0.02
        else:
            height += 0.07 * self.page.scale
        if self.group.many:
            bars = min(pitch * len(self.group.members), _HIGHEST_GROUP) + _GROUP_PADDING
            height = max(height, bars)
        return height

    def place(self, top: float, height: float) -> None:
        """Set the row below those above it."""
        self.top = top
        self.height = height
        self.pitch = height
        if self.group.many:
            self.pitch = (height - _GROUP_PADDING) / len(self.group.members)

    @property
    def is_profile(self) -> bool:
        """Whether there is no space for a bar of each agent."""
        return self.pitch < LEAST_PITCH

    @property
    def thickness(self) -> float:
        """The height of a bar."""
        if self.group.many:
            return min(self.pitch * 0.8, 0.11 * self.page.scale)
        return min(self.height * 0.6, 0.3 * self.page.scale)

    def middle(self, slot: int) -> float:
        """Return the height of an agent's bar on the page."""
        if not self.group.many:
            return self.top + self.height / 2
        return self.top + _GROUP_PADDING / 2 + self.pitch * (slot + 0.5)

    def edge(self, slot: int, lower: bool) -> float:
        """Return the lower or upper edge of a bar; of a profile, that of its row."""
        if self.is_profile:
            height = self.height - _GROUP_PADDING * 2 / 3
            return self.top + _GROUP_PADDING / 3 + height * lower
        half = self.thickness / 2
        return self.middle(slot) + half if lower else self.middle(slot) - half


class OverviewFigure:
    """One figure. Its axes run from 0 to 1 to the right, and in inches downward.

    Parameters
    ----------
    found : Overview
        What to draw.
    page : Page
        The layout.
    """

    def __init__(self, found: Overview, page: Page) -> None:
        self.found = found
        self.page = page
        self.name_size = page.text(8.5)
        self.small = page.text(7)
        self.width = page.width or WIDTH
        self.rows = [_Row(group, page) for group in found.rows]
        labels = [hinted_width(_PROFILE_LABEL, self.name_size), *(row.label for row in self.rows)]
        self.label = 0.28 + max(labels)
        self.heading = heading(found.heading, self.width, page)
        profile_height = 0.46 * page.scale if len(found.life) > 1 else 0.0
        self.handles = self._handles()
        widths = [hinted_width(str(handle.get_label()), self.small) for handle in self.handles]
        column = max(widths) + self.small * 3.6 / 72
        self.columns = column_count(self.handles, self.width, column, least=1)
        legend = row_count(self.handles, self.columns) * self.small * 1.55 / 72 + 0.06
        bottom = 0.36 * page.scale + self.small * 1.3 / 72 + legend
        gap = 0.1 * page.scale
        above = self.heading.height + profile_height + gap
        rows = self._place_rows(page.tallest - above - bottom)
        self.height = page.height or above + rows + bottom
        self.plot = self.width - self.label - 0.22 * page.scale
        self.figure = Figure(figsize=(self.width, self.height), facecolor="white")
        down = self.height - above - rows
        self.axes = self._add_axes(down, rows)
        self.axes.set_ylim(rows, 0)
        if profile_height:
            self._profile(self._add_axes(down + rows + gap, profile_height), profile_height)

    def _place_rows(self, available: float) -> float:
        """Give each row as many inches per agent as the page has; return the height of all."""
        low = 0.0
        high = _MOST_PITCH * self.page.scale
        # Bisection: the heights grow with the pitch, but not in proportion.
        for _ in range(30):
            middle = (low + high) / 2
            if sum(row.needed(middle) for row in self.rows) <= available:
                low = middle
            else:
                high = middle
        heights = [row.needed(low) for row in self.rows]
        spare = available / sum(heights)
        if self.page.height and spare > 1:
            spread = min(spare, _MOST_SPREAD)
            heights = [height * spread for height in heights]
        for number, row in enumerate(self.rows):
            row.place(sum(heights[:number]), heights[number])
        return sum(heights)

    def _add_axes(self, down: float, height: float) -> Axes:
        """Return axes right of the names; distances are in inches from the bottom of the page."""
        left = self.label / self.width
        share = self.plot / self.width
        axes = self.figure.add_axes((left, down / self.height, share, height / self.height))
        axes.set_xlim(-0.008, 1.008)
        return axes

    def draw(self) -> Figure:
        """Return the finished figure."""
        for number, row in enumerate(self.rows):
            if number % 2 == 0:
                bottom = row.top + row.height
                self.axes.axhspan(row.top, bottom, color=_BAND, zorder=0, linewidth=0)
            self._names(row)
        self._bars()
        self._strokes()
        self._path(self.found.critical, BLACK, 1.7)
        for path in self.found.untrusted:
            self._path(path, RED, 1.5)
        self._bundles()
        self._time()
        gap = 0.05 / self.plot
        draw_cuts(self.axes, self.found.cuts, gap, 4.5, fontsize=self.page.text(9), zorder=6)
        self.heading.write(self.figure)
        write_legend(
            self.figure,
            self.handles,
            self.columns,
            bottom=0.02 / self.height,
            fontsize=self.small,
            handlelength=1.6,
            columnspacing=1.0,
            labelspacing=0.35,
            borderpad=0.1,
        )
        return self.figure

    # Rows and bars

    def _names(self, row: _Row) -> None:
        """Write name and note of a row, below each other or in one line."""
        left = -(self.label - 0.15 - row.indent)
        middle = row.top + row.height / 2
        weight = "bold" if row.group.many else "normal"
        named = {"fontsize": row.name_size, "color": BLACK, "weight": weight}
        noted = {"fontsize": row.note_size, "color": "#5f6672", "weight": "normal"}
        if row.group.many and row.note:
            pitch = row.name_size * 1.25 / 72
            self._write(left, middle - pitch * 0.42, row.name, named)
            self._write(left, middle + pitch * 0.55, row.note, noted)
            return
        self._write(left, middle, row.name, named)
        used = hinted_width(row.name, row.name_size)
        free = self.label - 0.2 - row.indent - used
        if row.note and hinted_width(row.note, row.note_size) < free - 0.08:
            self._write(left + used + 0.08, middle, row.note, noted)

    def _write(self, left: float, y: float, text: str, style: dict[str, Any]) -> None:
        """Write left of the axes; `left` is in inches from their edge."""
        to_rows = self.axes.get_yaxis_transform()
        self.axes.text(
            left / self.plot, y, text, **style, va="center", transform=to_rows, clip_on=False
        )

    def _bars(self) -> None:
        profiles: dict[int, tuple[list[Bar], list[Bar]]] = {}
        for number, bars in enumerate((self.found.life, self.found.busy)):
            boxes: dict[str, list[Any]] = {}
            for bar in bars:
                row = self.rows[bar.place.row]
                if row.is_profile:
                    life_and_busy = profiles.setdefault(bar.place.row, ([], []))
                    life_and_busy[number].append(bar)
                    continue
                colour = BUSY if number else LIFE
                if bar.place in self.found.wasted:
                    colour = WASTED_BUSY if number else WASTED_LIFE
                elif bar.place.row in self.found.people and not number:
                    colour = PERSON_BAR
                half = row.thickness / 2
                top = row.middle(bar.place.slot) - half
                bottom = row.middle(bar.place.slot) + half
                # What takes no time would not be seen.
                end = max(bar.end, bar.start + _SHORTEST_BAR)
                box = [(bar.start, top), (end, top), (end, bottom), (bar.start, bottom)]
                boxes.setdefault(colour, []).append(box)
            for colour, shapes in boxes.items():
                order = 1 + number
                drawn = PolyCollection(shapes, facecolors=colour, linewidths=0, zorder=order)
                drawn.set_gid("life" if number == 0 else "busy")
                self.axes.add_collection(drawn)
        for place, (life, busy) in profiles.items():
            row = self.rows[place]
            bottom = row.top + row.height - _GROUP_PADDING / 2
            _, counts = profile(life)
            unit = (row.height - _GROUP_PADDING) / max(counts)
            wasted = [bar for bar in life if bar.place in self.found.wasted]
            layers = ((life, LIFE, 1), (busy, BUSY, 2), (wasted, WASTED_BUSY, 3))
            _draw_profile(self.axes, layers, bottom, -unit)

    def _profile(self, axes: Axes, height: float) -> None:
        """Draw above the rows how many agents there were at each time."""
        _, counts = profile(self.found.life)
        peak = max(counts)
        axes.set_ylim(0, peak * 1.02)
        _draw_profile(axes, ((self.found.life, LIFE, 1), (self.found.busy, BUSY, 1)))
        axes.set_xticks([])
        axes.set_yticks([])
        keep_bottom_line(axes, "#c5cad2")
        left = -(self.label - 0.15) / self.plot
        pitch = self.name_size * 1.25 / 72 / height
        texts = ((_PROFILE_LABEL, self.name_size, BLACK), (f"peak {peak}", self.small, GREY))
        for number, (text, size, colour) in enumerate(texts):
            axes.text(
                left,
                0.5 + pitch * (0.45 - 0.95 * number),
                drawable(text, self.label - 0.15, size),
                fontsize=size,
                color=colour,
                va="center",
                transform=axes.transAxes,
                clip_on=False,
            )

    # Events and arrows

    def _strokes(self) -> None:
        """Draw events across the bars; a bar too thin for types shows failures and people only."""
        shapes: dict[str, list[Any]] = {}
        for stroke in self.found.strokes:
            row = self.rows[stroke.place.row]
            if row.is_profile:
                continue
            half = row.thickness / 2
            is_thin = half * 2 < _STROKE_FROM
            is_always_shown = stroke.failed or stroke.kind in OUTSIDE
            # Side by side on a thin bar, strokes of many types would be one grey.
            if is_thin and not is_always_shown:
                continue
            colour = RED if stroke.failed else SYMBOLS[stroke.kind].colour
            y = row.middle(stroke.place.slot)
            upright = [(stroke.x, y - half), (stroke.x, y + half)]
            shapes.setdefault(colour, []).append(upright)
        width = 1.5 * self.page.scale
        for colour, uprights in shapes.items():
            drawn = LineCollection(
                uprights, colors=colour, linewidths=width, zorder=4, capstyle="butt"
            )
            self.axes.add_collection(drawn)

    def _path(self, points: Sequence[Point], colour: str, width: float) -> None:
        drawn = []
        for place, x in points:
            drawn.append((x, self.rows[place.row].middle(place.slot)))
        draw_path(self.axes, drawn, color=colour, linewidth=width * self.page.scale)

    def _bundles(self) -> None:
        """Draw the arrows beside each other, then their numbers where no arrow is."""
        drawn: list[_DrawnArrow] = []
        for bundle in self.found.bundles:
            # From bar to bar of the agents that it joins.
            source, target = bundle.source, bundle.target
            downward = target.row > source.row
            start = self.rows[source.row].edge(source.slot, downward)
            end = self.rows[target.row].edge(target.slot, not downward)
            wanted = _DrawnArrow(bundle, bundle.x * self.plot, start, end)
            arrow = wanted._replace(x=self._free_x(wanted, drawn))
            drawn.append(arrow)
            self._arrow(arrow)
        numbers: list[TextBox] = []
        for arrow in drawn:
            if arrow.bundle.number > 1:
                self._count(arrow, drawn, numbers)

    def _free_x(self, arrow: _DrawnArrow, drawn: Sequence[_DrawnArrow]) -> float:
        """Return where to move an arrow, in inches, that would lie on another one."""
        low = min(arrow.start, arrow.end)
        high = max(arrow.start, arrow.end)
        for step in (0, 1, -1, 2, -2, 3, -3, 4, 5, 6):
            here = arrow.x + step * _ARROW_DISTANCE
            here = min(max(here, 0.0), self.plot)
            around = TextBox(here - _ARROW_DISTANCE, here + _ARROW_DISTANCE, low, high)
            if not any(other.crosses(around) for other in drawn):
                return here
        return arrow.x

    def _arrow(self, arrow: _DrawnArrow) -> None:
        bundle = arrow.bundle
        # Each doubling of the number is one step wider.
        doublings = bundle.number.bit_length() - 1
        thickness = min(0.9 + 0.45 * doublings, 3.2)
        x = arrow.x / self.plot
        draw_arrow(
            self.axes,
            (x, arrow.start),
            (x, arrow.end),
            order=5,
            color=ARROWS.get(bundle.kind, GREY),
            linewidth=thickness * self.page.scale,
            mutation_scale=(7 + thickness) * self.page.scale,
        )

    def _count(
        self, arrow: _DrawnArrow, drawn: Sequence[_DrawnArrow], numbers: list[TextBox]
    ) -> None:
        """Write right of an arrow how many it represents, where there is space."""
        text = f"×{arrow.bundle.number:,}"
        half = self.small * 1.1 / 72 / 2
        left = arrow.x + 0.035
        right = left + hinted_width(text, self.small)
        if right > self.plot + 0.15:
            return
        # The middle of the arrow is the best place, the ends are the worst.
        for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9):
            y = arrow.start + (arrow.end - arrow.start) * share
            box = TextBox(left, right, y - half, y + half)
            if any(other is not arrow and other.crosses(box) for other in drawn):
                continue
            if any(box.overlaps(other) for other in numbers):
                continue
            numbers.append(box)
            write_outlined(
                self.axes,
                left / self.plot,
                y,
                text,
                fontsize=self.small,
                color=ARROWS.get(arrow.bundle.kind, GREY),
                zorder=7,
            )
            return

    # Axis and legend

    def _time(self) -> None:
        axes = self.axes
        size = self.page.text(7.5)

        def half_width(name: str) -> float:
            return (hinted_width(name, size) / 2 + 0.05) / self.plot

        sizes = (size, self.page.text(8))
        label = self.found.heading.axis
        ticks = self.found.ticks
        for x in draw_time_axis(axes, ticks, half_width, sizes, label, labelpad=2):
            axes.axvline(x, color="#e3e6eb", linewidth=0.6, zorder=0.5)
        axes.tick_params(length=2.5, pad=2)

    def _handles(self) -> list[LegendEntry]:
        """Return the entries of the legend: what occurs in this run."""
        found = self.found
        handles: list[LegendEntry] = [Patch(facecolor=LIFE, label="agent there")]
        if found.busy:
            handles.append(Patch(facecolor=BUSY, label="agent busy"))
        if found.wasted:
            handles.append(Patch(facecolor=WASTED_BUSY, label="wasted agent"))
        handles.append(line(BLACK, "critical path", linewidth=2))
        if found.untrusted:
            handles.append(line(RED, "untrusted content", linewidth=2))
        if any(stroke.failed for stroke in found.strokes):
            handles.append(_stroke_entry(RED, "failed"))
        kinds = [stroke.kind for stroke in found.strokes if not stroke.failed]
        for symbol in used_symbols(kinds).values():
            handles.append(_stroke_entry(symbol.colour, symbol.name))
        handles += edge_lines(bundle.kind for bundle in found.bundles)
        return handles


def _stroke_entry(colour: str, name: str) -> Line2D:
    return marker("|", colour, name, markersize=7, markeredgewidth=1.8)


def _draw_profile(
    axes: Axes, layers: Iterable[tuple[list[Bar], str, int]], bottom: float = 0.0, unit: float = 1.0
) -> None:
    """Draw how many bars of each list there are, one on top of the other."""
    for bars, colour, order in layers:
        xs, counts = profile(bars)
        heights = [bottom + count * unit for count in counts]
        axes.fill_between(xs, heights, bottom, step="post", color=colour, linewidth=0, zorder=order)


def profile(bars: Iterable[Bar]) -> tuple[list[float], list[int]]:
    """Return how many bars there are from each position on, as positions and numbers."""
    changes: dict[float, int] = {0.0: 0}
    for bar in bars:
        end = max(bar.end, bar.start + _SHORTEST_BAR)
        changes[bar.start] = changes.get(bar.start, 0) + 1
        changes[end] = changes.get(end, 0) - 1
    xs = sorted(changes)
    counts = []
    count = 0
    for x in xs:
        count += changes[x]
        counts.append(count)
    return xs, counts
