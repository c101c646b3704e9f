"""The event graph as a matplotlib figure: every event with its id, and every edge.

Causes are to the left of their effects.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from corpus.canvas.typeface import drawable, hinted_width
from corpus.traces.draw.figure import (
    DASHED,
    LaneName,
    LegendEntry,
    Sheet,
    draw_arrow,
    edge_lines,
    names_width,
    path_lines,
)
from corpus.traces.draw.ink import ARROWS, BLACK, GREY, RED, SYMBOLS, plain, used_symbols
from corpus.traces.draw.picture import Page, Picture, is_inferred_edge, run_edges
from corpus.traces.run import Run

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


class Layout(NamedTuple):
    """Where each event is: its column and row; and the first row of each lane, and of the end."""

    column: list[int]
    row: list[int]
    tops: list[int]


def layout(run: Run, picture: Picture) -> Layout:
    """Set each event one column right of its last cause, in the rows of its agent."""
    graph = run.graph
    column = [0] * graph.size
    for source, target in graph.edges():
        column[target] = max(column[target], column[source] + 1)
    # Events of one lane and column are set below each other.
    used: dict[tuple[int, int], int] = {}
    level = [0] * graph.size
    heights = [1] * len(picture.lanes)
    for event in graph.order:
        lane = picture.marks[event].lane
        cell = (lane, column[event])
        level[event] = used.get(cell, 0)
        used[cell] = level[event] + 1
        heights[lane] = max(heights[lane], used[cell])
    tops = [0, *accumulate(heights)]
    row = [tops[mark.lane] + below for mark, below in zip(picture.marks, level, strict=True)]
    return Layout(column, row, tops)


def event_graph(run: Run, picture: Picture, page: Page) -> Figure | None:
    """Return the event graph of a run as a figure; None where its boxes do not fit the page."""
    placed = layout(run, picture)
    columns = max(placed.column) + 1
    rows = placed.tops[-1]
    ids = [drawable(plain(event.id, NAME), BOX_INCHES, _BOX_TEXT) for event in run.events]
    boxes = [hinted_width(name, _BOX_TEXT) + 0.12 for name in ids]
    names = [LaneName(lane, page) for lane in picture.lanes]
    label = names_width(names)
    needed = label + columns * (max(boxes) + GAP_INCHES) + 0.3
    sheet = Sheet(picture, _handles(picture, run), page, page.width or max(needed, 8.6))
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
        top, bottom = placed.tops[lane], placed.tops[lane + 1]
        if lane % 2 == 0:
            axes.axhspan(0.5 - top, 0.5 - bottom, color="#f4f6f9", zorder=0, linewidth=0)
        name.write(figure, height - sheet.above - pitch * (top + bottom) / 2)
    # A narrow graph is spread over the figure.
    halves = [box / 2 / (width / columns) for box in boxes]
    _edges(axes, run, picture, placed, halves)
    for event, text in enumerate(ids):
        _event(axes, picture, placed, event, text)
    return figure


def _edges(axes: Axes, run: Run, picture: Picture, placed: Layout, halves: list[float]) -> None:
    """Draw the edges from box to box; `halves` are half the widths of the boxes in columns."""
    highlights = picture.highlights()
    for kind, source, target in run_edges(run):
        is_on_path = (source, target) in highlights
        is_in_one_row = placed.row[source] == placed.row[target]
        is_far = placed.column[target] - placed.column[source] > 1
        # A straight line would run through the boxes between.
        bend = -0.18 if is_in_one_row and is_far else 0.0
        draw_arrow(
            axes,
            (placed.column[source] + halves[source], -placed.row[source]),
            (placed.column[target] - halves[target], -placed.row[target]),
            order=3 if is_on_path else 2,
            color=highlights.get((source, target), ARROWS.get(kind, GREY)),
            linewidth=2.6 if is_on_path else 1.2,
            linestyle=DASHED if is_inferred_edge(run, source, target) else "-",
            mutation_scale=9,
            connectionstyle=f"arc3,rad={bend}",
        )


def _event(axes: Axes, picture: Picture, placed: Layout, event: int, text: str) -> None:
    """Draw the box of one event, and above it the decisions made."""
    mark = picture.marks[event]
    colour = SYMBOLS[mark.kind].colour
    x = placed.column[event]
    y = -placed.row[event]
    box: dict[str, Any] = {
        "boxstyle": "round,pad=0.28",
        "facecolor": colour,
        "edgecolor": colour,
        "linewidth": 0.8,
    }
    ink = "white"
    if mark.kind in _PALE:
        ink = BLACK
    if mark.inferred:
        box |= {"facecolor": "white", "linewidth": 1.8}
        ink = BLACK
    if mark.failed:
        box |= {"edgecolor": RED, "linewidth": 1.8}
    middle: dict[str, Any] = {"ha": "center", "va": "center"}
    axes.text(x, y, text, fontsize=_BOX_TEXT, color=ink, bbox=box, zorder=5, **middle)
    axes.text(x, y + 0.36, mark.badge, fontsize=6.2, weight="bold", zorder=6, **middle)


def _handles(picture: Picture, run: Run) -> list[LegendEntry]:
    """Return the entries of the legend: what occurs in this run."""
    handles: list[LegendEntry] = []
    for symbol in used_symbols(mark.kind for mark in picture.marks).values():
        handles.append(Patch(facecolor=symbol.colour, label=symbol.name))
    edges = list(run_edges(run))
    is_inferred = any(is_inferred_edge(run, source, target) for _, source, target in edges)
    handles += edge_lines((kind for kind, _, _ in edges), is_inferred)
    return handles + path_lines(picture)
