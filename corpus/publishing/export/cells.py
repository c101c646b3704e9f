"""Cells as values: numbers as numbers, several values as a list, an empty cell as None."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from corpus.model.codebook import Column
from corpus.model.dates import parse_date
from corpus.model.finding import CorpusError, Finding
from corpus.model.table import Table
from corpus.publishing.export.export_rules import NOT_OF_TYPE

Value = str | int | float | list[str] | None

_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?")
#: Types whose cells may hold several values, and what stands between two of them.
SEPARATORS = {"names": "; ", "url": " ; "}


def is_list(column: Column) -> bool:
    """Return whether cells of a column hold several values."""
    return bool(column.separator) or column.type in SEPARATORS


def value_of(column: Column, cell: str) -> Value:
    """Turn one cell into its value; ValueError where it is not of the column's type.

    Years and integers become int, numbers float, cells of several values a list (an empty one an empty list), all else
    stays text; dates stay text too, since they may be a year or a month only.
    """
    if is_list(column):
        separator = (column.separator or SEPARATORS[column.type]).strip()
        return [part.strip() for part in cell.split(separator) if part.strip()]
    if not cell:
        return None
    if column.type in ("year", "integer"):
        if not _INTEGER.fullmatch(cell):
            raise ValueError(cell)
        return int(cell)
    if column.type == "number":
        if not _NUMBER.fullmatch(cell):
            raise ValueError(cell)
        number = float(cell)
        if math.isinf(number):  # JSON has no such number
            raise ValueError(cell)
        return number
    if column.type == "date":
        parse_date(cell)
    return cell


def typed_rows(table: Table) -> list[list[Value]]:
    """Return the rows of a table as values.

    Raises
    ------
    CorpusError
        With an X102 finding for every cell that is not of its column's type.
    """
    findings: list[Finding] = []
    rows = []
    for row, line in zip(table.rows, table.lines, strict=True):
        values: list[Value] = []
        for column, cell in zip(table.spec.columns, row, strict=True):
            try:
                values.append(value_of(column, cell))
            except ValueError:
                findings.append(NOT_OF_TYPE.at(table.file, line, column.name, cell, type=column.type))
        rows.append(values)
    if findings:
        raise CorpusError(findings)
    return rows


def typed_records(table: Table) -> Iterator[dict[str, Value]]:
    """Yield each row as a mapping of column to value; see :func:`typed_rows`."""
    for row in typed_rows(table):
        yield dict(zip(table.spec.header, row, strict=True))
