"""A sheet of paper: marks in inches from its top left corner, measured and wrapped text, the height found last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple, TypedDict, Unpack

from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from corpus.canvas.style import DPI, GREY, INK, SMALL, TEXT, TITLE, font

#: Blank border of every figure, in inches.
MARGIN = 0.06

#: Left, top, width and height in inches.
Box = tuple[float, float, float, float]


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Return the width of one line in inches."""
    return float(text_to_path.get_text_width_height_descent(plain(text), font(size, weight), False)[0]) / 72


def line_height(size: float) -> float:
    """Return the distance of two baselines in inches."""
    return size * 1.28 / 72


def plain(text: str) -> str:
    """Return a text as one line that can be drawn.

    Control and direction characters have no shape. Letters that the typeface lacks (Chinese, Korean, emoji) would be
    boxes; they are drawn as their code, as in the appendix: with other fonts, a figure would differ between machines.

    Examples
    --------
    >>> plain("Zoë, 中")
    'Zoë, [U+4E2D]'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, " ".join(re.split(r"[\t\n\r]+", text))))


@cache
def _shown(character: str) -> str:
    if not character.isprintable() and character != "\N{NO-BREAK SPACE}":
        return "\N{REPLACEMENT CHARACTER}"
    known = get_font(findfont(font(TEXT))).get_char_index(ord(character))
    return character if known else f"[U+{ord(character):04X}]"


def wrap(text: str, size: float, width: float, weight: str = "normal") -> list[str]:
    """Break a text into lines of at most `width` inches: at blanks, after hyphens, inside a word that is too long."""
    lines, line = [], ""
    for piece in _pieces(plain(text)):
        if text_width((line + piece).rstrip(" "), size, weight) <= width:
            line += piece
            continue
        if line.strip(" "):
            lines.append(line.rstrip(" "))
        line = piece
        while text_width(line.rstrip(" "), size, weight) > width and len(line) > 1:
            cut = _fitting(line, size, width, weight)
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line.rstrip(" ")] if line.strip(" ") or not lines else lines


def _pieces(text: str) -> list[str]:
    """Return the parts between which a line may break; each keeps its blank or hyphen."""
    pieces = [""]
    for character in text:
        pieces[-1] += character
        if character in " -/":
            pieces.append("")
    return [piece for piece in pieces if piece]


def _fitting(text: str, size: float, width: float, weight: str) -> int:
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if text_width(text[:middle], size, weight) <= width else (low, middle - 1)
    return low


def fitting(text: str, size: float, width: float) -> float:
    """Return the type size, at most `size`, at which a text is no wider than `width` inches."""
    return min(size, size * width / max(text_width(text, size), 1e-9))


class Swatch(NamedTuple):
    """One entry of a legend: fill, hatch and edge of its box, and its words."""

    label: str
    fill: str
    hatch: str = ""
    edge: str = "none"


class Style(TypedDict, total=False):
    """How a line is set; dark, of normal weight and to the left where nothing else is said."""

    color: str
    weight: str
    align: str


class Paper:
    """A figure of fixed width that grows downwards; all places are inches from the top left corner.

    Parameters
    ----------
    width : float
        In inches.
    title : str
        Set bold at the top; empty for none.
    """

    def __init__(self, width: float, title: str = "") -> None:
        self.width = width
        self._figure = Figure(figsize=(width, 1.0), dpi=DPI)
        FigureCanvasAgg(self._figure)
        self._axes = self._figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()
        self.y = MARGIN
        self._drawn = 0
        if title:
            self.paragraph(title, MARGIN, width - 2 * MARGIN, TITLE, weight="bold")
            self.y += 0.07

    @property
    def right(self) -> float:
        """The right end of the usable width."""
        return self.width - MARGIN

    def _add(self, artist: Artist) -> None:
        """Draw above everything drawn before."""
        self._drawn += 1
        artist.set_zorder(self._drawn)
        self._axes.add_artist(artist)

    def text(self, x: float, y: float, text: str, size: float = TEXT, **style: Unpack[Style]) -> None:
        """Set one line with its middle at height `y`."""
        drawn = Text(
            x, y + 0.365 * size / 72, plain(text), fontproperties=font(size, style.get("weight", "normal")),
            color=style.get("color", INK), ha=style.get("align", "left"), va="baseline", parse_math=False,
        )  # fmt: skip
        self._add(drawn)

    def turned(self, x: float, y: float, text: str, size: float, *, color: str = INK, weight: str = "normal") -> None:
        """Set one line that reads upwards, with its lower end at `y`."""
        drawn = Text(
            x, y, plain(text), fontproperties=font(size, weight), color=color, ha="center", va="bottom", rotation=90,
            parse_math=False,
        )  # fmt: skip
        self._add(drawn)

    def lines(self, x: float, y: float, lines: Sequence[str], size: float = TEXT, **style: Unpack[Style]) -> None:
        """Set several lines, the block's middle at height `y`."""
        top = y - line_height(size) * (len(lines) - 1) / 2
        for number, line in enumerate(lines):
            self.text(x, top + number * line_height(size), line, size, **style)

    def paragraph(
        self, text: str, x: float, width: float, size: float = SMALL, color: str = INK, weight: str = "normal"
    ) -> None:
        """Set a wrapped text at the current height and move below it."""
        for line in wrap(text, size, width, weight):
            self.text(x, self.y + line_height(size) / 2, line, size, color=color, weight=weight)
            self.y += line_height(size)

    def note(self, text: str) -> None:
        """Set a note over the whole width at the current height."""
        if text:
            self.y += 0.05
            self.paragraph(text, MARGIN, self.right - MARGIN, SMALL, GREY)

    def rect(
        self, box: Box, fill: str = "none", *, edge: str = "none", hatch: str = "", dashed: bool = False,
        line: float = 0.6,
    ) -> None:  # fmt: skip
        """Draw a rectangle; a hatch takes the colour of the edge."""
        x, y, width, height = box
        drawn = Rectangle(
            (x, y), width, height, facecolor=fill, edgecolor=edge, linewidth=line if edge != "none" else 0,
            hatch=hatch or None, linestyle="--" if dashed else "-",
        )  # fmt: skip
        self._add(drawn)

    def line(
        self, x: Sequence[float], y: Sequence[float], color: str = INK, line: float = 0.6, dotted: bool = False
    ) -> None:
        """Draw a line through points."""
        self._add(Line2D(list(x), list(y), color=color, linewidth=line, linestyle=":" if dotted else "-"))

    def polygon(self, points: Sequence[tuple[float, float]], fill: str, edge: str = "none") -> None:
        """Draw a closed shape."""
        self._add(Polygon(points, closed=True, facecolor=fill, edgecolor=edge, linewidth=0.8))

    def arrow(self, start: tuple[float, float], end: tuple[float, float], color: str = INK) -> None:
        """Draw an arrow along one of the two directions."""
        self.line((start[0], end[0]), (start[1], end[1]), color, 0.8)
        (x, y), head = end, 0.05
        down, across = (end[1] > start[1]) - (end[1] < start[1]), (end[0] > start[0]) - (end[0] < start[0])
        left = (x - across * head - down * head / 2, y - down * head - across * head / 2)
        right = (x - across * head + down * head / 2, y - down * head + across * head / 2)
        self.polygon([(x, y), left, right], color)

    def legend(self, items: Sequence[Swatch], left: float = MARGIN, name: str = "") -> None:
        """Set swatches with their words in as many rows as needed at the current height, and move below them."""
        step, box, x = line_height(TEXT) + 0.03, 0.11, left
        if name:
            self.text(x, self.y + step / 2, name, SMALL, weight="bold")
            x += text_width(name, SMALL, "bold") + 0.1
        start = x
        for item in items:
            words = wrap(item.label, SMALL, self.right - start - box - 0.05)
            needed = box + 0.05 + max(text_width(line, SMALL) for line in words)
            if x > start and x + needed > self.right:
                x, self.y = start, self.y + step
            self.rect((x, self.y + step / 2 - 0.045, box, 0.09), item.fill, edge=item.edge, hatch=item.hatch, line=0.5)
            for number, line in enumerate(words):
                self.y += line_height(SMALL) if number else 0
                self.text(x + box + 0.05, self.y + step / 2, line, SMALL)
            x += needed + 0.14
        self.y += step + 0.04

    def figure(self) -> Figure:
        """Return the figure, cut below what was drawn."""
        height = self.y + MARGIN
        self._figure.set_size_inches(self.width, height)
        self._axes.set_xlim(0, self.width)
        self._axes.set_ylim(height, 0)
        return self._figure
