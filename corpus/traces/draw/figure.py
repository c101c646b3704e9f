"""What every figure of a trace shares: settings, heading and bytes that are always the same."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Final, NamedTuple

from matplotlib.figure import Figure

from corpus.canvas.paper import wrap
from corpus.canvas.style import encode, style
from corpus.canvas.typeface import drawable, hinted_width, outline_width
from corpus.traces.draw.page import Page
from corpus.traces.draw.picture import Heading

DPI: Final = 130
#: A page of fixed size is printed or projected.
_FIXED_DPI: Final = 300

_SETTINGS: Final = {
    "svg.hashsalt": "orchestration-trace",
    "hatch.linewidth": 0.7,
    # matplotlib's default, with which hinted_width() agrees.
    "text.hinting": "default",
}

_FACTS_SIZE: Final = 8.5
_TITLE_SIZE: Final = 12.5
_MARGIN: Final = 0.15


def trace_style() -> AbstractContextManager[None]:
    """Return the context in which trace figures are drawn and saved."""
    return style(_SETTINGS)


def figure_bytes(figure: Figure, kind: str, page: Page) -> bytes:
    """Return the figure as ``svg``, ``pdf`` or ``png``."""
    return encode(figure, kind, {}, _FIXED_DPI if page.width else DPI)


class _Line(NamedTuple):
    """One line of a heading; `down` is its baseline, in inches from the top."""

    text: str
    size: float
    weight: str
    colour: str
    down: float


class TitleBlock(NamedTuple):
    """Title, name and facts at the top of a figure, in as many lines as they need.

    Attributes
    ----------
    lines : list of _Line
        From the top down.
    height : float
        Inches that they take.
    """

    lines: list[_Line]
    height: float

    def write(self, figure: Figure) -> None:
        """Write the lines."""
        width, height = figure.get_size_inches()
        for line in self.lines:
            figure.text(
                _MARGIN / width,
                1 - line.down / height,
                line.text,
                fontsize=line.size,
                weight=line.weight,
                color=line.colour,
            )


def heading(texts: Heading, width: float, page: Page) -> TitleBlock:
    """Return the heading of a figure that is `width` inches wide; nothing is cut."""
    facts = f"{texts.name}: {texts.facts}"
    parts = (
        (texts.title, page.text(_TITLE_SIZE), "bold", "#1a1a1a"),
        (facts, page.text(_FACTS_SIZE), "normal", "#444444"),
    )
    lines: list[_Line] = []
    down = 0.1
    for text, size, weight, colour in parts:
        for line in _wrapped(text, size, width - 2 * _MARGIN, weight):
            down += size * 1.2 / 72
            lines.append(_Line(line, size, weight, colour, down))
        down += 0.04
    return TitleBlock(lines, down + 0.06)


def _wrapped(
    text: str,
    size: float,
    width: float,
    weight: str,
) -> list[str]:
    # Characters set on whole pixels take more than their outlines, after which wrap() breaks.
    hinted = outline_width("n", size, weight) / hinted_width("n", size, weight)
    lines = wrap(text, size, width * hinted * 0.99, weight)
    return [drawable(line, None, size, weight) for line in lines]
