"""Names in a grid of rows and grades; an empty cell of the highest grade is marked."""

from __future__ import annotations

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, line_height, text_width, wrap
from corpus.canvas.style import ALERT, GREY, INK, LIGHT, SHADES, SMALL, TEXT
from corpus.publishing.figures.kinds.decision_grid import DecisionGrid


def draw_grid(data: DecisionGrid, width: float, title: str) -> Figure:
    """Draw every cell with the number of its entries and their names."""
    sheet = Paper(width, title)
    room = 1.35 if width > 5 else 0.62
    words = {row.id: wrap(row.label, SMALL, room) for row in data.rows}
    widest = max(text_width(line, SMALL) for lines in words.values() for line in lines)
    left = MARGIN + max([widest, *(text_width(row.id, TEXT, "bold") for row in data.rows)]) + 0.1
    across = (sheet.right - left) / len(data.grades)
    heads = [wrap(grade.label, SMALL, across - 0.08, "bold") for grade in data.grades]
    tall = max(map(len, heads)) * line_height(SMALL) + 0.06
    for number, head in enumerate(heads):
        x = left + across * (number + 0.5)
        sheet.lines(x, sheet.y + tall / 2, head, SMALL, weight="bold", align="center")
    sheet.y += tall
    names = {cell: _names(data, cell, across) for cell in data.cells}
    for row in data.rows:
        most = max(len(names[row.id, grade.id]) for grade in data.grades)
        height = max(most * line_height(SMALL) + 0.1, (1 + len(words[row.id])) * line_height(TEXT) + 0.06, 0.32)
        middle = sheet.y + height / 2
        top = middle - line_height(SMALL) * len(words[row.id]) / 2
        sheet.text(MARGIN, top, row.id, TEXT, weight="bold")
        sheet.lines(MARGIN, middle + line_height(TEXT) / 2, words[row.id], SMALL)
        for number, grade in enumerate(data.grades):
            box = (left + across * number, sheet.y, across, height)
            _cell(sheet, names[row.id, grade.id], len(data.cells[row.id, grade.id]), box, number)
        sheet.y += height
    return sheet.figure()


def _names(data: DecisionGrid, cell: tuple[str, str], across: float) -> list[str]:
    return [line for _, name in data.cells[cell] for line in wrap(name, SMALL, across - 0.25)]


def _cell(sheet: Paper, names: list[str], number: int, box: tuple[float, float, float, float], grade: int) -> None:
    """Draw one cell; the first grade is filled strongest, an empty one of that grade has a dashed border."""
    x, y, width, height = box
    gap = 0.025
    fill = (SHADES[2], SHADES[3], "#eeeeee")[min(grade, 2)] if number else "white"
    missing = not number and not grade
    sheet.rect(
        (x + gap, y + gap, width - 2 * gap, height - 2 * gap), fill, edge=ALERT if missing else LIGHT, dashed=missing,
        line=1.0 if missing else 0.5,
    )  # fmt: skip
    ink = INK if number else ALERT if missing else GREY
    sheet.text(x + 0.105, y + height / 2, f"{number}", TEXT, weight="bold", color=ink, align="center")
    if number:
        sheet.lines(x + 0.19, y + height / 2, names, SMALL)
    elif missing:
        sheet.text(x + 0.19, y + height / 2, "none", SMALL, color=ALERT)
