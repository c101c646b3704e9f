"""The legend below a figure: its entries, how many columns fit, and where it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from corpus.traces.draw.ink import ARROWS, SYMBOLS

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
