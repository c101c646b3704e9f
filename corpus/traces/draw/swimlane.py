"""The swimlane as a matplotlib figure: a lane an agent, time to the right."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, Patch
from matplotlib.patheffects import withStroke

from corpus.traces.draw.figure import drawable, heading, inches
from corpus.traces.draw.ink import ARROWS, BAR, BLACK, GREY, PERSON_BAR, RED, SIGNS, WORK
from corpus.traces.draw.picture import Arrow, Lane, Picture

LANE_INCHES: Final = 0.62
SIDE_INCHES: Final = 0.35
TOP_INCHES: Final = 0.78
AXIS_INCHES: Final = 0.66
LEGEND_INCHES: Final = 0.2
WIDEST: Final = 34.0
BAR_HEIGHT: Final = 0.40
INDENT: Final = 3
LABEL_INCHES: Final = 3.0
FAILED: Final[dict[str, Any]] = {"marker": "x", "color": RED, "markeredgewidth": 2.2, "linestyle": "none"}


class Swimlane:
    """One figure; lanes run downward at y = 0, -1, -2 and so on."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        steps = max(picture.width, 1.0)
        self.names = [_names(lane) for lane in picture.lanes]
        self.label = 0.45 + max(max(inches(name, 9.5), inches(role, 7.5)) for name, role in self.names)
        self.unit = min(max(0.29, 6.6 / steps), (WIDEST - self.label) / steps, 0.75)
        lanes = len(picture.lanes)
        width = max(self.label + steps * self.unit + 2 * SIDE_INCHES, 8.6)
        self.handles = [*self._sign_handles(), *self._line_handles()]
        self.columns = max(3, min(len(self.handles), int((width - 0.3) / 1.42)))
        self.bottom = AXIS_INCHES + LEGEND_INCHES * -(-len(self.handles) // self.columns)
        height = lanes * LANE_INCHES + TOP_INCHES + self.bottom
        self.figure = Figure(figsize=(width, height), facecolor="white")
        self.axes = self._axes(width, height, lanes)
        self.size = min(1.0, self.unit / 0.30)
        self.written: dict[int, list[tuple[float, float]]] = {}

    def _axes(self, width: float, height: float, lanes: int) -> Axes:
        left, right = self.label / width, SIDE_INCHES / width
        axes = self.figure.add_axes((left, self.bottom / height, 1 - left - right, lanes * LANE_INCHES / height))
        room = (width - self.label - SIDE_INCHES) / self.unit
        axes.set_xlim(-0.7, max(room - 0.7, self.picture.width + 0.7))
        axes.set_ylim(-lanes + 0.45, 0.55)
        return axes

    def draw(self) -> Figure:
        """Return the finished figure."""
        for row, lane in enumerate(self.picture.lanes):
            self._lane(row, lane)
        self._work()
        self._path(self.picture.critical, BLACK, 3.4, 0.85)
        for path in self.picture.tainted:
            self._path(path, RED, 2.6, 0.95)
        for arrow in self.picture.arrows:
            self._arrow(arrow)
        self._marks()
        self._time()
        heading(self.figure, self.picture)
        self._legend()
        return self.figure

    def _lane(self, row: int, lane: Lane) -> None:
        self.axes.axhline(-row, color="#eeeeee", linewidth=0.8, zorder=0)
        face = PERSON_BAR if lane.person else BAR
        box = FancyBboxPatch(
            (lane.start - 0.34, -row - BAR_HEIGHT / 2),
            lane.end - lane.start + 0.68,
            BAR_HEIGHT,
            boxstyle="round,pad=0,rounding_size=0.12",
            facecolor=face,
            edgecolor="#9aa7ba" if not lane.wasted else "#6b6f76",
            linewidth=0.8,
            linestyle=(0, (1, 2)) if lane.folded else "-",
            hatch="////" if lane.wasted else None,
            mutation_aspect=self.unit / LANE_INCHES,
            zorder=1,
        )
        self.axes.add_patch(box)
        name, role = self.names[row]
        offset = 0.11 if role else 0.0
        style = "italic" if lane.person or lane.folded else "normal"
        place: dict[str, Any] = {"transform": self.axes.get_yaxis_transform(), "va": "center", "clip_on": False}
        edge = -(self.label - 0.15) / (self.figure.get_figwidth() - self.label - SIDE_INCHES)
        self.axes.text(edge, -row + offset, name, fontsize=9.5, style=style, color=BLACK, **place)
        if role:
            self.axes.text(edge, -row - 0.20, role, fontsize=7.5, color="#5f6672", **place)

    def _work(self) -> None:
        for work in self.picture.work:
            y = -work.lane
            if work.end > work.start:
                self.axes.plot(
                    [work.start, work.end], [y, y], color=WORK, linewidth=9 * self.size, solid_capstyle="butt", zorder=2
                )
            self._write(work.lane, (work.start + work.end) / 2, -0.335, work.label, 6.6, "#44627d")

    def _write(self, row: int, x: float, dy: float, text: str, points: float, colour: str) -> None:
        """Write a label where no other one of the lane stands, else leave it out."""
        if not text:
            return
        text = drawable(text, LABEL_INCHES, points)
        half = inches(text, points) / 2 / self.unit + 0.08
        key = 2 * row + (dy > 0)
        left, right = self.axes.get_xlim()
        x = min(max(x, left + half), right - half)
        taken = self.written.setdefault(key, [])
        if any(x - half < end and start < x + half for start, end in taken):
            return
        taken.append((x - half, x + half))
        self.axes.text(
            x,
            -row + dy,
            text,
            fontsize=points,
            color=colour,
            ha="center",
            va="center",
            zorder=7,
            clip_on=False,
            path_effects=[withStroke(linewidth=2.2, foreground="white")],
        )

    def _path(self, events: list[int], colour: str, width: float, alpha: float) -> None:
        """Draw a path of events: along the lane, and up or down where it changes lanes."""
        marks = self.picture.marks
        xs, ys = [], []
        for before, after in pairwise(events):
            one, two = marks[before], marks[after]
            bend = one.x if one.x <= two.x else two.x
            xs += [one.x, bend, two.x]
            ys += [-one.lane, -two.lane, -two.lane]
        self.axes.plot(
            xs, ys, color=colour, linewidth=width * self.size, alpha=alpha, solid_joinstyle="round", zorder=3
        )

    def _arrow(self, arrow: Arrow) -> None:
        source = self.picture.marks[arrow.source]
        colour = ARROWS.get(arrow.kind, GREY)
        down = arrow.lane > source.lane
        tip = -arrow.lane + (BAR_HEIGHT / 2 if down else -BAR_HEIGHT / 2) * 0.92
        self.axes.annotate(
            "",
            xy=(source.x, tip),
            xytext=(source.x, -source.lane),
            arrowprops={
                "arrowstyle": "-|>",
                "color": colour,
                "linewidth": 1.5,
                "linestyle": (0, (3, 2)) if arrow.inferred else "-",
                "mutation_scale": 10,
                "shrinkA": 4,
                "shrinkB": 0,
            },
            zorder=4,
        )

    def _marks(self) -> None:
        for mark in self.picture.marks:
            sign = SIGNS[mark.kind]
            thin = sign.marker == "|"
            self.axes.plot(
                [mark.x],
                [-mark.lane],
                marker=sign.marker,
                markersize=(10 if thin else 8.5) * self.size,
                color=sign.colour,
                markerfacecolor="white" if mark.inferred else sign.colour,
                markeredgecolor=sign.colour if thin or mark.inferred else "white",
                markeredgewidth=2.0 * self.size if thin else 1.2 if mark.inferred else 0.7,
                linestyle="none",
                zorder=5,
            )
            if mark.failed:
                self.axes.plot([mark.x], [-mark.lane], **FAILED, markersize=9 * self.size, zorder=6)
        for mark in self.picture.marks:
            self._badge(mark.lane, mark.x, mark.badge)

    def _badge(self, row: int, x: float, text: str) -> None:
        """Write the decisions above a mark, on a second line where the first is taken."""
        if not text:
            return
        half = (0.66 * 6.3 / 72 * len(text) / 2 + 0.05) / self.unit
        taken = self.written.setdefault(2 * row + 1, [])
        if any(x - half < end and start < x + half for start, end in taken):
            words = text.split()
            if len(words) > 1:
                self._badge(row, x, words[0])
            return
        taken.append((x - half, x + half))
        self.axes.text(
            x,
            -row + 0.345,
            text,
            fontsize=6.3,
            color="white",
            weight="bold",
            ha="center",
            va="center",
            zorder=8,
            bbox={"boxstyle": "round,pad=0.22", "facecolor": "#3b4252", "edgecolor": "none"},
        )

    def _time(self) -> None:
        axes = self.axes
        places: list[float] = []
        names: list[str] = []
        free = -99.0
        for x, name in self.picture.ticks:
            half = (0.62 * 8 / 72 * len(name) / 2 + 0.06) / self.unit
            if x - half >= free and [name] != names[-1:]:
                places.append(x)
                names.append(name)
                free = x + half
        axes.set_xticks(places, names, fontsize=8, color="#444444")
        axes.set_yticks([])
        axes.set_xlabel(self.picture.axis, fontsize=8.5, color="#444444")
        for side in ("top", "left", "right"):
            axes.spines[side].set_visible(False)
        axes.spines["bottom"].set_color("#999999")
        for start, end in self.picture.cuts:
            middle = (start + end) / 2
            axes.axvspan(middle - 0.3, middle + 0.3, color="white", zorder=2.5, linewidth=0)
            axes.text(
                middle,
                0.0,
                "//",
                transform=axes.get_xaxis_transform(),
                ha="center",
                va="center",
                fontsize=10,
            )

    def _legend(self) -> None:
        self.figure.legend(
            handles=self.handles,
            loc="lower left",
            bbox_to_anchor=(0.1 / self.figure.get_figwidth(), 0.01),
            ncols=self.columns,
            fontsize=7.8,
            frameon=False,
            handlelength=1.9,
            columnspacing=1.2,
        )

    def _sign_handles(self) -> list[Line2D]:
        kinds = {mark.kind for mark in self.picture.marks}
        return [
            Line2D(
                [],
                [],
                marker=sign.marker,
                color=sign.colour,
                linestyle="none",
                markersize=7,
                markeredgewidth=1.5,
                label=sign.name,
            )
            if sign.marker == "|"
            else Line2D([], [], marker=sign.marker, color=sign.colour, linestyle="none", markersize=7, label=sign.name)
            for kind, sign in SIGNS.items()
            if kind in kinds
        ]

    def _line_handles(self) -> list[Line2D | Patch]:
        picture = self.picture
        handles: list[Line2D | Patch] = [Line2D([], [], color=BLACK, linewidth=3.2, label="critical path")]
        if picture.tainted:
            handles.append(Line2D([], [], color=RED, linewidth=2.6, label="untrusted content"))
        if any(arrow.inferred for arrow in picture.arrows):
            handles.append(Line2D([], [], color=GREY, linewidth=1.5, linestyle=(0, (3, 2)), label="inferred"))
        if any(mark.inferred for mark in picture.marks):
            handles.append(
                Line2D(
                    [], [], marker="o", color=GREY, markerfacecolor="white", linestyle="none", label="inferred event"
                )
            )
        if any(mark.failed for mark in picture.marks):
            handles.append(Line2D([], [], **FAILED, markersize=7, label="failed"))
        if any(lane.wasted for lane in picture.lanes):
            handles.append(Patch(facecolor=BAR, edgecolor="#6b6f76", hatch="////", label="wasted spawn"))
        if any(mark.badge for mark in picture.marks):
            handles.append(Line2D([], [], marker="s", color="#3b4252", linestyle="none", label="O1-O5 decision made"))
        return handles


def _names(lane: Lane) -> tuple[str, str]:
    """Return name and role of a lane as they are drawn, set in by its depth in the spawn tree."""
    indent = " " * INDENT * min(lane.depth, 4)
    mark, blank = ("└ ", "   ") if lane.depth else ("", "")
    name = indent + mark + drawable(lane.name, LABEL_INCHES, 9.5)
    return name, indent + blank + drawable(lane.role, LABEL_INCHES, 7.5) if lane.role else ""


def swimlane(picture: Picture) -> Figure:
    """Return the swimlane of a run as a figure."""
    return Swimlane(picture).draw()
