"""Horizontal bars over a vocabulary, in parts where they are split."""

from __future__ import annotations

from matplotlib.figure import Figure

from corpus.canvas.paper import MARGIN, Paper, Swatch, line_height, text_width, wrap
from corpus.canvas.style import GREY, INK, PALETTE, SHADES, SMALL, TEXT
from corpus.publishing.figures.kinds.bars import Bars


def draw_bars(data: Bars, width: float, title: str) -> Figure:
    """Draw one bar a term, zero ones included, with its number and share."""
    sheet = Paper(width, title)
    fills = _fills(data)
    if data.split:
        sheet.legend([Swatch(f"{p.label}", fills[p.id][0], edge=GREY) for p in data.split], name=data.split_name)
    names = {term.id: wrap(term.label, TEXT, 1.6 if width > 5 else 1.05) for term in data.terms}
    left = MARGIN + max(text_width(line, TEXT) for lines in names.values() for line in lines) + 0.08
    ends = {term.id: _end(data, term.id) for term in data.terms}
    room = sheet.right - left - max(text_width(end, TEXT) for end in ends.values()) - 0.06
    lengths = {term: max(number, _parts(data, term)) for term, number in data.entries.items()}
    unit = room / max([*lengths.values(), 1])
    start = sheet.y
    for term in data.terms:
        height = max(0.22, len(names[term.id]) * line_height(TEXT) + 0.05)
        middle = sheet.y + height / 2
        sheet.lines(left - 0.08, middle, names[term.id], TEXT, align="right")
        _bar(sheet, data, term.id, (left, middle, unit), fills)
        x = left + unit * lengths[term.id] + 0.05
        sheet.text(x, middle, ends[term.id], TEXT, color=INK if data.entries[term.id] else GREY)
        sheet.y += height
    sheet.line((left, left), (start, sheet.y), GREY, 0.6)
    if data.absent:
        sheet.note(f"Shares are of the {data.total - data.entries[data.absent]} entries to which the axis applies.")
    return sheet.figure()


def _parts(data: Bars, term: str) -> int:
    """Return the sum of a bar's parts; more than its entries where the split has several terms an entry."""
    return sum(data.parts[term, part.id] for part in data.split)


def _end(data: Bars, term: str) -> str:
    applicable = data.total - (data.entries[data.absent] if data.absent else 0)
    number = data.entries[term]
    return f"{number}" if term == data.absent or not applicable else f"{number} ({100 * number / applicable:.0f}%)"


def _fills(data: Bars) -> dict[str, tuple[str, str]]:
    """Return fill and ink of every part: shades of one hue where they suffice."""
    if len(data.split) <= len(SHADES):
        shades = [(SHADES[0], "white"), (SHADES[1], "white"), (SHADES[2], INK), (SHADES[3], INK)]
        if len(data.split) == 3:
            shades = [shades[0], shades[2], ("#f0f0f0", INK)]
        return {part.id: shades[i] for i, part in enumerate(data.split)}
    return {part.id: (PALETTE[i % len(PALETTE)], "white") for i, part in enumerate(data.split)}


def _bar(
    sheet: Paper, data: Bars, term: str, place: tuple[float, float, float], fills: dict[str, tuple[str, str]]
) -> None:
    x, middle, unit = place
    if not data.split:
        sheet.rect((x, middle - 0.075, unit * data.entries[term], 0.15), PALETTE[0])
        return
    for part in data.split:
        number = data.parts[term, part.id]
        fill, ink = fills[part.id]
        if number:
            sheet.rect((x, middle - 0.075, unit * number, 0.15), fill, edge=GREY, line=0.4)
            if text_width(f"{number}", SMALL) + 0.04 < unit * number:
                sheet.text(x + unit * number / 2, middle, f"{number}", SMALL, color=ink, align="center")
        x += unit * number
