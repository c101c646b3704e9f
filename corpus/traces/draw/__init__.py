"""Pictures of a run: a swimlane or the event graph, as SVG, PDF, PNG, Mermaid or terminal text."""

from __future__ import annotations

from typing import Final

from corpus.model.finding import UsageProblem
from corpus.traces.draw.mermaid import flowchart_mermaid, sequence_mermaid
from corpus.traces.draw.picture import Picture, picture
from corpus.traces.draw.terminal import event_list_text, swimlane_text
from corpus.traces.draw.wording import plain
from corpus.traces.run import Run

FORMATS: Final = ("svg", "pdf", "png", "mermaid", "text")
VIEWS: Final = ("swimlane", "graph")
LARGEST: Final = 3000
"""Events of the largest run that a figure can show; text has no limit."""


def draw(run: Run, kind: str = "svg", view: str = "swimlane") -> bytes:
    """Draw one run; equal runs give equal bytes.

    Parameters
    ----------
    run
        A valid trace.
    kind : {"svg", "pdf", "png", "mermaid", "text"}
        What to return; the last two are UTF-8 text.
    view : {"swimlane", "graph"}
        One lane per agent over time, or every event and every edge.

    Raises
    ------
    UsageProblem
        Where a figure would have more than :data:`LARGEST` events.
    """
    if kind not in ("text", "mermaid") and len(run.events) > LARGEST:
        raise UsageProblem(
            f"{len(run.events)} events do not fit a figure (at most {LARGEST}); use --format text"
        )
    found = picture(run)
    if kind == "text":
        write = swimlane_text if view == "swimlane" else event_list_text
        return write(run, found).encode()
    if kind == "mermaid":
        write = sequence_mermaid if view == "swimlane" else flowchart_mermaid
        return write(run, found).encode()
    return _figure(run, found, kind, view)


def _figure(run: Run, found: Picture, kind: str, view: str) -> bytes:
    # Only figures need matplotlib, which takes longer to import than a text takes to write.
    from corpus.traces.draw.event_graph import event_graph
    from corpus.traces.draw.figure import figure_bytes, trace_style
    from corpus.traces.draw.swimlane import swimlane

    with trace_style():
        figure = swimlane(found) if view == "swimlane" else event_graph(run, found)
        return figure_bytes(figure, kind)


def coded(run: Run, view: str = "swimlane") -> list[str]:
    """Return the characters that a figure of a run shows as codes: its typeface lacks them."""
    from corpus.canvas.typeface import missing_glyphs  # imports matplotlib

    found = picture(run)
    texts = [found.name]
    texts += [lane.name for lane in found.lanes]
    if view == "swimlane":
        texts += [lane.role for lane in found.lanes]
        texts += [span.label for span in found.work]
    else:
        texts += [plain(event.id) for event in run.events]
    codes = missing_glyphs(found.title, "bold") + missing_glyphs("".join(texts))
    return list(dict.fromkeys(codes))
