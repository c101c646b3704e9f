"""Boxes and arrows in the manner of PRISMA 2020."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.figure import Figure

from corpus.analysis.counting.identification import Identification
from corpus.canvas.paper import MARGIN, Paper, line_height, text_width, widest, wrap
from corpus.canvas.style import INK, SHADES, SMALL, TEXT
from corpus.publishing.figures.kinds.flow import Flow, FlowStage

#: In inches: width of the upright bands, padding of a box, height of an arrow, distance of the
#: lines of a box from its heading.
_BAND, _PAD, _GAP, _SKIP = 0.2, 0.07, 0.17, 0.03


class _Columns(NamedTuple):
    """Left end and width of the boxes on the left (what goes on) and right (what is excluded)."""

    left: float
    left_width: float
    right: float
    right_width: float

    @property
    def middle(self) -> float:
        """The middle of the boxes on the left, where the arrows run down."""
        return self.left + self.left_width / 2


def draw_flow(data: Flow, width: float, title: str) -> Figure:
    """Draw how works were found, every stage with its exclusions, and the retained entries."""
    paper = Paper(width, title)
    left = MARGIN + _BAND + 0.1
    left_width = (paper.right - left) * 0.42
    right = left + left_width + 0.28
    columns = _Columns(left, left_width, right, paper.right - right)

    if data.identified is not None:
        start = paper.y
        _identification(paper, data.identified, columns)
        _band(paper, start, paper.y, "Identification")
        _arrow_down(paper, columns)

    start = paper.y
    _box(paper, (left, left_width), ["Records screened", _n(data.audited)], [])
    for stage in data.stages:
        _stage(paper, stage, columns)
    _band(paper, start, paper.y, "Screening")

    start = _arrow_down(paper, columns)
    _retained(paper, data, columns.left)
    _band(paper, start, paper.y, "Included")
    return paper.figure()


def _identification(paper: Paper, found: Identification, columns: _Columns) -> None:
    """Draw a box for each way in which works were found, and below it those not decided yet."""
    boxes: list[tuple[str, int, list[str]]] = []
    if found.sources:
        lines = [f"{source.source} {_n(source.records)}" for source in found.sources]
        lines.append(f"duplicates and known works removed {_n(found.duplicates)}")
        boxes.append(("New from searches", found.new, lines))
    if found.verdicts:
        lines = [f"{verdict} {_n(works)}" for verdict, works in found.verdicts]
        boxes.append(("Identified from lists of others", found.in_lists, lines))
    boxes.append(("Identified in other ways", found.otherwise, []))

    top = paper.y
    width = (paper.right - columns.left - (len(boxes) - 1) * _PAD) / len(boxes)
    ends: list[float] = []
    middles: list[float] = []
    for number, (heading, works, lines) in enumerate(boxes):
        left = columns.left + number * (width + _PAD)
        paper.y = top
        _box(paper, (left, width), [heading, _n(works)], lines)
        ends.append(paper.y)
        middles.append(left + width / 2)

    # A line collects what the boxes found; the arrow to all of it starts there.
    paper.y = max(ends) + _GAP / 2
    for middle, end in zip(middles, ends, strict=True):
        paper.vertical(middle, end, paper.y, INK, 0.8)
    first = min(*middles, columns.middle)
    paper.horizontal(first, max(middles), paper.y, INK, 0.8)

    top = _arrow_down(paper, columns)
    identified = ["Records to screen", _n(found.audited + found.waiting)]
    _box(paper, (columns.left, columns.left_width), identified, [])
    end = paper.y
    paper.y = top
    waiting = [f"Awaiting assessment {_n(found.waiting)}"]
    _box(paper, (columns.right, columns.right_width), waiting, [], "#f6f6f6")
    arrow = top + _PAD + line_height(TEXT) / 2
    paper.arrow((columns.left + columns.left_width, arrow), (columns.right, arrow))
    paper.y = max(end, paper.y)


def _n(number: int) -> str:
    """Return a number as PRISMA writes it, in one piece."""
    return f"(n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number})"


def _arrow_down(paper: Paper, columns: _Columns) -> float:
    """Draw an arrow to the next box on the left; return where that box begins."""
    end = paper.y + _GAP
    paper.arrow((columns.middle, paper.y), (columns.middle, end))
    paper.y = end
    return end


def _box(
    paper: Paper,
    place: tuple[float, float],
    head: Sequence[str],
    lines: Sequence[str],
    fill: str = "white",
) -> None:
    """Draw a box at the current height with wrapped heading and lines, and move below it."""
    x, width = place
    heads: list[str] = []
    for text in head:
        heads += wrap(text, TEXT, width - 2 * _PAD, "bold")
    wrapped: list[str] = []
    for text in lines:
        wrapped += wrap(text, SMALL, width - 2 * _PAD)
    height = len(heads) * line_height(TEXT) + len(wrapped) * line_height(SMALL) + 2 * _PAD
    if wrapped:
        height += _SKIP
    paper.rect((x, paper.y, width, height), fill, edge=INK, line=0.7)
    y = paper.y + _PAD
    step = line_height(TEXT)
    for line in heads:
        paper.text(x + _PAD, y + step / 2, line, TEXT, weight="bold")
        y += step
    y += _SKIP
    step = line_height(SMALL)
    for line in wrapped:
        paper.text(x + _PAD, y + step / 2, line, SMALL)
        y += step
    paper.y += height


def _stage(paper: Paper, stage: FlowStage, columns: _Columns) -> None:
    """Draw a stage on the left, what it excludes on the right, and the arrows to and between."""
    top = _arrow_down(paper, columns)
    # A log knows the stage that decided, not which records were looked at in each stage.
    remaining = [f"Remaining before {stage.label}", _n(stage.reached)]
    _box(paper, (columns.left, columns.left_width), remaining, [])
    left_end = paper.y

    paper.y = top
    excluded = [f"Records excluded {_n(stage.excluded)}"]
    reasons = [f"{reason} {_n(records)}" for reason, records in stage.reasons]
    _box(paper, (columns.right, columns.right_width), excluded, reasons, "#f6f6f6")
    right_end = paper.y

    arrow = top + _PAD + line_height(TEXT) / 2
    paper.arrow((columns.left + columns.left_width, arrow), (columns.right, arrow))
    if right_end > left_end:
        paper.vertical(columns.middle, left_end, right_end, INK, 0.8)
    paper.y = max(left_end, right_end)


def _retained(paper: Paper, data: Flow, left: float) -> None:
    """Draw the last box with the groups in as many columns as fit."""
    width = paper.right - left
    inner = width - 2 * _PAD
    groups = [f"{label} {_n(entries)}" for label, entries in data.groups]
    column_width = max(widest(groups, SMALL), 0.5) + 0.15
    columns = max(1, min(len(groups), int(inner / column_width)))
    rows = math.ceil(len(groups) / columns)
    # The same number of rows may need fewer columns.
    columns = math.ceil(len(groups) / rows)
    height = line_height(TEXT) + rows * line_height(SMALL) + 2 * _PAD + 0.05
    paper.rect((left, paper.y, width, height), SHADES[3], edge=INK, line=0.7)
    y = paper.y + _PAD + line_height(TEXT) / 2
    heading = f"Studies included in the pool {_n(data.retained)}"
    paper.text(left + _PAD, y, heading, TEXT, weight="bold")
    for number, group in enumerate(groups):
        row, column = divmod(number, columns)
        group_x = left + _PAD + column * inner / columns
        group_y = y + 0.05 + line_height(TEXT) / 2 + line_height(SMALL) * (row + 0.5)
        paper.text(group_x, group_y, group, SMALL)
    paper.y += height


def _band(paper: Paper, top: float, bottom: float, name: str) -> None:
    """Draw the upright band that names a phase, as PRISMA does; without a name if it is short."""
    paper.rect((MARGIN, top, _BAND, bottom - top), SHADES[0])
    length = text_width(name, SMALL, "bold")
    if length < bottom - top - 0.04:
        lower_end = (top + bottom + length) / 2
        x = MARGIN + _BAND / 2 + 0.005
        paper.upright(x, lower_end, name, SMALL, color="white", weight="bold")
