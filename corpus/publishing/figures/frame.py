"""The frame that a figure draws: a small table of texts and numbers, written beside it as CSV."""

from __future__ import annotations

import csv
import io
from typing import NamedTuple

from corpus.printing.escape import csv_cell

Value = str | int | float

#: The label in print of the entries whose cell is empty.
NOT_GIVEN = "not given"


class Frame(NamedTuple):
    """Header and rows; a row is one mark of the figure."""

    header: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def frame_csv(frame: Frame) -> str:
    """Write a frame as CSV; cells that a spreadsheet would run are neutralised.

    Examples
    --------
    >>> frame_csv(Frame(("term", "entries"), (("=a", 2),)))
    "term,entries\\n'=a,2\\n"
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(frame.header)
    for row in frame.rows:
        writer.writerow([_cell(value) for value in row])
    return buffer.getvalue()


def _cell(value: Value) -> Value:
    # A negative number is not a formula and stays a number.
    return csv_cell(value) if isinstance(value, str) else value
