"""Units from coarse to fine, each with the broad reading as a bar and the strict one as its part."""

from __future__ import annotations

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, Swatch, line_height, text_width, wrap
from corpus.canvas.style import GREY, INK, LIGHT, SHADES, SMALL, TEXT
from corpus.publishing.figures.kinds.ladder import Ladder, Rung

#: Width of one column of numbers, in inches.
_COLUMN = 0.36


def draw_ladder(data: Ladder, width: float, title: str) -> Figure:
    """Draw one rung a unit, empty ones included, with the numbers of each reading beside it."""
    sheet = Paper(width, title)
    fills = _parts(data)
    sheet.legend([Swatch(label, fill, edge=GREY) for label, fill in fills])
    names = {rung.id: wrap(rung.label, TEXT, 1.4 if width > 5 else 0.85) for rung in data.rungs}
    left = MARGIN + 0.27 + max(text_width(line, TEXT) for lines in names.values() for line in lines) + 0.08
    heads = ("broad", "strict", "or near") if any(rung.near for rung in data.rungs) else ("broad", "strict")
    end = sheet.right - _COLUMN * len(heads)
    unit = (end - left - 0.08) / max([rung.broad for rung in data.rungs] + [1])
    for number, head in enumerate(heads):
        x = end + _COLUMN * (number + 1) - 0.02
        sheet.text(x, sheet.y + line_height(SMALL) / 2, head, SMALL, color=GREY, align="right")
    sheet.y += line_height(SMALL) + 0.03
    start = sheet.y
    for rung in data.rungs:
        height = max(0.23, len(names[rung.id]) * line_height(TEXT) + 0.05)
        middle = sheet.y + height / 2
        sheet.lines(left - 0.08, middle, names[rung.id], TEXT, align="right")
        _rung(sheet, rung, (left, middle, unit), fills)
        values = (rung.broad, rung.strict, rung.strict + rung.near)[: len(heads)]
        for number, value in enumerate(values):
            x = end + _COLUMN * (number + 1) - 0.02
            weight = "bold" if value else "normal"
            sheet.text(x, middle, f"{value}", TEXT, align="right", color=INK if value else GREY, weight=weight)
        sheet.y += height
        sheet.line((left, sheet.right), (sheet.y, sheet.y), LIGHT, 0.4)
    sheet.line((left, left), (start, sheet.y), GREY, 0.6)
    _direction(sheet, start, sheet.y)
    sheet.note(_said(data))
    return sheet.figure()


def _parts(data: Ladder) -> list[tuple[str, str]]:
    """Return label and fill of the four parts of a bar."""
    strict, near, weaker = data.names
    found = [(strict, SHADES[0]), (near, SHADES[1]), (f"{weaker} only", SHADES[2])]
    return [*found, ("not judged", "white")]


def _rung(sheet: Paper, rung: Rung, place: tuple[float, float, float], parts: list[tuple[str, str]]) -> None:
    x, middle, unit = place
    numbers = (rung.strict, rung.near, rung.weaker, rung.unjudged)
    for number, (_, fill) in zip(numbers, parts, strict=True):
        if number:
            sheet.rect((x, middle - 0.07, unit * number, 0.14), fill, edge=GREY, line=0.5)
            x += unit * number
    if not rung.broad:
        sheet.text(x + 0.06, middle, "0", TEXT, color=GREY)


def _direction(sheet: Paper, top: float, bottom: float) -> None:
    """Say along the left edge that the units run from coarse to fine."""
    x = MARGIN + 0.06
    sheet.arrow((x, top + 0.05), (x, bottom - 0.05), GREY)
    sheet.turned(x + 0.1, bottom - 0.09, "coarse to fine", SMALL, color=GREY)


def _said(data: Ladder) -> str:
    tagged = sum(rung.broad for rung in data.rungs)
    judged = tagged - sum(rung.unjudged for rung in data.rungs)
    absent = f"; {data.absent_entries} entries stand apart ({data.absent})" if data.absent else ""
    return f"{judged} of {tagged} tags have been judged{absent}."
