"""Pictures of a run: a swimlane as SVG, PDF, PNG, Mermaid or terminal text.

A figure shows every event where they all fit; a larger run is shown by bars and bundles of arrows,
so that it takes one page whatever its size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpus.model.extras import optional_package
from corpus.traces.draw.mermaid import sequence_mermaid
from corpus.traces.draw.picture import AXES, LAYOUTS, PAGES, SPREAD, Page, Picture
from corpus.traces.draw.terminal import swimlane_text
from corpus.traces.run import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["AXES", "FIGURES", "FORMATS", "LAYOUTS", "SPREAD", "TEXTS", "draw", "figure_of"]

TEXTS = {"mermaid": sequence_mermaid, "text": swimlane_text}
"""Formats that are text, and what writes each."""
FIGURES = ("svg", "pdf", "png")
"""Formats of figures, which are also the endings of their files."""
FORMATS = (*FIGURES, *TEXTS)
DPI, FIXED_DPI = 130, 300
MARKED = 3000
"""Events of the largest run for which every event is tried to be drawn by itself."""


def draw(run: Run, kind: str = "svg", axis: str = SPREAD, layout: str = "auto") -> bytes:
    """Draw one run, one lane per agent over time; equal runs give equal bytes.

    Parameters
    ----------
    run
        A valid trace.
    kind : {"svg", "pdf", "png", "mermaid", "text"}
        What to return; the last two are UTF-8 text.
    axis : {"spread", "time"}
        Whether time is stretched where events crowd, or equal lengths are equal times.
    layout : {"auto", "wide", "column"}
        The size of a figure: as the run needs, a slide of 16:9, or the column of a paper.
    """
    if kind in TEXTS:
        return TEXTS[kind](Picture(run, axis_kind=axis)).encode()
    # Only figures need matplotlib, which takes longer to import than a text takes to write.
    from corpus.canvas.style import encode

    with optional_package("figures"):
        from corpus.traces.draw.figure import trace_style

    page = PAGES[layout]
    dpi = DPI
    # A page of fixed size is printed or projected.
    if page.width:
        dpi = FIXED_DPI
    with trace_style():
        return encode(figure_of(run, axis, page), kind, {}, dpi)


def figure_of(run: Run, axis: str, page: Page) -> Figure:
    """Return the figure of a run, to be called in the style of trace figures.

    Parameters
    ----------
    run, axis
        As those of :func:`draw`.
    page
        The layout.
    """
    # As in draw().
    from corpus.traces.draw.overview import Overview
    from corpus.traces.draw.swimlane import Swimlane

    figure = None
    if len(run.events) <= MARKED:
        figure = Swimlane(Picture(run, page.rows, axis), page).draw()
    return figure or Overview(run, page, axis).draw()
