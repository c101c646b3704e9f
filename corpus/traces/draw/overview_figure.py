"""The overview of a large run as a matplotlib figure: bars and bundles on one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from corpus.traces.draw.overview import Bar, Bundle, Overview, Place, Point
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
        self.note_size = page.text(7)
        self.small = page.text(7)
        self.width = page.width or WIDTH
        self.indent = 0.11 * page.scale
        self.labels = [self._label_texts(group) for group in found.rows]
        self.label = 0.28 + max(self._label_widths())
        self.heading = heading(found.heading, self.width, page)
        self.profile = 0.46 * page.scale if len(found.life) > 1 else 0.0
        self.handles = self._handles()
        self.columns, legend = self._legend_size()
        axis_label = self.small * 1.3 / 72
        self.bottom = 0.36 * page.scale + axis_label + legend
        gap = 0.1 * page.scale
        above = self.heading.height + self.profile + gap
        self.heights = self._heights(page.tallest - above - self.bottom)
        self.tops = [sum(self.heights[:row]) for row in range(len(self.heights))]
        rows = sum(self.heights)
        self.height = page.height or above + rows + self.bottom
        self.plot = self.width - self.label - 0.22 * page.scale
        self.figure = Figure(figsize=(self.width, self.height), facecolor="white")
        down = self.height - above - rows
        self.axes = self._add_axes(down, rows)
        self.axes.set_ylim(rows, 0)
        if self.profile:
            self._profile(self._add_axes(down + rows + gap, self.profile))
        #: Inches of a bar, and from one agent of a row to the next.
        self.pitches = [self._pitch(row) for row in range(len(self.heights))]

    def _add_axes(self, down: float, height: float) -> Axes:
        """Return axes right of the names; distances are in inches from the bottom of the page."""
        left = self.label / self.width
        share = self.plot / self.width
        axes = self.figure.add_axes((left, down / self.height, share, height / self.height))
        axes.set_xlim(-0.008, 1.008)
        return axes

    def draw(self) -> Figure:
        """Return the finished figure."""
        for row in range(len(self.found.rows)):
            self._row(row)
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

    # Sizes

    def _label_texts(self, group: AgentGroup) -> tuple[str, str]:
        """Return name and note as drawn; where a note is too long, only its first part."""
        name = drawable(group.name, self.page.label, self.name_size)
        note = group.note
        if hinted_width(note, self.note_size) > self.page.label:
            note, _, _ = note.partition(", ")
        note = drawable(note, self.page.label, self.note_size)
        return name, note

    def _indent(self, row: int) -> float:
        return self.indent * min(self.found.rows[row].depth, 4)

    def _label_widths(self) -> Iterator[float]:
        yield hinted_width(_PROFILE_LABEL, self.name_size)
        for row, (name, note) in enumerate(self.labels):
            indent = self._indent(row)
            yield indent + hinted_width(name, self.name_size, "bold")
            if self.found.rows[row].many:
                yield indent + hinted_width(note, self.note_size)

    def _least_height(self, group: AgentGroup) -> float:
        name_line = self.name_size * 1.3 / 72
        if group.many and group.note:
            note_line = self.note_size * 1.3 / 72
            return name_line + note_line + 0.02
        return name_line + 0.07 * self.page.scale

    def _heights(self, available: float) -> list[float]:
        """Return the height of each row: as many inches per agent as the page has for them."""
        low = 0.0
        high = _MOST_PITCH * self.page.scale
        # Bisection: the heights grow with the pitch, but not in proportion.
        for _ in range(30):
            middle = (low + high) / 2
            if sum(self._row_heights(middle)) <= available:
                low = middle
            else:
                high = middle
        heights = self._row_heights(low)
        spare = available / sum(heights)
        if self.page.height and spare > 1:
            spread = min(spare, _MOST_SPREAD)
            heights = [height * spread for height in heights]
        return heights

    def _row_heights(self, pitch: float) -> list[float]:
        heights = []
        for group in self.found.rows:
            height = self._least_height(group)
            if group.many:
                bars = min(pitch * len(group.members), _HIGHEST_GROUP) + _GROUP_PADDING
                height = max(height, bars)
            heights.append(height)
        return heights

    def _pitch(self, row: int) -> float:
        group = self.found.rows[row]
        if not group.many:
            return self.heights[row]
        return (self.heights[row] - _GROUP_PADDING) / len(group.members)

    def _is_profile(self, row: int) -> bool:
        return self.pitches[row] < LEAST_PITCH

    def _middle(self, place: Place) -> float:
        """Return the height of an agent's bar on the page."""
        row = place.row
        top = self.tops[row]
        if not self.found.rows[row].many:
            return top + self.heights[row] / 2
        first = top + _GROUP_PADDING / 2
        return first + self.pitches[row] * (place.slot + 0.5)

    def _thickness(self, row: int) -> float:
        """Return the height of the bars of a row."""
        if self.found.rows[row].many:
            return min(self.pitches[row] * 0.8, 0.11 * self.page.scale)
        return min(self.heights[row] * 0.6, 0.3 * self.page.scale)

    # Rows and bars

    def _row(self, row: int) -> None:
        """Draw the background and the name of one row."""
        top = self.tops[row]
        height = self.heights[row]
        if row % 2 == 0:
            bottom = top + height
            self.axes.axhspan(top, bottom, color=_BAND, zorder=0, linewidth=0)
        group = self.found.rows[row]
        name, note = self.labels[row]
        left = -(self.label - 0.15 - self._indent(row))
        middle = top + height / 2
        if group.many and note:
            pitch = self.name_size * 1.25 / 72
            self._name(left, middle - pitch * 0.42, name, "bold")
            self._note(left, middle + pitch * 0.55, note)
            return
        weight = "bold" if group.many else "normal"
        self._name(left, middle, name, weight)
        used = hinted_width(name, self.name_size)
        free = self.label - 0.2 - self._indent(row) - used
        if note and hinted_width(note, self.note_size) < free - 0.08:
            self._note(left + used + 0.08, middle, note)

    def _name(self, left: float, y: float, text: str, weight: str) -> None:
        self._text(left, y, text, fontsize=self.name_size, color=BLACK, weight=weight)

    def _note(self, left: float, y: float, text: str) -> None:
        self._text(left, y, text, fontsize=self.note_size, color="#5f6672", weight="normal")

    def _text(self, left: float, y: float, text: str, **style: Any) -> None:
        """Write left of the axes; `left` is in inches from their edge."""
        self.axes.text(
            left / self.plot,
            y,
            text,
            **style,
            va="center",
            transform=self.axes.get_yaxis_transform(),
            clip_on=False,
        )

    def _bars(self) -> None:
        profiles: dict[int, tuple[list[Bar], list[Bar]]] = {}
        for number, bars in enumerate((self.found.life, self.found.busy)):
            boxes: dict[str, list[Any]] = {}
            for bar in bars:
                row = bar.place.row
                if self._is_profile(row):
                    life_and_busy = profiles.setdefault(row, ([], []))
                    life_and_busy[number].append(bar)
                    continue
                colour = self._colour(bar.place, number)
                boxes.setdefault(colour, []).append(self._box(bar))
            for colour, shapes in boxes.items():
                order = 1 + number
                drawn = PolyCollection(shapes, facecolors=colour, linewidths=0, zorder=order)
                drawn.set_gid("life" if number == 0 else "busy")
                self.axes.add_collection(drawn)
        for row, (life, busy) in profiles.items():
            self._group_profile(row, life, busy)

    def _colour(self, place: Place, busy: int) -> str:
        if place in self.found.wasted:
            return WASTED_BUSY if busy else WASTED_LIFE
        if place.row in self.found.people and not busy:
            return PERSON_BAR
        return BUSY if busy else LIFE

    def _box(self, bar: Bar) -> list[tuple[float, float]]:
        half = self._thickness(bar.place.row) / 2
        middle = self._middle(bar.place)
        # What takes no time would not be seen.
        end = max(bar.end, bar.start + _SHORTEST_BAR)
        return [
            (bar.start, middle - half),
            (end, middle - half),
            (end, middle + half),
            (bar.start, middle + half),
        ]

    def _group_profile(self, row: int, life: list[Bar], busy: list[Bar]) -> None:
        """Draw how many agents of a group were there and how many worked."""
        height = self.heights[row]
        bottom = self.tops[row] + height - _GROUP_PADDING / 2
        _, counts = profile(life)
        unit = (height - _GROUP_PADDING) / max(counts)
        wasted = [bar for bar in life if bar.place in self.found.wasted]
        layers = ((life, LIFE), (busy, BUSY), (wasted, WASTED_BUSY))
        for number, (bars, colour) in enumerate(layers):
            xs, counts = profile(bars)
            heights = [bottom - count * unit for count in counts]
            self.axes.fill_between(
                xs, heights, bottom, step="post", color=colour, linewidth=0, zorder=1 + number
            )

    def _profile(self, axes: Axes) -> None:
        """Draw above the rows how many agents there were at each time."""
        xs, counts = profile(self.found.life)
        peak = max(counts)
        axes.set_ylim(0, peak * 1.02)
        axes.fill_between(xs, counts, step="post", color=LIFE, linewidth=0)
        xs, counts = profile(self.found.busy)
        axes.fill_between(xs, counts, step="post", color=BUSY, linewidth=0)
        axes.set_xticks([])
        axes.set_yticks([])
        keep_bottom_line(axes, "#c5cad2")
        left = -(self.label - 0.15) / self.plot
        pitch = self.name_size * 1.25 / 72 / self.profile
        texts = ((_PROFILE_LABEL, self.name_size, BLACK), (f"peak {peak}", self.note_size, GREY))
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
            row = stroke.place.row
            if self._is_profile(row):
                continue
            half = self._thickness(row) / 2
            is_thin = half * 2 < _STROKE_FROM
            is_always_shown = stroke.failed or stroke.kind in OUTSIDE
            # Side by side on a thin bar, strokes of many types would be one grey.
            if is_thin and not is_always_shown:
                continue
            colour = RED if stroke.failed else SYMBOLS[stroke.kind].colour
            y = self._middle(stroke.place)
            upright = [(stroke.x, y - half), (stroke.x, y + half)]
            shapes.setdefault(colour, []).append(upright)
        width = 1.5 * self.page.scale
        for colour, uprights in shapes.items():
            drawn = LineCollection(
                uprights, colors=colour, linewidths=width, zorder=4, capstyle="butt"
            )
            self.axes.add_collection(drawn)

    def _path(self, points: Sequence[Point], colour: str, width: float) -> None:
        drawn = [(point.x, self._middle(point.place)) for point in points]
        draw_path(self.axes, drawn, color=colour, linewidth=width * self.page.scale)

    def _bundles(self) -> None:
        """Draw the arrows beside each other, then their numbers where no arrow is."""
        drawn: list[_DrawnArrow] = []
        for bundle in self.found.bundles:
            # From bar to bar of the agents that it joins.
            downward = bundle.target.row > bundle.source.row
            start = self._edge(bundle.source, downward)
            end = self._edge(bundle.target, not downward)
            wanted = _DrawnArrow(bundle, bundle.x * self.plot, start, end)
            arrow = wanted._replace(x=self._free_x(wanted, drawn))
            drawn.append(arrow)
            self._arrow(arrow)
        numbers: list[TextBox] = []
        for arrow in drawn:
            if arrow.bundle.number > 1:
                self._count(arrow, drawn, numbers)

    def _edge(self, place: Place, lower: bool) -> float:
        """Return the lower or upper edge of a bar; of a profile, that of its row."""
        if self._is_profile(place.row):
            top = self.tops[place.row] + _GROUP_PADDING / 3
            height = self.heights[place.row] - _GROUP_PADDING * 2 / 3
            return top + height * lower
        half = self._thickness(place.row) / 2
        middle = self._middle(place)
        return middle + half if lower else middle - half

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

    def _legend_size(self) -> tuple[int, float]:
        """Return how many columns the legend has, and its height."""
        widths = [hinted_width(str(handle.get_label()), self.small) for handle in self.handles]
        column = max(widths) + self.small * 3.6 / 72
        columns = column_count(self.handles, self.width, column, least=1)
        rows = row_count(self.handles, columns)
        return columns, rows * self.small * 1.55 / 72 + 0.06

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
