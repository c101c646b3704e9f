"""The graph of a large run as a matplotlib figure: agents as a tree, and what went between them.

Every row of the tree is one agent or a group of them. Spawns are the branches on the left; all
other arrows are arcs on the right, each with how many events it represents.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, NamedTuple

from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch
from matplotlib.path import Path

from corpus.canvas.typeface import drawable, hinted_width
from corpus.printing.grid import plural
from corpus.traces.draw.figure import TextBox, heading, write_outlined
from corpus.traces.draw.groups import AgentGroup
from corpus.traces.draw.ink import ARROWS, BLACK, GREY, LIFE, PERSON_BAR, WASTED_LIFE
from corpus.traces.draw.legend import (
    LegendEntry,
    column_count,
    line,
    row_count,
    words,
    write_legend,
)
from corpus.traces.draw.page import Page
from corpus.traces.draw.picture import (
    Heading,
    critical_path,
    lane_arrows,
    lanes_of,
    run_heading,
    useful_agents,
)
from corpus.traces.run import Run

ROW_INCHES: Final = 0.42
_LEAST_ROW: Final = 0.24
_BOX: Final = 0.68
_INDENT: Final = 0.3
_ARCS: Final = 2.6
_EDGE: Final = "#9aa7ba"


class Link(NamedTuple):
    """All arrows of one kind from one row to another."""

    kind: str
    source: int
    target: int
    number: int

    @property
    def length(self) -> int:
        """Rows from one end to the other."""
        return abs(self.source - self.target)


class Node(NamedTuple):
    """One row of the tree.

    Attributes
    ----------
    group : AgentGroup
        Its agents.
    parent : int
        The row of the agent that spawned them; -1 at a root.
    level : int
        Rows above it in the tree.
    events : int
        What they did, in events.
    wasted, person, critical : bool
        Whether nothing they did reached the end; somebody outside the team; on the critical path.
    """

    group: AgentGroup
    parent: int
    level: int
    events: int
    wasted: bool
    person: bool
    critical: bool


class AgentTree(NamedTuple):
    """Who spawned whom, and what went between them."""

    heading: Heading
    nodes: list[Node]
    links: list[Link]


def agent_tree(run: Run, most: int) -> AgentTree:
    """Return the agents of a run as at most `most` nodes."""
    rows, row_of = lanes_of(run, most)
    events = Counter(row_of)
    critical = {row_of[event] for event in critical_path(run)}
    useful = useful_agents(run)
    row_of_name: dict[str, int] = {}
    for row, group in enumerate(rows):
        row_of_name.update(dict.fromkeys(group.members, row))
    nodes: list[Node] = []
    for row, group in enumerate(rows):
        first = group.members[0]
        spawner = run.parents.get(first, "")
        parent = row_of_name.get(spawner, -1)
        # Agents that spawned each other in a circle have no root: the first one becomes it.
        if parent >= row:
            parent = -1
        is_spawned = parent >= 0
        node = Node(
            group=group,
            parent=parent,
            level=nodes[parent].level + 1 if is_spawned else 0,
            events=events[row],
            wasted=is_spawned and useful.isdisjoint(group.members),
            person=first in run.outsiders,
            critical=row in critical,
        )
        nodes.append(node)
    counts: Counter[tuple[str, int, int]] = Counter()
    for arrow in lane_arrows(run, rows, row_of):
        counts[arrow.kind, row_of[arrow.source], arrow.lane] += 1
    links = [Link(*key, count) for key, count in counts.items()]
    span = run.finish - min(run.times)
    heading_texts = run_heading(run, span, stretched=False, cut=False)
    return AgentTree(heading_texts, nodes, links)


class _ArcEnd(NamedTuple):
    """One end of an arc: how many rows below it the other end is, and which arc it is."""

    rows_down: int
    number: int
    is_source: bool


class AgentGraph:
    """One figure; its axes are in inches, downward from the first row.

    Parameters
    ----------
    tree : AgentTree
        What to draw.
    page : Page
        The layout.
    """

    def __init__(self, tree: AgentTree, page: Page) -> None:
        self.tree = tree
        self.page = page
        self.name_size = page.text(9)
        self.note_size = page.text(7.2)
        self.small = page.text(7.5)
        self.width = page.width or max(self._needed() + _ARCS + 0.2, 8.6)
        self.heading = heading(tree.heading, self.width, page)
        self.handles = self._handles()
        entry = self.small * 13.5 / 72
        self.columns = column_count(self.handles, self.width, entry)
        legend_rows = row_count(self.handles, self.columns)
        self.bottom = 0.15 + legend_rows * self.small * 1.6 / 72
        count = len(tree.nodes)
        tallest = (page.tallest - self.heading.height - self.bottom) / count
        self.row = max(min(ROW_INCHES * page.scale, tallest), _LEAST_ROW)
        # A page of fixed height is filled.
        if page.height:
            self.row = max(min(tallest, 0.75), _LEAST_ROW)
        rows = self.row * count
        self.height = page.height or self.heading.height + rows + self.bottom
        deepest = max(node.level for node in tree.nodes)
        self.arcs = min(_ARCS * page.scale, self.width * 0.34)
        #: Right end of every box, in inches.
        self.right = self.width - self.arcs - 0.1
        self.indent = min(_INDENT * page.scale, self.right * 0.4 / max(deepest, 1))
        self.links = [link for link in tree.links if not self._is_branch(link)]
        # Short arcs are inside long ones.
        self.links.sort(key=lambda link: (link.length, link.source, link.kind))
        self.ports = self._ports()
        self.figure = Figure(figsize=(self.width, self.height), facecolor="white")
        down = self.height - self.heading.height - rows
        place = (0, down / self.height, 1, rows / self.height)
        self.axes = self.figure.add_axes(place)
        self.axes.set_xlim(0, self.width)
        self.axes.set_ylim(rows, 0)
        self.axes.axis("off")
        #: What the numbers at arcs take already.
        self.counts: list[TextBox] = []

    def draw(self) -> Figure:
        """Return the finished figure."""
        for row in range(len(self.tree.nodes)):
            self._box(row)
        for link in self.tree.links:
            if self._is_branch(link):
                self._branch(link)
        for number, link in enumerate(self.links):
            self._arc(link, number)
        self.heading.write(self.figure)
        write_legend(
            self.figure,
            self.handles,
            self.columns,
            bottom=0.02 / self.height,
            fontsize=self.small,
            handlelength=1.6,
            columnspacing=1.0,
            borderpad=0.1,
        )
        return self.figure

    def _needed(self) -> float:
        """Return the right end of the widest box, in inches."""
        widest = 0.0
        for node in self.tree.nodes:
            done = plural(node.events, "event")
            texts = hinted_width(node.group.name, self.name_size)
            texts += hinted_width(node.group.note + done, self.note_size)
            left = 0.15 + node.level * _INDENT
            widest = max(widest, left + texts + 0.7)
        return min(widest, 8.0)

    def _ports(self) -> dict[tuple[int, bool], float]:
        """Return where each arc begins and ends, in inches from the middle of a box.

        Arcs that go up are above those that go down, so that they do not cross at the box.
        """
        of_row: dict[int, list[_ArcEnd]] = {}
        for number, link in enumerate(self.links):
            rows_down = link.target - link.source
            of_row.setdefault(link.source, []).append(_ArcEnd(rows_down, number, True))
            of_row.setdefault(link.target, []).append(_ArcEnd(-rows_down, number, False))
        ports: dict[tuple[int, bool], float] = {}
        for ends in of_row.values():
            # From the top: short arcs upward, long arcs upward, long arcs downward, short ones.
            ends.sort(key=lambda end: (end.rows_down > 0, -end.rows_down, -end.number))
            step = self.row * _BOX * 0.8 / len(ends)
            middle = (len(ends) - 1) / 2
            for position, end in enumerate(ends):
                ports[end.number, end.is_source] = (position - middle) * step
        return ports

    def _is_branch(self, link: Link) -> bool:
        return link.kind == "spawn" and self.tree.nodes[link.target].parent == link.source

    def _left(self, row: int) -> float:
        return 0.15 + self.tree.nodes[row].level * self.indent

    def _middle(self, row: int) -> float:
        return (row + 0.5) * self.row

    def _box(self, row: int) -> None:
        """Draw one node: name on the left, what it did on the right."""
        node = self.tree.nodes[row]
        left = self._left(row)
        middle = self._middle(row)
        height = self.row * _BOX
        fill = LIFE
        if node.wasted:
            fill = WASTED_LIFE
        elif node.person:
            fill = PERSON_BAR
        edge = BLACK if node.critical else _EDGE
        edge_width = 1.6 if node.critical else 0.8
        box = FancyBboxPatch(
            (left, middle - height / 2),
            self.right - left,
            height,
            boxstyle="round,pad=0,rounding_size=0.05",
            facecolor=fill,
            edgecolor=edge,
            linewidth=edge_width,
            zorder=2,
        )
        self.axes.add_patch(box)
        # The number of events is never cut; the name takes what it leaves.
        done = drawable(plural(node.events, "event"), None, self.note_size)
        used = hinted_width(done, self.note_size)
        self._note(self.right - 0.07 - used, middle, done)
        free = self.right - left - used - 0.28
        name = drawable(node.group.name, free, self.name_size)
        self._text(left + 0.08, middle, name, fontsize=self.name_size, color=BLACK)
        used = hinted_width(name, self.name_size) + 0.1
        note = drawable(node.group.note, None, self.note_size)
        if note and hinted_width(note, self.note_size) < free - used:
            self._note(left + 0.08 + used, middle, note)

    def _note(self, x: float, y: float, text: str) -> None:
        self._text(x, y, text, fontsize=self.note_size, color="#5f6672")

    def _text(self, x: float, y: float, text: str, **style: Any) -> None:
        self.axes.text(x, y, text, **style, va="center_baseline", zorder=3)

    def _branch(self, link: Link) -> None:
        """Draw a spawn from below the left end of a box to the left end of another one."""
        trunk = self._left(link.source) + self.indent * 0.4
        start = self._middle(link.source) + self.row * _BOX / 2
        end = self._middle(link.target)
        left = self._left(link.target)
        corners = [(trunk, start), (trunk, end), (left, end)]
        path = Path(corners, [Path.MOVETO, Path.LINETO, Path.LINETO])
        # The number of a branch is that of its group: it is not written again.
        self._arrow(path, link)

    def _arc(self, link: Link, number: int) -> None:
        """Draw an arrow from the right end of a box to that of another one."""
        share = link.length / max(len(self.tree.nodes) - 1, 1)
        # Arcs of equal length differ a little, or they would cover each other.
        share_of_order = (number + 1) / len(self.links)
        share = (share + share_of_order) / 2
        reach = self.arcs * (0.08 + 0.62 * share)
        start = self._middle(link.source) + self.ports[number, True]
        end = self._middle(link.target) + self.ports[number, False]
        # A Bézier curve reaches three quarters of the way to its control points.
        control = self.right + reach * 4 / 3
        points = [(self.right, start), (control, start), (control, end), (self.right, end)]
        path = Path(points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
        self._arrow(path, link)
        if link.number > 1:
            self._count(link, reach, start, end)

    def _arrow(self, path: Path, link: Link) -> None:
        # Each doubling of the number is one step wider.
        doublings = link.number.bit_length() - 1
        thickness = min(1.0 + 0.35 * doublings, 3.2) * self.page.scale
        arrow = FancyArrowPatch(
            path=path,
            arrowstyle="-|>",
            color=ARROWS.get(link.kind, GREY),
            linewidth=thickness,
            mutation_scale=7 * self.page.scale + thickness,
            joinstyle="round",
            capstyle="butt",
            zorder=4,
        )
        self.axes.add_patch(arrow)

    def _count(self, link: Link, reach: float, start: float, end: float) -> None:
        """Write at an arc how many arrows it represents, where no other number is."""
        text = f"×{link.number:,}"
        width = hinted_width(text, self.small) + 0.02
        half = self.small * 1.15 / 72 / 2
        for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78):
            # The curve, at this share of its way.
            across = 4 * share * (1 - share)
            along = share * share * (3 - 2 * share)
            x = self.right + reach * across + 0.03
            y = start + (end - start) * along
            box = TextBox(x, x + width, y - half, y + half)
            # At the turn of the arc there may be no space, nearer to its ends there is.
            if box.right > self.width - 0.02:
                continue
            if any(box.overlaps(other) for other in self.counts):
                continue
            self.counts.append(box)
            colour = ARROWS.get(link.kind, GREY)
            write_outlined(self.axes, x, y, text, fontsize=self.small, color=colour, zorder=6)
            return

    def _handles(self) -> list[LegendEntry]:
        used = {link.kind for link in self.tree.links}
        nodes = self.tree.nodes
        handles: list[LegendEntry] = []
        for kind, colour in ARROWS.items():
            if kind in used:
                handles.append(line(colour, words(kind), linewidth=2))
        critical = "on the critical path"
        handles.append(Patch(facecolor="white", edgecolor=BLACK, linewidth=1.6, label=critical))
        if any(node.wasted for node in nodes):
            handles.append(_box_entry(WASTED_LIFE, "wasted"))
        if any(node.person for node in nodes):
            handles.append(_box_entry(PERSON_BAR, "outside the team"))
        return handles


def _box_entry(colour: str, label: str) -> Patch:
    return Patch(facecolor=colour, edgecolor=_EDGE, label=label)
