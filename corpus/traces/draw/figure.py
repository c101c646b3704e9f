"""What every figure of a trace shares: settings, heading and bytes that are always the same."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Final

from matplotlib.figure import Figure

from corpus.canvas.style import encode, style
from corpus.canvas.typeface import drawable, hinted_width
from corpus.traces.draw.picture import Picture

DPI: Final = 130

_SETTINGS: Final = {
    "svg.hashsalt": "orchestration-trace",
    "hatch.linewidth": 0.7,
    # matplotlib's default, with which hinted_width() agrees.
    "text.hinting": "default",
}

_FACTS_SIZE: Final = 8.5
_TITLE_SIZE: Final = 12.5


def trace_style() -> AbstractContextManager[None]:
    """Return the context in which trace figures are drawn and saved."""
    return style(_SETTINGS)


def figure_bytes(figure: Figure, kind: str) -> bytes:
    """Return the figure as ``svg``, ``pdf`` or ``png``."""
    return encode(figure, kind, {}, DPI)


def heading(figure: Figure, picture: Picture) -> None:
    """Write title, name and facts at the top; the name is cut rather than the facts."""
    width, height = figure.get_size_inches()
    usable = width - 0.3
    title = drawable(picture.title, usable, _TITLE_SIZE, "bold")
    left = 0.15 / width
    figure.text(left, 1 - 0.30 / height, title, fontsize=_TITLE_SIZE, weight="bold")
    facts = f": {picture.facts}"
    name = drawable(picture.name, usable - hinted_width(facts, _FACTS_SIZE), _FACTS_SIZE)
    figure.text(left, 1 - 0.56 / height, name + facts, fontsize=_FACTS_SIZE, color="#444444")
