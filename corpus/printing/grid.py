"""A table in print, for terminal, Markdown, LaTeX, HTML and CSV."""

import csv
import io
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from corpus.printing.escape import csv_cell, terminal

#: The texts of a block are not narrower, whatever the terminal is.
_LEAST_WIDTH = 8
#: Running text in a column is not narrower.
_READABLE_WIDTH = 16
_GAP = "  "
#: Latin letters, dashes, quotation marks and the like.
_ONE_CELL_EACH = re.compile(r"[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027]*")
_WORD_ENDS = re.compile("(?<= )")
#: A name breaks after these only where a table would not fit otherwise.
_NAME_ENDS = re.compile("(?<=[ _/-])")


class Grid(NamedTuple):
    """A table to print.

    Attributes
    ----------
    title : str
        What the table shows; empty for none.
    header : tuple of str
        Column heads.
    rows : tuple of tuple of str
        Cells as plain text; they are escaped where they are written.
    numeric : collection of int
        Positions of the columns that are right-aligned.
    note : str
        A line under the table: what is counted, what a symbol means.
    wraps : collection of int
        Positions of the columns with running text, a paragraph in LaTeX.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: Collection[int] = ()
    note: str = ""
    wraps: Collection[int] = ()

    def records(self) -> list[dict[str, str]]:
        """Return each row as a mapping of column head to cell."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


def width(text: str) -> int:
    """Return how many terminal cells a text takes, as rich counts them: wide characters two."""
    if text.isascii() or _ONE_CELL_EACH.fullmatch(text):
        return len(text)
    # Few tables have other characters, and its import takes longer than printing one.
    from rich.cells import cell_len

    return cell_len(text)


def pad(text: str, cells: int, right: bool = False) -> str:
    """Fill a text with spaces up to a number of terminal cells; `right` aligns it to the right."""
    spaces = " " * (cells - width(text))
    return spaces + text if right else text + spaces


def cut(text: str, cells: int) -> str:
    """Shorten a text to at most `cells` terminal cells, an ellipsis at its end."""
    if width(text) <= cells:
        return text
    from rich.cells import set_cell_size

    return set_cell_size(text, cells - 1).rstrip() + "…"


def wrapped(text: str, cells: int, names: bool = False) -> list[str]:
    """Break a text into lines of at most `cells` terminal cells, at spaces.

    With `names`, lines also break after the characters that join the parts of a name. What is wider
    than a line even then is broken within.

    Examples
    --------
    >>> wrapped("peat and moss", 8), wrapped("泥炭 泥炭", 4)
    (['peat and', 'moss'], ['泥炭', '泥炭'])
    >>> wrapped("raised_bog", 7, names=True)
    ['raised_', 'bog']
    """
    lines = [""]
    for piece in _pieces(text, names):
        parts: Iterable[str] = [piece]
        if width(piece.rstrip()) > cells:
            # Character by character, on a line of its own.
            parts = piece
            lines.append("")
        for part in parts:
            if width((lines[-1] + part).rstrip()) > cells:
                lines.append("")
            lines[-1] += part
    shown = list(map(str.strip, lines))
    return list(filter(None, shown))


def _pieces(text: str, names: bool) -> list[str]:
    """Return the parts between which a line may break, each with what ends it."""
    joined = " ".join(text.split())
    return (_NAME_ENDS if names else _WORD_ENDS).split(joined)


