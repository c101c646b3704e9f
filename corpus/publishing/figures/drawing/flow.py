"""Boxes and arrows in the manner of PRISMA 2020."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, line_height, text_width, wrap
from corpus.canvas.style import INK, SHADES, SMALL, TEXT
from corpus.publishing.figures.kinds.flow import Flow, FlowStage

_BAND, _PAD, _GAP = 0.2, 0.07, 0.17


def draw_flow(data: Flow, width: float, title: str) -> Figure:
    """Draw the audited records, every stage with what it excludes and why, and the retained entries by group."""
    sheet = Paper(width, title)
    left = MARGIN + _BAND + 0.1
    main = (sheet.right - left) * 0.42
    side = left + main + 0.28
    boxes = (left, main, side, sheet.right - side)
    start = sheet.y
    _box(sheet, (left, main), ["Records audited", _n(data.audited)], [])
    _band(sheet, start, sheet.y, "Audit")
    start = sheet.y + _GAP
    for stage in data.stages:
        _stage(sheet, stage, boxes)
    if data.stages:
        _band(sheet, start, sheet.y, "Screening")
    start = sheet.y + _GAP
    sheet.arrow((left + main / 2, sheet.y), (left + main / 2, start))
    sheet.y = start
    _retained(sheet, data, boxes)
    _band(sheet, start, sheet.y, "Included")
    return sheet.figure()


def _n(number: int) -> str:
    """Return a number as PRISMA writes it, in one piece."""
    return f"(n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number})"


def _height(head: Sequence[str], lines: Sequence[str]) -> float:
    return len(head) * line_height(TEXT) + len(lines) * line_height(SMALL) + 2 * _PAD + (0.03 if lines else 0)


def _box(
    sheet: Paper, place: tuple[float, float], head: Sequence[str], lines: Sequence[str], fill: str = "white"
) -> None:
    """Draw a box at the current height with wrapped heading and lines, and move below it."""
    x, width = place
    heads = [line for text in head for line in wrap(text, TEXT, width - 2 * _PAD, "bold")]
    wrapped = [line for text in lines for line in wrap(text, SMALL, width - 2 * _PAD)]
    height = _height(heads, wrapped)
    sheet.rect((x, sheet.y, width, height), fill, edge=INK, line=0.7)
    y = sheet.y + _PAD
    for line in heads:
        sheet.text(x + _PAD, y + line_height(TEXT) / 2, line, TEXT, weight="bold")
        y += line_height(TEXT)
    y += 0.03
    for line in wrapped:
        sheet.text(x + _PAD, y + line_height(SMALL) / 2, line, SMALL)
        y += line_height(SMALL)
    sheet.y += height


def _stage(sheet: Paper, stage: FlowStage, boxes: tuple[float, float, float, float]) -> None:
    """Draw a stage on the left, what it excludes on the right, and the arrows to and between them."""
    left, main, side, width = boxes
    top = sheet.y + _GAP
    sheet.arrow((left + main / 2, sheet.y), (left + main / 2, top))
    sheet.y = top
    _box(sheet, (left, main), [f"Screened: {stage.label}", _n(stage.reached)], [])
    below = sheet.y
    sheet.y = top
    reasons = [f"{reason} {_n(number)}" for reason, number in stage.reasons]
    _box(sheet, (side, width), [f"Excluded {_n(stage.excluded)}"], reasons, "#f6f6f6")
    arrow = top + _PAD + line_height(TEXT) / 2
    sheet.arrow((left + main, arrow), (side, arrow))
    if sheet.y > below:
        sheet.line((left + main / 2, left + main / 2), (below, sheet.y), INK, 0.8)
    sheet.y = max(below, sheet.y)


def _retained(sheet: Paper, data: Flow, boxes: tuple[float, float, float, float]) -> None:
    """Draw the last box with the groups in as many columns as fit."""
    left, _, _, _ = boxes
    width = sheet.right - left
    words = [f"{label} {_n(number)}" for label, number in data.groups]
    widest = max([text_width(word, SMALL) for word in words] + [0.5]) + 0.15
    columns = max(1, min(len(words), int((width - 2 * _PAD) / widest)))
    rows = -(-len(words) // columns)
    columns = -(-len(words) // rows)
    height = line_height(TEXT) + rows * line_height(SMALL) + 2 * _PAD + 0.05
    sheet.rect((left, sheet.y, width, height), SHADES[3], edge=INK, line=0.7)
    y = sheet.y + _PAD + line_height(TEXT) / 2
    sheet.text(left + _PAD, y, f"Retained in the pool {_n(data.retained)}", TEXT, weight="bold")
    for number, word in enumerate(words):
        down, across = divmod(number, columns)
        place = y + 0.05 + line_height(TEXT) / 2 + line_height(SMALL) * (down + 0.5)
        sheet.text(left + _PAD + across * (width - 2 * _PAD) / columns, place, word, SMALL)
    sheet.y += height


def _band(sheet: Paper, top: float, bottom: float, name: str) -> None:
    """Draw the upright band that names a phase, as PRISMA does; without words where there is no room."""
    sheet.rect((MARGIN, top, _BAND, bottom - top), SHADES[0])
    long = text_width(name, SMALL, "bold")
    if long < bottom - top - 0.04:
        middle = (top + bottom + long) / 2
        sheet.turned(MARGIN + _BAND / 2 + 0.005, middle, name, SMALL, color="white", weight="bold")
