"""Pictures of a run: a swimlane as SVG, PDF, PNG or terminal text."""

from __future__ import annotations

from corpus.model.extras import optional_package
from corpus.traces.draw.picture import LAYOUTS, PAGES, Picture
from corpus.traces.draw.terminal import swimlane_text
from corpus.traces.run import Run

__all__ = ["FIGURES", "FORMATS", "LAYOUTS", "draw"]

FIGURES = ("svg", "pdf", "png")
"""Formats of figures, which are also the endings of their files."""
FORMATS = (*FIGURES, "text")
DPI, FIXED_DPI = 130, 300


def draw(run: Run, kind: str = "svg", layout: str = "auto") -> bytes:
    """Draw one run, one lane per agent over time; equal runs give equal bytes.

    Parameters
    ----------
    run
        A valid trace.
    kind : {"svg", "pdf", "png", "text"}
        What to return; the last one is UTF-8 text.
    layout : {"auto", "wide", "column"}
        The size of a figure: as the run needs, a slide of 16:9, or the column of a paper.
    """
    if kind == "text":
        return swimlane_text(Picture(run)).encode()
    # Only figures need matplotlib, which takes longer to import than a text takes to write.
    from corpus.canvas.style import encode

    with optional_package("figures"):
        from corpus.traces.draw.figure import swimlane, trace_style

    page = PAGES[layout]
    # A page of fixed size is printed or projected.
    dpi = FIXED_DPI if page.width else DPI
    with trace_style():
        return encode(swimlane(run, page), kind, {}, dpi)
