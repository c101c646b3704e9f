"""What every figure of a trace shares: settings, heading, arrows, ticks, legend, constant bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple, TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke

from corpus.canvas.paper import wrap
from corpus.canvas.style import encode, style
from corpus.canvas.typeface import drawable, hinted_width, outline_width
from corpus.traces.draw.ink import ARROWS, SYMBOLS
from corpus.traces.draw.picture import Heading, Page

DPI = 130
#: A page of fixed size is printed or projected.
_FIXED_DPI = 300

_SETTINGS = {
    "svg.hashsalt": "orchestration-trace",
    "hatch.linewidth": 0.7,
    # matplotlib's default, with which hinted_width() agrees.
    "text.hinting": "default",
}

_FACTS_SIZE = 8.5
_TITLE_SIZE = 12.5
_MARGIN = 0.15


def trace_style() -> AbstractContextManager[None]:
    """Return the context in which trace figures are drawn and saved."""
    return style(_SETTINGS)


def figure_bytes(figure: Figure, kind: str, page: Page) -> bytes:
    """Return the figure as ``svg``, ``pdf`` or ``png``."""
    dpi = _FIXED_DPI if page.width else DPI
    return encode(figure, kind, {}, dpi)


class TitleBlock(NamedTuple):
    """Title, name and facts at the top of a figure, in as many lines as they need.

    Attributes
    ----------
    lines : list of (str, float, dict)
        Text, baseline in inches from the top, and style of each, from the top down.
    height : float
        Inches that they take.
    """

    lines: list[tuple[str, float, dict[str, Any]]]
    height: float

    def write(self, figure: Figure) -> None:
        """Write the lines."""
        width, height = figure.get_size_inches()
        for line, down, looks in self.lines:
            figure.text(_MARGIN / width, 1 - down / height, line, **looks)


def heading(texts: Heading, width: float, page: Page) -> TitleBlock:
    """Return the heading of a figure that is `width` inches wide; nothing is cut."""
    facts = f"{texts.name}: {texts.facts}"
    parts = (
        (texts.title, page.text(_TITLE_SIZE), "bold", "#1a1a1a"),
        (facts, page.text(_FACTS_SIZE), "normal", "#444444"),
    )
    lines: list[tuple[str, float, dict[str, Any]]] = []
    down = 0.1
    for text, size, weight, colour in parts:
        # Characters set on whole pixels take more than their outlines, after which wrap() breaks.
        hinted = outline_width("n", size, weight) / hinted_width("n", size, weight)
        looks = {"fontsize": size, "weight": weight, "color": colour}
        for line in wrap(text, size, (width - 2 * _MARGIN) * hinted * 0.99, weight):
            down += size * 1.2 / 72
            lines.append((drawable(line, None, size, weight), down, looks))
        down += 0.04
    return TitleBlock(lines, down + 0.06)


class TextBox(NamedTuple):
    """The rectangle of a text in inches; heights grow downward."""

    left: float
    right: float
    top: float
    bottom: float

    def overlaps(self, other: TextBox) -> bool:
        """Whether two rectangles have an area in common."""
        across = self.left < other.right and other.left < self.right
        down = self.top < other.bottom and other.top < self.bottom
        return across and down


def write_outlined(axes: Axes, x: float, y: float, text: str, **style: Any) -> None:
    """Write on top of lines: a white outline keeps the text legible."""
    outline = withStroke(linewidth=style.pop("outline", 2.0), foreground="white")
    axes.text(x, y, text, va="center", path_effects=[outline], **style)


def draw_arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], order: int, **style: Any
) -> None:
    """Draw an arrow that begins and ends exactly where it is asked to.

    Parameters
    ----------
    axes
        Where to draw.
    start, end
        In the units of the axes.
    order
        What has a higher one is drawn on top.
    **style
        Colour, width and gaps, as matplotlib names them for the patch of an arrow.
    """
    properties = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, **style}
    axes.annotate("", xy=end, xytext=start, arrowprops=properties, zorder=order)


def spaced_ticks(
    ticks: Iterable[tuple[float, str]], half_width: Callable[[str], float]
) -> tuple[list[float], list[str]]:
    """Choose ticks whose names do not touch each other, and of equal names the first.

    Parameters
    ----------
    ticks
        Position and name of each, in order.
    half_width
        Returns how far a name extends to each side of its tick, in the units of the axis.
    """
    positions: list[float] = []
    names: list[str] = []
    free_from = -inf
    for x, name in ticks:
        half = half_width(name)
        if x - half < free_from or name in names[-1:]:
            continue
        positions.append(x)
        names.append(name)
        free_from = x + half
    return positions, names


def draw_time_axis(
    axes: Axes,
    ticks: Iterable[tuple[float, str]],
    half_width: Callable[[str], float],
    sizes: tuple[float, float],
    label: str,
    **label_style: Any,
) -> list[float]:
    """Draw the time axis with as many times as fit, and return where these are.

    Parameters
    ----------
    axes, ticks, half_width
        As those of :func:`spaced_ticks`.
    sizes
        Points of the times and of the label.
    label
        What the axis shows.
    **label_style
        Distances, as matplotlib names them.
    """
    positions, names = spaced_ticks(ticks, half_width)
    axes.set_xticks(positions, names, fontsize=sizes[0], color="#444444")
    axes.set_yticks([])
    axes.set_xlabel(label, fontsize=sizes[1], color="#444444", **label_style)
    keep_bottom_line(axes, "#999999")
    return positions


def draw_cuts(
    axes: Axes, cuts: Iterable[tuple[float, float]], half: float, order: float, **style: Any
) -> None:
    """Mark where a long pause is cut short: a white gap of twice `half`, and two strokes below."""
    for start, end in cuts:
        middle = (start + end) / 2
        axes.axvspan(middle - half, middle + half, color="white", zorder=order, linewidth=0)
        axes.text(
            middle,
            0.0,
            "//",
            transform=axes.get_xaxis_transform(),
            ha="center",
            va="center",
            **style,
        )


def draw_path(axes: Axes, points: Sequence[tuple[float, float]], **style: Any) -> None:
    """Draw a path of events: along the agent, and up or down where it changes agents."""
    xs: list[float] = []
    ys: list[float] = []
    for (before, y), (after, arrival) in pairwise(points):
        # An edge against time turns where its effect is, never behind it.
        xs += [before, min(before, after), after]
        ys += [y, arrival, arrival]
    axes.plot(xs, ys, solid_joinstyle="round", zorder=3, **style)


def keep_bottom_line(axes: Axes, colour: str) -> None:
    """Draw of the frame around the axes only the line below them."""
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(colour)


LegendEntry: TypeAlias = Line2D | Patch

#: Inches that a legend leaves free at the sides of the page.
_MARGINS = 0.3


def line(colour: str, label: str, **style: Any) -> Line2D:
    """Return the entry of a line: of a path, or of a kind of arrow."""
    return Line2D([], [], color=colour, label=label, **style)


def marker(shape: str, colour: str, label: str, **style: Any) -> Line2D:
    """Return the entry of a mark without a line."""
    return line(colour, label, marker=shape, linestyle="none", **style)


def edge_lines(kinds: Iterable[str]) -> list[Line2D]:
    """Return the entry of each kind of arrow that no symbol explains."""
    used = set(kinds).difference(SYMBOLS)
    entries = []
    for kind, colour in ARROWS.items():
        if kind in used:
            entries.append(line(colour, f"{words(kind)} edge", linewidth=1.5))
    return entries


def words(kind: str) -> str:
    """Return a kind of arrow as it is read: without the underscores of the schema."""
    return kind.replace("_", " ")


def column_count(
    entries: Sequence[LegendEntry], width: float, column: float, least: int = 2
) -> int:
    """Return how many columns a page has space for.

    Parameters
    ----------
    entries
        What the legend lists.
    width, column
        Inches of the page, and of one column.
    least
        Columns that there are in any case.
    """
    # matplotlib does not break a legend that is too wide: it runs off the page.
    fitting = int((width - _MARGINS) / column)
    return max(least, min(len(entries), fitting))


def row_count(entries: Sequence[LegendEntry], columns: int) -> int:
    """Return how many rows the entries take, the last of which may not be full."""
    return -(-len(entries) // columns)


def write_legend(
    figure: Figure, entries: Sequence[LegendEntry], columns: int, bottom: float, **style: Any
) -> None:
    """Write a legend without a frame in the lower left corner.

    Parameters
    ----------
    figure
        Where to write.
    entries
        What it lists.
    columns
        In how many columns.
    bottom
        Its distance from the lower edge, as a share of the height of the figure.
    **style
        Sizes, as matplotlib names them.
    """
    left = 0.1 / figure.get_figwidth()
    figure.legend(
        handles=entries,
        loc="lower left",
        bbox_to_anchor=(left, bottom),
        ncols=columns,
        frameon=False,
        **style,
    )
