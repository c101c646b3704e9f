"""A page of fixed width: marks in inches from its top left corner, its height found last."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from corpus.canvas.style import DPI, GREY, INK, SMALL, TEXT, TITLE
from corpus.canvas.typeface import font, glyph_or_code, outline_width

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Empty border of every figure, in inches.
MARGIN = 0.06

#: Left, top, width and height in inches.
Box = tuple[float, float, float, float]

#: A line may break after these characters; each stays at the end of its line.
_BREAKS = re.compile("(?<=[ /-])")

#: From the middle of a line down to its baseline, as a share of the type size.
_BASELINE = 0.365


def text_width(text: str, size: float = SMALL, weight: str = "normal") -> float:
    """Return the width of one line in inches, as :class:`Paper` sets it."""
    return outline_width(one_line(text, weight), size, weight)


def widest(lines: Iterable[str], size: float = SMALL, weight: str = "normal") -> float:
    """Return the width of the widest line in inches; 0 where there is none."""
    return max([text_width(line, size, weight) for line in lines], default=0.0)


def line_height(size: float) -> float:
    """Return the distance of two baselines in inches."""
    return size * 1.28 / 72


def one_line(text: str, weight: str = "normal") -> str:
    """Return a text as one line that can be drawn.

    Control and direction characters have no shape and become the replacement character.
    Characters that the typeface lacks (Chinese, Korean, emoji) become their code, as in the
    appendix.

    Examples
    --------
    >>> one_line("Zoë, 中")
    'Zoë, [U+4E2D]'
    """
    if text.isascii() and text.isprintable():
        return text
    unbroken = re.sub(r"[\t\n\r]+", " ", text)
    return "".join(glyph_or_code(character, weight) for character in unbroken)


#: The distance of two baselines of small text.
LINE = line_height(SMALL)


def wrap(text: str, width: float, size: float = SMALL, weight: str = "normal") -> list[str]:
    """Break a text into lines of at most `width` inches.

    Lines break at spaces, hyphens and slashes, and inside a word only where it is wider than a
    line. There is at least one line.
    """
    lines = []
    line = ""
    for piece in _BREAKS.split(one_line(text, weight)):
        if _visible_width(line + piece, size, weight) <= width:
            line += piece
            continue
        if line.strip(" "):
            lines.append(line.rstrip(" "))
        line = piece
        while len(line) > 1 and _visible_width(line, size, weight) > width:
            lengths = range(2, len(line))
            cut = 1 + bisect_right(lengths, width, key=partial(_width_of, line, size, weight))
            lines.append(line[:cut])
            line = line[cut:]
    if line.strip(" ") or not lines:
        lines.append(line.rstrip(" "))
    return lines


def _visible_width(line: str, size: float, weight: str) -> float:
    return text_width(line.rstrip(" "), size, weight)


def _width_of(text: str, size: float, weight: str, length: int) -> float:
    return text_width(text[:length], size, weight)


def fitting(text: str, size: float, width: float) -> float:
    """Return the type size, at most `size`, at which a text is no wider than `width` inches."""
    natural = max(text_width(text, size), 1e-9)
    return min(size, size * width / natural)


@dataclass(frozen=True)
class Swatch:
    """One entry of a legend: its label, and its mark, as the figure draws it."""

    label: str
    fill: str
    hatch: str = ""
    edge: str = "none"
    is_round: bool = False
    is_dashed: bool = False


class Paper:
    """A figure of fixed width that grows downwards; all positions are inches from the top left.

    Every mark is drawn above everything drawn before it.

    Parameters
    ----------
    width : float
        In inches.
    title : str
        Set bold at the top; empty for none.
    """

    def __init__(self, width: float, title: str = "") -> None:
        self.width = width
        #: The name of each mark's class in matplotlib, and what the mark is made with.
        self._marks: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.y = MARGIN
        if title:
            self.paragraph(title, size=TITLE, weight="bold")
            self.y += 0.07

    @property
    def right(self) -> float:
        """The right end of the usable width."""
        return self.width - MARGIN

    def _add(self, kind: str, *args: Any, **style: Any) -> None:
        self._marks.append((kind, args, style))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = SMALL,
        color: str = INK,
        weight: str = "normal",
        align: str = "left",
        is_upright: bool = False,
    ) -> None:
        """Set one line with its middle at height `y`; an upright one reads upwards from there."""
        place = {"ha": "center", "va": "bottom", "rotation": 90}
        if not is_upright:
            y += _BASELINE * size / 72
            place = {"ha": align, "va": "baseline"}
        shown, face = one_line(text, weight), font(size, weight)
        self._add("Text", x, y, shown, fontproperties=face, color=color, parse_math=False, **place)

    def lines(
        self, x: float, y: float, lines: Sequence[str], size: float = SMALL, **style: Any
    ) -> None:
        """Set several lines, the block's middle at height `y`; see :meth:`text` for the style."""
        top = y - line_height(size) * (len(lines) - 1) / 2
        for number, line in enumerate(lines):
            self.text(x, top + number * line_height(size), line, size, **style)

    def paragraph(
        self,
        text: str,
        x: float = MARGIN,
        size: float = SMALL,
        color: str = INK,
        weight: str = "normal",
    ) -> None:
        """Set a wrapped text from `x` on at the current height and move below it."""
        for line in wrap(text, self.right - x, size, weight):
            middle = self.y + line_height(size) / 2
            self.text(x, middle, line, size, color=color, weight=weight)
            self.y += line_height(size)

    def note(self, text: str) -> None:
        """Set a note over the whole width at the current height; nothing for an empty text."""
        if text:
            self.y += 0.05
            self.paragraph(text, color=GREY)

    def rect(
        self,
        box: Box,
        fill: str = "none",
        *,
        edge: str = "none",
        hatch: str = "",
        dashed: bool = False,
        line: float = 0.6,
    ) -> None:
        """Draw a rectangle; a hatch takes the colour of the edge."""
        x, y, width, height = box
        self._add(
            "Rectangle",
            (x, y),
            width,
            height,
            facecolor=fill,
            edgecolor=edge,
            linewidth=0 if edge == "none" else line,
            hatch=hatch or None,
            linestyle="--" if dashed else "-",
        )

    def line(
        self, x: Sequence[float], y: Sequence[float], color: str = INK, line: float = 0.6
    ) -> None:
        """Draw a line through points; `line` is its width in points."""
        self._add("Line2D", list(x), list(y), color=color, linewidth=line)

    def horizontal(
        self, left: float, right: float, y: float, color: str = GREY, line: float = 0.6
    ) -> None:
        """Draw a horizontal line; `line` is its width in points."""
        self.line((left, right), (y, y), color, line)

    def vertical(
        self, x: float, top: float, bottom: float, color: str = GREY, line: float = 0.6
    ) -> None:
        """Draw a vertical line; `line` is its width in points."""
        self.line((x, x), (top, bottom), color, line)

    def circle(self, x: float, y: float, radius: float, fill: str, edge: str = "none") -> None:
        """Draw a circle as a polygon, which every version of matplotlib draws alike."""
        turns = [math.pi * part / 8 for part in range(16)]
        points = [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]
        self.polygon(points, fill, edge)

    def polygon(self, points: Sequence[tuple[float, float]], fill: str, edge: str = "none") -> None:
        """Draw a closed shape."""
        self._add("Polygon", points, closed=True, facecolor=fill, edgecolor=edge, linewidth=0.8)

    def arrow(self, start: tuple[float, float], end: tuple[float, float], color: str = INK) -> None:
        """Draw an arrow that runs across or down."""
        self.line((start[0], end[0]), (start[1], end[1]), color, 0.8)
        x, y = end
        head = 0.05
        across, down = x > start[0], y > start[1]
        # The head is as long as it is wide; its base lies across the direction of the arrow.
        base_x = x - across * head
        base_y = y - down * head
        left = (base_x - down * head / 2, base_y - across * head / 2)
        right = (base_x + down * head / 2, base_y + across * head / 2)
        self.polygon([end, left, right], color)

    def legend(self, items: Sequence[Swatch], left: float = MARGIN, name: str = "") -> None:
        """Set swatches with their labels in as many rows as needed, and move below them."""
        step = line_height(TEXT) + 0.03
        box = 0.11
        gap = 0.05
        x = left
        if name:
            self.text(x, self.y + step / 2, name, weight="bold")
            x += text_width(name, weight="bold") + 0.1
        start = x
        for item in items:
            label = wrap(item.label, self.right - start - box - gap)
            needed = box + gap + widest(label)
            if x > start and x + needed > self.right:
                x = start
                self.y += step
            middle = self.y + step / 2
            if item.is_round:
                self.circle(x + box / 2, middle, 0.04, item.fill, item.edge)
            else:
                frame = (x, middle - 0.045, box, 0.09)
                hatch, dashed = item.hatch, item.is_dashed
                self.rect(frame, item.fill, edge=item.edge, hatch=hatch, dashed=dashed, line=0.5)
            for number, line in enumerate(label):
                if number:
                    self.y += LINE
                self.text(x + box + gap, self.y + step / 2, line)
            x += needed + 0.14
        self.y += step + 0.04

    def figure(self) -> Figure:
        """Return the figure, cut below what was drawn."""
        # Slow to import, and a figure whose data are as before is not drawn.
        from matplotlib.lines import Line2D
        from matplotlib.patches import Polygon, Rectangle
        from matplotlib.text import Text

        from corpus.canvas.notebook_figure import NotebookFigure

        kinds = {kind.__name__: kind for kind in (Line2D, Polygon, Rectangle, Text)}
        height = self.y + MARGIN
        figure = NotebookFigure(self.width, height, DPI)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, self.width), ylim=(height, 0))
        axes.set_axis_off()
        for place, (kind, args, style) in enumerate(self._marks, 1):
            axes.add_artist(kinds[kind](*args, zorder=place, **style))
        return figure
