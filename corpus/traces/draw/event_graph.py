"""The event graph as a matplotlib figure: every event with its id, and every edge.

Causes are to the left of their effects.
"""

from collections import Counter
from itertools import accumulate

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from corpus.canvas.typeface import drawable, hinted_width
from corpus.traces.draw.figure import (
    LaneName,
    Legend,
    Looks,
    Sheet,
    draw_arrow,
    edge_lines,
    names_width,
    path_lines,
)
from corpus.traces.draw.ink import BLACK, RED, SYMBOLS, plain, used_symbols
from corpus.traces.draw.picture import Page, Picture

GAP_INCHES = 0.34
ROW_INCHES = 0.52
#: Characters of an event's id.
NAME = 16
BOX_INCHES = 1.3
WIDEST = 26.0
TALLEST = 16.0
"""Inches of the largest figure; a run that needs more has no graph."""

_BOX_TEXT = 7

#: On these colours, white text is hard to read.
_PALE = ("orchestrator_decision", "tool_call")


class EventGraph:
    """Where each event is: one column right of its last cause, in the rows of its agent.

    Parameters
    ----------
    picture : Picture
        What to draw.

    Attributes
    ----------
    column, row : list of int
        Of each event.
    tops : list of int
        The first row of each lane, and the end of the last one.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        graph = picture.run.graph
        self.column = [0] * graph.size
        for source, target in graph.edges():
            self.column[target] = max(self.column[target], self.column[source] + 1)
        # Events of one lane and column are set below each other.
        used: Counter[tuple[int, int]] = Counter()
        self.row = [0] * graph.size
        heights = [1] * len(picture.lanes)
        for event in graph.order:
            lane = picture.marks[event].lane
            cell = (lane, self.column[event])
            self.row[event] = used[cell]
            used[cell] += 1
            heights[lane] = max(heights[lane], used[cell])
        self.tops = [0, *accumulate(heights)]
        for event, mark in enumerate(picture.marks):
            self.row[event] += self.tops[mark.lane]

    def draw(self, page: Page) -> Figure | None:
        """Return the figure; None where its boxes do not fit the page."""
        columns = max(self.column) + 1
        rows = self.tops[-1]
        ids = []
        boxes = []
        for id_ in self.picture.run.index:
            text = drawable(plain(id_, NAME), BOX_INCHES, _BOX_TEXT)
            ids.append(text)
            boxes.append(hinted_width(text, _BOX_TEXT) + 0.12)
        names = [LaneName(lane, page) for lane in self.picture.lanes]
        label = names_width(names)
        needed = label + columns * (max(boxes) + GAP_INCHES) + 0.3
        sheet = Sheet(self.picture, self._handles(), page, needed)
        around = sheet.above + sheet.below
        is_too_wide = needed > (page.width or WIDEST)
        is_too_high = rows * ROW_INCHES + around > (page.height or TALLEST)
        if is_too_wide or is_too_high:
            return None
        height = page.height or rows * ROW_INCHES + around
        figure = sheet.open(height)
        width = sheet.width - label - 0.2
        axes = sheet.axes(label, sheet.below, width, height - around)
        axes.set_xlim(-0.55, columns - 0.45)
        axes.set_ylim(-rows + 0.5, 0.5)
        axes.axis("off")
        pitch = (height - around) / rows
        for lane, name in enumerate(names):
            top, bottom = self.tops[lane], self.tops[lane + 1]
            if lane % 2 == 0:
                axes.axhspan(0.5 - top, 0.5 - bottom, color="#f4f6f9", zorder=0, linewidth=0)
            name.write(figure, height - sheet.above - pitch * (top + bottom) / 2)
        # A narrow graph is spread over the figure.
        self._edges(axes, [box / 2 / (width / columns) for box in boxes])
        for event, text in enumerate(ids):
            self._event(axes, event, text)
        return figure

    def _edges(self, axes: Axes, halves: list[float]) -> None:
        """Draw the edges from box to box; `halves` are half the widths of the boxes in columns."""
        column, row = self.column, self.row
        highlights = self.picture.highlights()
        for kind, source, target, inferred in self.picture.edges:
            looks: Looks = {"order": 2, "linewidth": 1.2}
            colour = highlights.get((source, target))
            if colour:
                looks = {"order": 3, "linewidth": 2.6, "color": colour}
            bend = 0.0
            if row[source] == row[target] and column[target] - column[source] > 1:
                # A straight line would run through the boxes between.
                bend = -0.18
            draw_arrow(
                axes,
                (column[source] + halves[source], -row[source]),
                (column[target] - halves[target], -row[target]),
                kind,
                inferred=inferred,
                mutation_scale=9,
                connectionstyle=f"arc3,rad={bend}",
                **looks,
            )

    def _event(self, axes: Axes, event: int, text: str) -> None:
        """Draw the box of one event, and above it the decisions made."""
        mark = self.picture.marks[event]
        colour = SYMBOLS[mark.kind].colour
        x, y = self.column[event], -self.row[event]
        box: Looks = {"facecolor": colour, "edgecolor": colour, "linewidth": 0.8}
        ink = "white"
        if mark.kind in _PALE or mark.inferred:
            ink = BLACK
        if mark.inferred:
            box |= {"facecolor": "white", "linewidth": 1.8}
        if mark.failed:
            box |= {"edgecolor": RED, "linewidth": 1.8}
        axes.text(
            x,
            y,
            text,
            fontsize=_BOX_TEXT,
            color=ink,
            bbox={"boxstyle": "round,pad=0.28", **box},
            ha="center",
            va="center",
            zorder=5,
        )
        axes.text(
            x, y + 0.36, mark.badge, fontsize=6.2, weight="bold", ha="center", va="center", zorder=6
        )

    def _handles(self) -> Legend:
        """Return the entries of the legend: what occurs in this run."""
        handles: Legend = []
        for symbol in used_symbols(self.picture.run.kinds):
            handles.append(Patch(facecolor=symbol.colour, label=symbol.name))
        edges = self.picture.edges
        is_inferred = any(inferred for _, _, _, inferred in edges)
        handles += edge_lines((edge[0] for edge in edges), is_inferred)
        return handles + path_lines(self.picture)
