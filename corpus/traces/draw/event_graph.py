"""The event graph as a matplotlib figure: every event with its id, every edge, causes to the left of their effects."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from corpus.traces.draw.figure import drawable, heading, inches
from corpus.traces.draw.ink import ARROWS, BLACK, GREY, RED, SIGNS
from corpus.traces.draw.picture import Picture, doubtful, lanes_of
from corpus.traces.draw.wording import plain
from corpus.traces.run import Run

GAP_INCHES: Final = 0.34
ROW_INCHES: Final = 0.52
NAME: Final = 16
BOX_INCHES: Final = 1.3
LANE_INCHES: Final = 3.0
WIDEST: Final = 60.0
TALLEST: Final = 60.0


class Places(NamedTuple):
    """Where each event stands: column and row; and for each lane its name, first row and number of rows.

    `names` is what each box says, `boxes` how wide it is, and `inches` the width of a column.
    """

    column: list[int]
    row: list[int]
    lanes: list[tuple[str, int, int]]
    names: list[str]
    boxes: list[float]
    inches: float


def arrange(run: Run) -> Places:
    """Set each event one column right of its last cause, in the rows of its agent."""
    graph = run.graph
    column = [0] * graph.size
    for source, target in zip(graph.sources, graph.targets, strict=True):
        column[target] = max(column[target], column[source] + 1)
    rows, lane_of = lanes_of(run)
    used: dict[tuple[int, int], int] = {}
    deep = [0] * len(rows)
    stacked = [0] * graph.size
    for event in graph.order:
        key = (lane_of[event], column[event])
        stacked[event] = used.get(key, 0)
        used[key] = stacked[event] + 1
        deep[lane_of[event]] = max(deep[lane_of[event]], used[key])
    tops, top = [], 0
    for height in deep:
        tops.append(top)
        top += max(height, 1)
    names = [members[0] if len(members) == 1 else f"{len(members)} more agents" for members in rows]
    lanes = [(drawable(plain(name, 40), LANE_INCHES, 9), tops[i], max(deep[i], 1)) for i, name in enumerate(names)]
    said = [drawable(plain(event.id, NAME), BOX_INCHES, 7) for event in run.events]
    boxes = [inches(name, 7) + 0.12 for name in said]
    row = [tops[lane_of[i]] + stacked[i] for i in range(graph.size)]
    return Places(column, row, lanes, said, boxes, max(boxes) + GAP_INCHES)


def event_graph(run: Run, picture: Picture) -> Figure:
    """Return the event graph of a run as a figure."""
    places = arrange(run)
    columns, rows = max(places.column) + 1, sum(height for _, _, height in places.lanes)
    label = 0.5 + max(inches(name, 9) for name, _, _ in places.lanes)
    width = min(max(label + columns * places.inches + 0.3, 8.6), WIDEST)
    height = min(rows * ROW_INCHES + 1.8, TALLEST)
    figure = Figure(figsize=(width, height), facecolor="white")
    axes = figure.add_axes((label / width, 0.95 / height, 1 - (label + 0.2) / width, (height - 1.7) / height))
    places = places._replace(inches=(width - label - 0.2) / columns)
    axes.set_xlim(-0.55, columns - 0.45)
    axes.set_ylim(-rows + 0.5, 0.5)
    axes.axis("off")
    _bands(axes, places, label / (width - label - 0.2))
    _edges(axes, run, picture, places)
    _events(axes, picture, places)
    _words(figure, picture, run)
    return figure


def _bands(axes: Axes, places: Places, left: float) -> None:
    for number, (name, top, height) in enumerate(places.lanes):
        if number % 2 == 0:
            axes.axhspan(-top + 0.5, -top - height + 0.5, color="#f4f6f9", zorder=0, linewidth=0)
        middle = -top - (height - 1) / 2
        where: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "va": "center", "clip_on": False}
        axes.text(-left * 0.94, middle, name, fontsize=9, color=BLACK, **where)


def _edges(axes: Axes, run: Run, picture: Picture, places: Places) -> None:
    critical = set(pairwise(picture.critical))
    tainted = {pair for path in picture.tainted for pair in pairwise(path)}
    for edge, source, target in zip(run.trace.edges, *run.ends, strict=True):
        pair = (source, target)
        colour = RED if pair in tainted else BLACK if pair in critical else ARROWS.get(edge.type, GREY)
        level = places.row[source] == places.row[target]
        far = places.column[target] - places.column[source] > 1
        axes.annotate(
            "",
            xy=(places.column[target] - places.boxes[target] / 2 / places.inches, -places.row[target]),
            xytext=(places.column[source] + places.boxes[source] / 2 / places.inches, -places.row[source]),
            arrowprops={
                "arrowstyle": "-|>",
                "color": colour,
                "linewidth": 2.6 if pair in critical or pair in tainted else 1.2,
                "linestyle": (0, (3, 2)) if doubtful(run, source, target) else "-",
                "mutation_scale": 9,
                "shrinkA": 0,
                "shrinkB": 0,
                "connectionstyle": f"arc3,rad={-0.18 if level and far else 0.0}",
            },
            zorder=3 if pair in critical or pair in tainted else 2,
        )


def _events(axes: Axes, picture: Picture, places: Places) -> None:
    for event, mark in enumerate(picture.marks):
        sign = SIGNS[mark.kind]
        box: dict[str, Any] = {
            "boxstyle": "round,pad=0.28",
            "facecolor": "white" if mark.inferred else sign.colour,
            "edgecolor": RED if mark.failed else sign.colour,
            "linewidth": 1.8 if mark.failed or mark.inferred else 0.8,
        }
        colour = BLACK if mark.inferred or mark.kind in ("orchestrator_decision", "tool_call") else "white"
        where = (places.column[event], -places.row[event])
        axes.text(*where, places.names[event], fontsize=7, color=colour, ha="center", va="center", bbox=box, zorder=5)
        if mark.badge:
            axes.text(
                where[0], where[1] + 0.36, mark.badge, fontsize=5.8, ha="center", va="center", weight="bold", zorder=6
            )


def _words(figure: Figure, picture: Picture, run: Run) -> None:
    width = figure.get_figwidth()
    heading(figure, picture)
    kinds = {mark.kind for mark in picture.marks}
    handles: list[Patch | Line2D] = [
        Patch(facecolor=sign.colour, label=sign.name) for kind, sign in SIGNS.items() if kind in kinds
    ]
    used = {edge.type for edge in run.trace.edges}
    handles += [Line2D([], [], color=colour, label=f"{kind} edge") for kind, colour in ARROWS.items() if kind in used]
    handles.append(Line2D([], [], color=GREY, label="other edge"))
    handles.append(Line2D([], [], color=BLACK, linewidth=2.6, label="critical path"))
    if picture.tainted:
        handles.append(Line2D([], [], color=RED, linewidth=2.6, label="untrusted content"))
    if any(doubtful(run, source, target) for source, target in zip(*run.ends, strict=True)):
        handles.append(Line2D([], [], color=GREY, linestyle=(0, (3, 2)), label="inferred"))
    figure.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0.1 / width, 0.01),
        ncols=max(3, int((width - 0.3) / 1.5)),
        fontsize=7.8,
        frameon=False,
        columnspacing=1.2,
    )
