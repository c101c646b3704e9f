"""A history as a figure: one step line per series over the states of the corpus."""

from __future__ import annotations

from matplotlib.figure import Figure

from corpus.analysis.history.timeline import History
from corpus.canvas.paper import MARGIN, Paper, line_height, widest
from corpus.canvas.style import GREY, LIGHT, PALE, SHADES, SMALL, encode, style
from corpus.printing.numerals import numeral
from corpus.publishing.figures.plan import WIDTHS

#: Height of a series' band, in inches.
_BAND = 0.34
#: Above the line, inside its band.
_ROOM = 0.08


def history_bytes(found: History, format_: str) -> bytes:
    """Return the file of a history's figure, in two columns' width.

    Parameters
    ----------
    found : History
        The history; it has at least one state.
    format_ : {"svg", "pdf", "png"}
        The format.
    """
    with style():
        return encode(draw_history(found), format_, {"Title": _title(found)})


def draw_history(found: History) -> Figure:
    """Draw one band per series.

    States are at equal distances, in their order: the clock of a commit may go back. Every series
    has a band with a scale of its own, from 0 to its greatest number.
    """
    paper = Paper(WIDTHS["two"], _title(found))
    names = found.series
    left = MARGIN + widest(names, SMALL) + 0.12
    greatest = [numeral(max(_known(found, name), default=0)) for name in names]
    right = paper.right - widest(greatest, SMALL) - 0.08
    for name in names:
        _band(paper, found, name, left, right)
    _dates(paper, found, left, right)
    return paper.figure()


def _title(found: History) -> str:
    return f"History: {found.subject}"


def _known(found: History, name: str) -> list[int | float]:
    known = []
    for number in found.numbers(name):
        # A ratio without a divisor is not equal to itself.
        if number is not None and number == number:
            known.append(number)
    return known


def _band(paper: Paper, found: History, name: str, left: float, right: float) -> None:
    """Draw one series: its name, its line, its last number."""
    floor = paper.y + _BAND
    top = max([*_known(found, name), 1])
    height = (_BAND - _ROOM) / top
    paper.horizontal(left, right, floor, LIGHT, 0.5)
    paper.text(left - 0.06, floor - 0.06, name, SMALL, align="right")
    numbers = found.numbers(name)
    step = (right - left) / len(numbers)
    x: list[float] = []
    y: list[float] = []
    full = top * height
    for place, number in enumerate(numbers):
        start = left + place * step
        if number is None or number != number:
            # A pale block: not the same as a number of 0.
            paper.rect((start, floor - full, step, full), PALE)
            paper.line(x, y, SHADES[0], 1.0)
            x, y = [], []
            continue
        level = floor - number * height
        paper.rect((start, level, step, floor - level), SHADES[-1])
        x += [start, start + step]
        y += [level, level]
    paper.line(x, y, SHADES[0], 1.0)
    if y:
        paper.text(right + 0.05, floor - 0.06, numeral(numbers[-1] or 0), SMALL)
    paper.y = floor + 0.03


def _dates(paper: Paper, found: History, left: float, right: float) -> None:
    """Name the first and the last state below the bands."""
    middle = paper.y + line_height(SMALL) / 2 + 0.02
    first = found.points[0].revision
    last = found.points[-1].revision
    start = f"{first.label} {first.date}".strip()
    end = f"{last.label} {last.date}".strip()
    paper.text(left, middle, start, SMALL, color=GREY)
    paper.text(right, middle, end, SMALL, color=GREY, align="right")
    paper.y += line_height(SMALL) + 0.02
    note = f"{len(found.points)} states at equal distances."
    note += " Each line runs from 0 to its greatest number."
    if found.uncounted:
        note += " Grey: a state without a value."
    paper.note(note)
