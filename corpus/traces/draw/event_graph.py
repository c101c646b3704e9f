"""The event graph as a matplotlib figure: every event with its id, and every edge.

Causes are to the left of their effects.
"""

from __future__ import annotations

from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from corpus.canvas.typeface import drawable, hinted_width
from corpus.traces.draw.figure import (
    LegendEntry,
    draw_arrow,
    heading,
    line,
    row_count,
    words,
    write_legend,
)
from corpus.traces.draw.ink import ARROWS, BLACK, GREY, RED, SYMBOLS, plain, used_symbols
from corpus.traces.draw.picture import (
    EventMark,
    Page,
    Picture,
    is_inferred_edge,
    lanes_of,
    run_edges,
)
from corpus.traces.run import Run

GAP_INCHES = 0.34
ROW_INCHES = 0.52
#: Characters of an event's id.
NAME = 16
BOX_INCHES = 1.3
LANE_INCHES = 3.0
WIDEST = 26.0
TALLEST = 16.0
"""Inches of the largest figure; a run that needs more has no graph."""

_BOX_TEXT = 7
_LANE_TEXT = 9
_DASHED = (0, (3, 2))

#: On these colours, white text is hard to read.
_PALE = ("orchestrator_decision", "tool_call")


class Band(NamedTuple):
    """The rows of one lane: its name, its first row and how many there are."""

    name: str
    top: int
    height: int


class Layout(NamedTuple):
    """Where each event is.

    Attributes
    ----------
    column, row : list of int
        Of each event.
    bands : list of Band
        The lanes from the top down.
    names : list of str
        The text of each event's box.
    boxes : list of float
        The width of each box, in inches.
    inches : float
        The width of a column.
    """

    column: list[int]
    row: list[int]
    bands: list[Band]
    names: list[str]
    boxes: list[float]
    inches: float

    def start_of(self, event: int) -> tuple[float, float]:
        """Return the left end of an event's box, in columns and rows."""
        return self.column[event] - self._half(event), -self.row[event]

    def end_of(self, event: int) -> tuple[float, float]:
        """Return the right end of an event's box, in columns and rows."""
        return self.column[event] + self._half(event), -self.row[event]

    def _half(self, event: int) -> float:
        return self.boxes[event] / 2 / self.inches


def layout(run: Run) -> Layout:
    """Set each event one column right of its last cause, in the rows of its agent."""
    graph = run.graph
    column = [0] * graph.size
    for source, target in graph.edges():
        column[target] = max(column[target], column[source] + 1)

    rows, lane_of = lanes_of(run)
    # Events of one lane and column are set below each other.
    used: dict[tuple[int, int], int] = {}
    level = [0] * graph.size
    heights = [1] * len(rows)
    for event in graph.order:
        lane = lane_of[event]
        cell = (lane, column[event])
        level[event] = used.get(cell, 0)
        used[cell] = level[event] + 1
        heights[lane] = max(heights[lane], used[cell])

    bands = []
    top = 0
    for group, height in zip(rows, heights, strict=True):
        name = drawable(group.name, LANE_INCHES, _LANE_TEXT)
        bands.append(Band(name, top, height))
        top += height
    row = [bands[lane].top + below for lane, below in zip(lane_of, level, strict=True)]

    ids = [plain(event.id, NAME) for event in run.events]
    names = [drawable(name, BOX_INCHES, _BOX_TEXT) for name in ids]
    boxes = [hinted_width(name, _BOX_TEXT) + 0.12 for name in names]
    return Layout(column, row, bands, names, boxes, max(boxes) + GAP_INCHES)


