"""CSV of one table for spreadsheets: opened by a double click, nothing runs, nothing turns into a number or a date.

Excel guesses the type of each cell and runs the ones that look like formulas; an apostrophe before the text stops
both. It is part of the cell for any other program, so the corpus itself never has it.
"""

from __future__ import annotations

import csv
import io
import re

from corpus.model.codebook import Column
from corpus.model.study import Study
from corpus.model.table import Table

_NUMERIC = ("year", "integer", "number")
# The full-width forms as well: with an East Asian language set, spreadsheets take them for the narrow ones.
_SIGNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_FORMULA = (*_SIGNS, "\t", "\r", "\n", "|", "%")
_GUESSED = re.compile(
    r"[\d.,' ]+(?:e[-+]?\d+)?%?|\d+[-/.:]\d+(?:[-/.:]\d+)?.{0,3}|true|false|wahr|falsch"
    r"|(?:\d+[- ]?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]?\d*",
    re.IGNORECASE,
)


def export_table(corpus: Study, table: Table) -> bytes:  # noqa: ARG001 — all table formats share it
    """Return a table as CSV with byte order mark and CRLF, its cells neutralised.

    Read it back with ``encoding="utf-8-sig"``; arXiv identifiers stand as ``arXiv:2508.03680``, so that
    no zero is lost.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(table.spec.header)
    for row in table.rows:
        writer.writerow(_safe(column, cell) for column, cell in zip(table.spec.columns, row, strict=True))
    return buffer.getvalue().encode("utf-8-sig")


def _safe(column: Column, cell: str) -> str:
    if column.type == "arxiv":
        return f"arXiv:{cell}" if cell else ""
    if column.type in _NUMERIC and re.fullmatch(r"-?[0-9.]*", cell):
        return cell
    if cell.startswith(_FORMULA) or cell.lstrip().startswith(_SIGNS) or (cell and _GUESSED.fullmatch(cell.strip())):
        return "'" + cell
    return cell