def grid_text(grid: Grid, columns: int | None = None) -> str:
    """Write a table for a terminal.

    Parameters
    ----------
    grid : Grid
        The table.
    columns : int, optional
        Cells in a line of the terminal. Nothing is cut: wide cells are wrapped, and a table that is
        too wide even so is written as :func:`grid_blocks` does. Without it lines are as long as
        they are.
    """
    header, *rows = [list(map(terminal, row)) for row in (grid.header, *grid.rows)]
    widths = [max(map(width, cells)) for cells in zip(header, *rows, strict=True)]
    gap, names = _GAP, False
    if columns is not None:
        layout = _layout(header, rows, widths, columns)
        if layout is None:
            return grid_blocks(grid, columns)
        widths, gap, names = layout

    right = [place in grid.numeric for place in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        return gap.join(map(pad, cells, widths, right)).rstrip() + "\n"

    heads = _wrapped_cells(header, widths, True)
    # The last line of each head is next to the cells.
    of_heads = list(zip_longest(*(head[::-1] for head in heads), fillvalue=""))
    text = _paragraph(grid.title, columns) + "".join(map(line, reversed(of_heads)))
    text += gap.join(map("-".__mul__, widths)) + "\n"
    for cells in rows:
        parts = _wrapped_cells(cells, widths, names)
        text += "".join(map(line, zip_longest(*parts, fillvalue="")))
    return text + _paragraph(grid.note, columns)


def grid_blocks(grid: Grid, columns: int) -> str:
    """Write a table as one block per row, a line per filled cell.

    Parameters
    ----------
    grid : Grid
        The table.
    columns : int
        Cells in a line of the terminal; longer texts are wrapped.
    """
    header = list(map(terminal, grid.header))
    widest = max(map(width, header), default=0)
    indent = " " * (widest + len(_GAP))
    # In a very narrow terminal the label alone may fill the line.
    usable = max(columns - len(indent), _LEAST_WIDTH)
    blocks = [_paragraph(grid.title, columns)]
    for row in grid.rows:
        block = ""
        for head, cell in zip(header, row, strict=True):
            start = pad(head, widest) + _GAP
            for part in wrapped(terminal(cell), usable):
                block += f"{start}{part}\n"
                start = indent
        blocks.append(block)
    blocks.append(_paragraph(grid.note, columns))
    return "\n".join(filter(None, blocks))


def _paragraph(text: str, columns: int | None) -> str:
    """Return a title or note as lines; nothing of an empty one."""
    lines: Iterable[str] = filter(None, [terminal(text)])
    if columns is not None:
        lines = wrapped(terminal(text), columns)
    return "".join(f"{line}\n" for line in lines)


def _layout(
    header: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int], columns: int
) -> tuple[list[int], str, bool] | None:
    """Return widths, gap and whether names break, so that a row fits; None where it cannot."""
    for gap, names in ((_GAP, False), (" ", False), (" ", True)):
        least = [max(map(width, _pieces(head.rstrip(), True))) for head in header]
        for row in rows:
            for place, cell in enumerate(row):
                pieces = [width(piece.rstrip()) for piece in _pieces(cell, names)]
                if " " in cell:
                    # A column of single words is read by nobody.
                    pieces.append(min(width(cell), _READABLE_WIDTH))
                least[place] = max(least[place], *pieces)
        fitting = list(map(max, least, widths))
        excess = sum(fitting) + len(gap) * (len(fitting) - 1) - columns
        while excess > 0:
            spare = [place for place, cells in enumerate(fitting) if cells > least[place]]
            if not spare:
                break
            widest = max(spare, key=fitting.__getitem__)
            fitting[widest] -= 1
            excess -= 1
        if excess <= 0:
            return fitting, gap, names
    return None


def _wrapped_cells(cells: Sequence[str], widths: Sequence[int], names: bool) -> list[list[str]]:
    """Return the lines of each cell; at least one."""
    parts = []
    for cell, cells_wide in zip(cells, widths, strict=True):
        lines = [cell]
        if width(cell) > cells_wide:
            lines = wrapped(cell, cells_wide, names)
        parts.append(lines)
    return parts


def grid_csv(grids: Sequence[Grid]) -> str:
    """Write tables as CSV with an empty line between two; formulas are neutralised."""
    return "\n".join(safe_csv([grid.header, *grid.rows]) for grid in grids)


def safe_csv(rows: Iterable[Iterable[object]]) -> str:
    """Write rows as CSV in which no cell is a formula to a spreadsheet."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in rows:
        # A negative number begins with a minus as some formulas do, but stays a number.
        writer.writerow([csv_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return buffer.getvalue()


def first_of(names: Sequence[str], most: int) -> str:
    """Return names in a line, at most so many of them: a, b and 3 more.

    Examples
    --------
    >>> first_of(["fen", "bog"], 2), first_of(["fen", "bog", "mire"], 1)
    ('fen, bog', 'fen and 2 more')
    """
    shown = ", ".join(names[:most])
    more = len(names) - most
    if more > 0:
        shown += f" and {more} more"
    return shown


def plural(number: int, word: str) -> str:
    """Return a number with what it counts: 1 trace, 2,000 traces."""
    if number != 1:
        word += "s"
    return f"{number:,} {word}"
