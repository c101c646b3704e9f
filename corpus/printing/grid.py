"""A table in print: header, rows of cells, a title and a note; written for terminal, Markdown, LaTeX, HTML and CSV."""

from __future__ import annotations

import csv
import io
import textwrap
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from corpus.printing.escape import csv_cell, terminal


class Grid(NamedTuple):
    """A table to print.

    Attributes
    ----------
    title : str
        What the table shows; empty for none.
    header : tuple of str
        Column heads.
    rows : tuple of tuple of str
        Cells as plain text; every sink escapes them for itself.
    numeric : frozenset of int
        Positions of the columns that are set flush right.
    note : str
        A line under the table: what is counted, what a sign means.
    wraps : frozenset of int
        Positions of the columns with running text: broken over lines rather than cut, and a paragraph in LaTeX.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    note: str = ""
    wraps: frozenset[int] = frozenset()


def width(text: str) -> int:
    """Return how many terminal cells a text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)

    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pad(text: str, cells: int, right: bool = False) -> str:
    """Fill a text with blanks to a number of terminal cells; `right` sets it flush right."""
    blanks = " " * max(0, cells - width(text))
    return blanks + text if right else text + blanks


def cut(text: str, cells: int) -> str:
    """Shorten a text to at most `cells` terminal cells, with an ellipsis where something was cut."""
    if width(text) <= cells:
        return text
    kept, used = [], 1
    for character in text:
        used += width(character)
        if used > cells:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def grid_text(grid: Grid, columns: int | None = None) -> str:
    """Write a table for a terminal, cutting the widest columns where `columns` cells do not suffice.

    Columns in `grid.wraps` are broken over several lines instead, and so is the note.
    """
    rows = [tuple(terminal(cell) for cell in row) for row in (grid.header, *grid.rows)]
    widths = [max(width(row[i]) for row in rows) for i in range(len(grid.header))]
    if columns is not None:
        while sum(widths) + 2 * (len(widths) - 1) > columns and max(widths) > 8:
            widths[widths.index(max(widths))] -= 1
    lines = [terminal(grid.title)] if grid.title else []
    for number, row in enumerate(rows):
        for cells in _broken(row, widths, grid.wraps if number else frozenset()):
            shown = [pad(cut(c, w), w, i in grid.numeric) for i, (c, w) in enumerate(zip(cells, widths, strict=True))]
            lines.append("  ".join(shown).rstrip())
    lines.insert(2 if grid.title else 1, "  ".join("-" * w for w in widths))
    if grid.note:
        lines += textwrap.wrap(terminal(grid.note), columns) if columns else [terminal(grid.note)]
    return "".join(line + "\n" for line in lines)


def _broken(row: Sequence[str], widths: Sequence[int], wraps: frozenset[int]) -> list[tuple[str, ...]]:
    """Return the lines of a row: more than one where a cell with running text is wider than its column."""
    if all(width(row[i]) <= widths[i] for i in wraps):
        return [tuple(row)]
    parts = [
        textwrap.wrap(c, widths[i], break_on_hyphens=False) if i in wraps and c else [c] for i, c in enumerate(row)
    ]
    height = max(len(part) for part in parts)
    return [tuple(part[n] if n < len(part) else "" for part in parts) for n in range(height)]


def grid_csv(grids: Sequence[Grid]) -> str:
    """Write tables as CSV, a blank line between two; cells that a spreadsheet would run are neutralised."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for number, grid in enumerate(grids):
        if number:
            buffer.write("\n")
        writer.writerows([csv_cell(cell) for cell in row] for row in (grid.header, *grid.rows))
    return buffer.getvalue()


def grid_markdown(grids: Sequence[Grid], level: int = 2) -> str:
    """Write tables as GitHub-flavoured Markdown, each under a heading of `level`."""
    from corpus.printing.templates import environment

    return environment("md").get_template("grids.md.j2").render(grids=grids, level=level)


def grid_latex(grids: Sequence[Grid]) -> str:
    """Write tables as LaTeX (booktabs), each a `table` with its caption."""
    from corpus.printing.templates import environment

    return environment("tex").get_template("grids.tex.j2").render(grids=grids)


def grid_html(grids: Sequence[Grid]) -> str:
    """Write tables as HTML, each with its title as caption and its note as a paragraph."""
    from corpus.printing.templates import environment

    return environment("html").get_template("grids.html.j2").render(grids=grids)


def plural(number: int, word: str) -> str:
    """Return a number with what it counts: 1 trace, 2,000 traces."""
    return f"{number:,} {word}{'s'[: number != 1]}"