def event_graph(run: Run, picture: Picture, page: Page) -> Figure | None:
    """Return the event graph of a run as a figure; None where its boxes do not fit the page."""
    placed = layout(run)
    columns = max(placed.column) + 1
    rows = sum(band.height for band in placed.bands)
    label = 0.5 + max(hinted_width(band.name, _LANE_TEXT) for band in placed.bands)
    needed = label + columns * placed.inches + 0.3
    width = page.width or max(needed, 8.6)
    title = heading(picture.heading, width, page)
    handles = _handles(picture, run)
    legend_columns = max(2, int((width - 0.3) / 1.55))
    bottom = 0.2 + 0.2 * row_count(handles, legend_columns)
    needed_height = rows * ROW_INCHES + title.height + bottom
    height = page.height or needed_height
    is_too_wide = needed > (page.width or WIDEST)
    is_too_high = needed_height > (page.height or TALLEST)
    if is_too_wide or is_too_high:
        return None
    figure = Figure(figsize=(width, height), facecolor="white")
    graph_width = width - label - 0.2
    place = (
        label / width,
        bottom / height,
        1 - (label + 0.2) / width,
        (height - title.height - bottom) / height,
    )
    axes = figure.add_axes(place)
    # A narrow graph is spread over the figure.
    placed = placed._replace(inches=graph_width / columns)
    axes.set_xlim(-0.55, columns - 0.45)
    axes.set_ylim(-rows + 0.5, 0.5)
    axes.axis("off")
    _bands(axes, placed, label / graph_width)
    _edges(axes, run, picture, placed)
    for event, mark in enumerate(picture.marks):
        _event(axes, mark, placed, event)
    title.write(figure)
    write_legend(figure, handles, legend_columns, bottom=0.01, fontsize=7.8, columnspacing=1.2)
    return figure


def _bands(axes: Axes, placed: Layout, left: float) -> None:
    """Draw a band for each lane, every other one tinted, with its name on the left."""
    for number, band in enumerate(placed.bands):
        if number % 2 == 0:
            top = -band.top + 0.5
            bottom = -band.top - band.height + 0.5
            axes.axhspan(top, bottom, color="#f4f6f9", zorder=0, linewidth=0)
        axes.text(
            -left * 0.94,
            -band.top - (band.height - 1) / 2,
            band.name,
            fontsize=_LANE_TEXT,
            color=BLACK,
            transform=axes.get_yaxis_transform(),
            va="center",
            clip_on=False,
        )


def _edges(axes: Axes, run: Run, picture: Picture, placed: Layout) -> None:
    highlights = picture.highlights()
    for kind, source, target in run_edges(run):
        is_on_path = (source, target) in highlights
        colour = highlights.get((source, target), ARROWS.get(kind, GREY))
        pattern = _DASHED if is_inferred_edge(run, source, target) else "-"
        is_in_one_row = placed.row[source] == placed.row[target]
        is_far = placed.column[target] - placed.column[source] > 1
        # A straight line would run through the boxes between.
        bend = -0.18 if is_in_one_row and is_far else 0.0
        draw_arrow(
            axes,
            placed.end_of(source),
            placed.start_of(target),
            order=3 if is_on_path else 2,
            color=colour,
            linewidth=2.6 if is_on_path else 1.2,
            linestyle=pattern,
            mutation_scale=9,
            connectionstyle=f"arc3,rad={bend}",
        )


def _event(axes: Axes, mark: EventMark, placed: Layout, event: int) -> None:
    """Draw the box of one event, and above it the decisions made."""
    symbol = SYMBOLS[mark.kind]
    x = placed.column[event]
    y = -placed.row[event]
    is_pale = mark.inferred or mark.kind in _PALE
    is_marked = mark.inferred or mark.failed
    fill = "white" if mark.inferred else symbol.colour
    ink = BLACK if is_pale else "white"
    edge = RED if mark.failed else symbol.colour
    edge_width = 1.8 if is_marked else 0.8
    axes.text(
        x,
        y,
        placed.names[event],
        fontsize=_BOX_TEXT,
        color=ink,
        ha="center",
        va="center",
        bbox={
            "boxstyle": "round,pad=0.28",
            "facecolor": fill,
            "edgecolor": edge,
            "linewidth": edge_width,
        },
        zorder=5,
    )
    if mark.badge:
        axes.text(
            x, y + 0.36, mark.badge, fontsize=6.2, ha="center", va="center", weight="bold", zorder=6
        )


def _handles(picture: Picture, run: Run) -> list[LegendEntry]:
    """Return the entries of the legend: what occurs in this run."""
    handles: list[LegendEntry] = []
    kinds = [mark.kind for mark in picture.marks]
    for symbol in used_symbols(kinds).values():
        handles.append(Patch(facecolor=symbol.colour, label=symbol.name))
    edge_types = {edge.type for edge in run.trace.edges}
    for edge_type, colour in ARROWS.items():
        if edge_type in edge_types:
            handles.append(line(colour, f"{words(edge_type)} edge"))
    handles.append(line(BLACK, "critical path", linewidth=2.6))
    if picture.untrusted:
        handles.append(line(RED, "untrusted content", linewidth=2.6))
    if any(is_inferred_edge(run, source, target) for _, source, target in run_edges(run)):
        handles.append(line(GREY, "inferred", linestyle=_DASHED))
    return handles
