"""The frame of a figure as CSV."""

from __future__ import annotations

import csv
import io

from corpus.printing.escape import csv_cell
from corpus.publishing.figures.frame import Frame


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
    writer.writerows([csv_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in frame.rows)
    return buffer.getvalue()
