"""CSV of one table for spreadsheets: opened by a double click, without running or guessing.

Excel guesses the type of each cell and runs the ones that look like formulas; an apostrophe before
the text stops both. It is part of the cell for any other program, so the corpus itself never has
it.
"""

from __future__ import annotations

import csv
import io
import re

from corpus.model.codebook import Column
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.escape import is_formula

_NUMERIC = ("year", "integer", "number")
#: What runs or links in some spreadsheet: besides formulas, commands (`|`), formats (`%`) and line
#: breaks.
_UNSAFE_STARTS = ("\n", "|", "%")
#: What a spreadsheet reads as a number, a date, a time or a truth value.
_GUESSED = re.compile(
    r"[\d.,' ]+(?:e[-+]?\d+)?%?|\d+[-/.:]\d+(?:[-/.:]\d+)?.{0,3}|true|false|wahr|falsch"
    r"|(?:\d+[- ]?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]?\d*",
    re.IGNORECASE,
)


def export_table(study: Study, table: Table) -> bytes:  # noqa: ARG001 — all table formats share it
    """Return a table as CSV with byte order mark and CRLF, its cells neutralised.

    Read it back with ``encoding="utf-8-sig"``. arXiv identifiers are written as
    ``arXiv:2508.03680``, so that no zero is lost.
    """
    columns = table.spec.columns
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(table.spec.header)
    for row in table.rows:
        writer.writerow([_safe(column, cell) for column, cell in zip(columns, row, strict=True)])
    return buffer.getvalue().encode("utf-8-sig")


def _safe(column: Column, cell: str) -> str:
    if not cell:
        return cell
    if column.type == "arxiv":
        return f"arXiv:{cell}"
    if column.type in _NUMERIC and re.fullmatch(r"-?[0-9.]*", cell):
        return cell
    if _needs_guard(cell):
        return "'" + cell
    return cell


def without_guard(cell: str) -> str:
    """Return a cell of such a file as the corpus has it, without the apostrophe before it.

    Examples
    --------
    >>> without_guard("'2020-05"), without_guard("''=1+1"), without_guard("'90s music")
    ('2020-05', "'=1+1", "'90s music")
    """
    if cell.startswith("'") and _needs_guard(cell[1:]):
        return cell[1:]
    return cell


def _needs_guard(cell: str) -> bool:
    """Return whether a spreadsheet runs a cell, or takes it for a number, a date or a time."""
    # A cell that has an apostrophe of its own before such a text gets a second one: whoever reads
    # the file takes one away.
    guarded = cell.lstrip("'")
    is_unsafe = guarded.startswith(_UNSAFE_STARTS) or is_formula(guarded)
    return is_unsafe or _GUESSED.fullmatch(guarded.strip()) is not None
