"""Pictures of a run: a swimlane or the event graph, as SVG, PDF, PNG, Mermaid or terminal text."""

from __future__ import annotations

from typing import Final

from corpus.model.finding import UsageProblem
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
        A lane an agent over time, or every event and every edge.

    Raises
    ------
    UsageProblem
        Where a figure would have more than :data:`LARGEST` events.
    """
    if kind not in ("text", "mermaid") and len(run.events) > LARGEST:
        raise UsageProblem(f"{len(run.events)} events do not fit a figure (at most {LARGEST}); use --format text")
    from corpus.traces.draw.picture import picture

    found = picture(run)
    if kind == "text":
        from corpus.traces.draw.terminal import event_list_text, swimlane_text

        return (swimlane_text if view == "swimlane" else event_list_text)(run, found).encode()
    if kind == "mermaid":
        from corpus.traces.draw.mermaid import flowchart_mermaid, sequence_mermaid

        return (sequence_mermaid if view == "swimlane" else flowchart_mermaid)(run, found).encode()
    from corpus.traces.draw.event_graph import event_graph
    from corpus.traces.draw.figure import figure_bytes, settings
    from corpus.traces.draw.swimlane import swimlane

    with settings():
        return figure_bytes(swimlane(found) if view == "swimlane" else event_graph(run, found), kind)


def coded(run: Run, view: str = "swimlane") -> list[str]:
    """Return the letters that a figure of a run shows as codes, since its typeface lacks them."""
    from corpus.traces.draw.figure import lacking
    from corpus.traces.draw.picture import picture
    from corpus.traces.draw.wording import plain

    found = picture(run)
    texts = [found.title, found.name, *(lane.name for lane in found.lanes)]
    if view == "swimlane":
        texts += [*(lane.role for lane in found.lanes), *(work.label for work in found.work)]
    else:
        texts += [plain(event.id) for event in run.events]
    return lacking("".join(texts))
