"""The overview of a large run as a matplotlib figure: bars and bundles of arrows on one page.

Every agent has a bar and every arrow between rows is in a bundle, while rows and bundles are
bounded whatever the size of the run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.transforms import Bbox

from corpus.canvas.typeface import hinted_width
from corpus.traces.draw.figure import (
    LaneName,
    Legend,
    Sheet,
    draw_arrow,
    draw_paths,
    edge_lines,
    marker,
    names_width,
    path_lines,
    write_outlined,
)
from corpus.traces.draw.ink import (
    ARROWS,
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
from corpus.traces.draw.lanes import Lane, lanes_of, rows_by_name
from corpus.traces.draw.picture import EVERYONE, SPREAD, Page, Picture
from corpus.traces.measures.steps import steps
from corpus.traces.measures.timing import intervals, merged
from corpus.traces.run import OUTSIDE, Run

STROKED = frozenset(
    (*OUTSIDE, "orchestrator_decision", "spawn", "despawn", "message", "return", "aggregate")
)
"""Event types that have a stroke of their own; calls and results are part of the bars."""
#: Places of strokes along the axis: what is nearer could not be told apart in print.
_STROKES_PER_AXIS = 1500
#: Share of the axis within which arrows are one bundle.
_NEAR = 0.012
WIDTH = 12.0
"""Inches of a page whose width is free."""
LEAST_PITCH = 0.0135
"""Inches from one agent of a row to the next; where there is less, the row is a profile."""
_MOST_PITCH = 0.12
_HIGHEST_ROW = 3.2
_ROW_PADDING = 0.09
#: How much higher rows become where a page of fixed height has space left.
_MOST_SPREAD = 3.0
#: A stroke needs a bar of this height in inches.
_STROKE_FROM = 0.07
_SHORTEST_BAR = 0.0022
_ARROW_DISTANCE = 0.055
_BAND = "#f6f7f9"

#: From one position on the axis to another.
Stretch: TypeAlias = tuple[float, float]


class _Row:
    """One row with its sizes in inches; heights on the page grow downward.

    Parameters
    ----------
    number : int
        Its position from the top.
    lane : Lane
        Its agents.
    page : Page
        The layout.
    """

    def __init__(self, number: int, lane: Lane, page: Page) -> None:
        self.number = number
        self.lane = lane
        self.scale = page.scale
        self.name = LaneName(lane, page)
        #: In the order in which they began.
        self.agents: list[Agent] = []
        self.top = 0.0
        self.height = 0.0

    def needed(self, pitch: float) -> float:
        """Return the height for so many inches per agent."""
        height = self.name.height + 0.05 * self.scale
        if self.lane.many:
            bars = min(pitch * len(self.lane.members), _HIGHEST_ROW) + _ROW_PADDING
            height = max(height, bars)
        return height

    @property
    def pitch(self) -> float:
        """Inches from one agent of the row to the next."""
        return (self.height - _ROW_PADDING) / len(self.lane.members)

    @property
    def is_profile(self) -> bool:
        """Whether there is no space for a bar of each agent."""
        return self.pitch < LEAST_PITCH

    @property
    def thickness(self) -> float:
        """The height of a bar."""
        if self.lane.many:
            return min(self.pitch * 0.8, 0.11 * self.scale)
        return min(self.height * 0.6, 0.3 * self.scale)


class Agent:
    """One agent of a row, and its bar.

    Parameters
    ----------
    lane : Lane
        The agent alone.
    row : _Row
        Where it is shown.
    """

    def __init__(self, lane: Lane, row: _Row) -> None:
        self.lane = lane
        self.row = row
        #: When it worked, as far as that is known.
        self.busy: list[Stretch] = []
        self.life = (lane.start, lane.end)
        #: Its position among the agents of the row.
        self.slot = 0

    @property
    def middle(self) -> float:
        """The height of its bar on the page."""
        return self.row.top + _ROW_PADDING / 2 + self.row.pitch * (self.slot + 0.5)

    def edge(self, lower: bool) -> float:
        """Return the lower or upper edge of its bar; of a profile, that of its row."""
        row = self.row
        if row.is_profile:
            height = row.height - _ROW_PADDING * 2 / 3
            return row.top + _ROW_PADDING / 3 + height * lower
        return self.middle + row.thickness * (lower - 0.5)


@dataclass
class Bundle:
    """Arrows of one kind from row to row at about one time.

    Attributes
    ----------
    kind : str
        A type of event, or of edge.
    x : float
        Where the first one begins.
    sources, targets : list of Agent
        Whom each arrow joins.
    """

    kind: str
    x: float
    sources: list[Agent]
    targets: list[Agent]

    @property
    def ends(self) -> tuple[float, float]:
        """Where it begins and ends: at the bars that are nearest to each other."""
        downward = self.targets[0].row.number > self.sources[0].row.number
        starts = [agent.edge(downward) for agent in self.sources]
        ends = [agent.edge(not downward) for agent in self.targets]
        if downward:
            return max(starts), min(ends)
        return min(starts), max(ends)


def bundled(found: Picture, agents: Sequence[Agent], most: int) -> list[Bundle]:
    """Join arrows of one kind between the same rows that are near each other in time.

    Where there are more than `most` bundles, arrows further apart are joined as well.
    """
    # Bundles are made in one pass, which needs the arrows by time.
    arrows = sorted(found.arrows, key=lambda arrow: found.marks[arrow.source].x)
    near = _NEAR
    while True:
        bundles = []
        latest: dict[tuple[str, int, int], Bundle] = {}
        for arrow in arrows:
            mark = found.marks[arrow.source]
            source, target = agents[mark.lane], agents[arrow.lane]
            if source.row is target.row:
                continue
            key = (arrow.kind, source.row.number, target.row.number)
            if key not in latest or mark.x - latest[key].x > near:
                latest[key] = Bundle(arrow.kind, mark.x, [], [])
                bundles.append(latest[key])
            latest[key].sources.append(source)
            latest[key].targets.append(target)
        # Beyond the whole axis, there is one bundle for each kind and pair of rows.
        if len(bundles) <= most or near >= 1:
            return bundles
        near *= 1.7


class Overview:
    """One figure. Its axes run from 0 to 1 to the right, and in inches downward.

    Parameters
    ----------
    run : Run
        What to draw.
    page : Page
        The layout.
    axis_kind : {"spread", "time"}
        Whether long pauses are cut.
    """

    def __init__(self, run: Run, page: Page, axis_kind: str = SPREAD) -> None:
        self.page = page
        self.picture = Picture(run, EVERYONE, axis_kind, crowded=True)
        shared, _ = lanes_of(run, page.rows)
        self.rows = [_Row(number, lane, page) for number, lane in enumerate(shared)]
        row_of = rows_by_name(shared)
        found = self.picture
        #: One for each lane of the picture.
        self.agents = [Agent(lane, self.rows[row_of[lane.members[0]]]) for lane in found.lanes]
        lane_of = rows_by_name(found.lanes)
        for event, name, start, end in intervals(run, steps(run).weights):
            if end > start:
                agent = self.agents[lane_of.get(name, found.marks[event].lane)]
                agent.busy.append((found.axis.along(start), found.axis.along(end)))
        # Gaps that nobody could see in print are closed, which keeps the number of bars bounded.
        for agent in sorted(self.agents, key=lambda agent: agent.lane.start):
            if agent.busy:
                agent.busy = merged(agent.busy, 1 / _STROKES_PER_AXIS)
            agent.slot = len(agent.row.agents)
            agent.row.agents.append(agent)
        #: Agents of which a profile shows how many there were at a time.
        self.team = [agent for agent in self.agents if not agent.lane.person]
        self.bundles = bundled(self.picture, self.agents, page.bundles)
        _, counts = profile([agent.life for agent in self.team])
        self.profile_name = LaneName(Lane((), "agents at a time", f"peak {max(counts)}", 0), page)

    def draw(self) -> Figure:
        """Return the finished figure."""
        page = self.page
        sheet = Sheet(self.picture, self.handles(), page, WIDTH)
        label = names_width([self.profile_name, *(row.name for row in self.rows)])
        #: Inches of the axes.
        self.plot = sheet.width - label - 0.22 * page.scale
        profile_height = 0.46 * page.scale
        gap = 0.1 * page.scale
        around = sheet.above + profile_height + gap + sheet.axis + sheet.below
        rows = self._place_rows(page.tallest - around)
        height = page.height or around + rows
        figure = sheet.open(height)
        down = height - sheet.above - profile_height
        above = sheet.axes(label, down, self.plot, profile_height)
        self.axes = sheet.axes(label, down - gap - rows, self.plot, rows)
        for axes in (above, self.axes):
            axes.set_xlim(-0.008, 1.008)
        self.axes.set_ylim(rows, 0)
        above.set_ylim(0, profile_height * 1.02)
        _draw_profile(above, self.team, 0.0, profile_height)
        self.profile_name.write(figure, down + profile_height / 2)
        for row in self.rows:
            if row.number % 2 == 0:
                bottom = row.top + row.height
                self.axes.axhspan(row.top, bottom, color=_BAND, zorder=0, linewidth=0)
            row.name.write(figure, down - gap - row.top - row.height / 2)
        self._bars()
        self._strokes()
        draw_paths(
            self.axes,
            self.picture,
            [agent.middle for agent in self.agents],
            critical={"linewidth": 1.7 * page.scale},
            untrusted={"linewidth": 1.5 * page.scale},
        )
        self._bundles()
        sheet.time(self.axes, 4.5)
        self.axes.set_axisbelow(True)
        self.axes.grid(axis="x", color="#e3e6eb", linewidth=0.6)
        return figure

    def _place_rows(self, available: float) -> float:
        """Give each row as many inches per agent as the page has; return the height of all."""

        def needed(pitch: float) -> float:
            return sum(row.needed(pitch) for row in self.rows)

        low = 0.0
        high = _MOST_PITCH * self.page.scale
        # Bisection: the heights grow with the pitch, but not in proportion.
        for _ in range(30):
            middle = (low + high) / 2
            if needed(middle) <= available:
                low = middle
            else:
                high = middle
        spread = 1.0
        if self.page.height:
            spread = min(max(available / needed(low), 1.0), _MOST_SPREAD)
        top = 0.0
        for row in self.rows:
            row.top = top
            row.height = row.needed(low) * spread
            top += row.height
        return top

    # Rows and bars

    def _bars(self) -> None:
        for agent in self.agents:
            if agent.row.is_profile:
                continue
            life, busy = LIFE, BUSY
            if agent.lane.wasted:
                life, busy = WASTED_LIFE, WASTED_BUSY
            elif agent.lane.person:
                life = PERSON_BAR
            for order, stretches, colour in ((1, [agent.life], life), (2, agent.busy, busy)):
                # What takes no time would not be seen.
                widths = [(start, max(end - start, _SHORTEST_BAR)) for start, end in stretches]
                self.axes.broken_barh(
                    widths,
                    (agent.edge(False), agent.row.thickness),
                    facecolor=colour,
                    linewidth=0,
                    zorder=order,
                )
        for row in self.rows:
            if row.is_profile:
                bottom = row.top + row.height - _ROW_PADDING / 2
                _draw_profile(self.axes, row.agents, bottom, _ROW_PADDING - row.height)

    # Events and arrows

    def _strokes(self) -> None:
        """Draw events across the bars; a bar too thin for types shows failures and people only."""
        # Position, lower and upper edge, by colour and by what can be told apart in print.
        strokes: dict[str, dict[tuple[Agent, int], tuple[float, ...]]] = {}
        for mark in self.picture.marks:
            agent = self.agents[mark.lane]
            # Side by side on a thin bar, strokes of many types would be one grey.
            is_typed = mark.kind in STROKED and agent.row.thickness >= _STROKE_FROM
            is_shown = mark.failed or mark.kind in OUTSIDE or is_typed
            if is_shown and not agent.row.is_profile:
                colour = SYMBOLS[mark.kind].colour
                if mark.failed:
                    colour = RED
                at = (agent, round(mark.x * _STROKES_PER_AXIS))
                strokes.setdefault(colour, {})[at] = (mark.x, agent.edge(False), agent.edge(True))
        for colour, of_colour in strokes.items():
            xs, lows, highs = zip(*of_colour.values(), strict=True)
            self.axes.vlines(
                xs,
                lows,
                highs,
                colors=colour,
                linewidth=1.5 * self.page.scale,
                # Of several events at one point, a failed one is shown.
                zorder=4 + 0.1 * (colour == RED),
                capstyle="butt",
            )

    def _bundles(self) -> None:
        """Draw the arrows beside each other, then their numbers where no arrow is."""
        taken: list[Bbox] = []
        for bundle in self.bundles:
            start, end = bundle.ends
            top, bottom = sorted(bundle.ends)
            arrow = self._beside(bundle.x * self.plot, top, bottom, taken)
            taken.append(arrow)
            x = arrow.x0 / self.plot
            # Each doubling of the number is one step wider.
            doublings = len(bundle.sources).bit_length() - 1
            thickness = min(0.9 + 0.45 * doublings, 3.2)
            draw_arrow(
                self.axes,
                (x, start),
                (x, end),
                bundle.kind,
                order=5,
                linewidth=thickness * self.page.scale,
                mutation_scale=(7 + thickness) * self.page.scale,
            )
        for bundle, arrow in zip(self.bundles, list(taken), strict=True):
            if len(bundle.sources) > 1:
                self._count(bundle, arrow, taken)

    def _beside(self, x: float, top: float, bottom: float, taken: list[Bbox]) -> Bbox:
        """Return where an arrow is, moved aside where it would lie on another one."""
        for step in (0, 1, -1, 2, -2, 3, -3, 4, 5, 6):
            aside = min(max(x + step * _ARROW_DISTANCE, 0.0), self.plot)
            arrow = Bbox.from_extents(aside, top, aside, bottom)
            around = arrow.padded(_ARROW_DISTANCE, 0)
            if not any(map(around.fully_overlaps, taken)):
                return arrow
        return Bbox.from_extents(x, top, x, bottom)

    def _count(self, bundle: Bundle, arrow: Bbox, taken: list[Bbox]) -> None:
        """Write right of an arrow how many it represents, where there is space."""
        text = f"×{len(bundle.sources):,}"
        size = self.page.text(7)
        half = size * 1.1 / 72 / 2
        left = arrow.x0 + 0.035
        right = left + hinted_width(text, size)
        if right > self.plot + 0.15:
            return
        # The middle of the arrow is the best place, the ends are the worst.
        for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9):
            y = arrow.y0 + arrow.height * share
            box = Bbox.from_extents(left, y - half, right, y + half)
            if not any(map(box.fully_overlaps, taken)):
                taken.append(box)
                write_outlined(
                    self.axes,
                    left / self.plot,
                    y,
                    text,
                    fontsize=size,
                    color=ARROWS.get(bundle.kind, GREY),
                )
                return

    def handles(self) -> Legend:
        """Return the entries of the legend: what occurs in this run."""
        found = self.picture
        handles: Legend = [Patch(facecolor=LIFE, label="agent there")]
        if any(agent.busy for agent in self.agents):
            handles.append(Patch(facecolor=BUSY, label="agent busy"))
        if any(lane.wasted for lane in found.lanes):
            handles.append(Patch(facecolor=WASTED_BUSY, label="wasted agent"))
        handles += path_lines(found)
        if any(mark.failed for mark in found.marks):
            handles.append(marker("|", RED, "failed"))
        kinds = {mark.kind for mark in found.marks if not mark.failed}
        for symbol in used_symbols(kinds & STROKED):
            handles.append(marker("|", symbol.colour, symbol.name))
        arrows = {bundle.kind for bundle in self.bundles}
        handles += edge_lines(arrows.difference(SYMBOLS))
        return handles


def _draw_profile(axes: Axes, agents: Sequence[Agent], bottom: float, height: float) -> None:
    """Draw how many of some agents there were at each time, were busy, and were wasted."""
    life = [agent.life for agent in agents]
    busy = list(chain.from_iterable(agent.busy for agent in agents))
    wasted = [agent.life for agent in agents if agent.lane.wasted]
    _, most = profile(life)
    layers = ((life, LIFE), (busy, BUSY), (wasted, WASTED_BUSY))
    for order, (stretches, colour) in enumerate(layers, 1):
        xs, counts = profile(stretches)
        heights = bottom + counts * height / max(*most, 1)
        axes.fill_between(xs, heights, bottom, step="post", color=colour, linewidth=0, zorder=order)


def profile(stretches: list[Stretch]) -> tuple[np.ndarray, np.ndarray]:
    """Return how many stretches there are from each position on, as positions and numbers."""
    starts, ends = np.array(stretches).reshape(-1, 2).T
    ends = np.maximum(ends, starts + _SHORTEST_BAR)
    xs = np.unique([0.0, *starts, *ends])
    begun = np.searchsorted(np.sort(starts), xs, side="right")
    over = np.searchsorted(np.sort(ends), xs, side="right")
    return xs, begun - over
