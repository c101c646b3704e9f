"""Cells as values: numbers as numbers, several values as a list, an empty cell as None."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from corpus.model.codebook import Codebook, Column
from corpus.model.dates import parse_date
from corpus.model.finding import CorpusError, Rule
from corpus.model.identifiers import ADDRESS_JOINT
from corpus.model.joiners import joiner_places
from corpus.model.table import Table

NOT_OF_TYPE = Rule(
    "X102",
    "{column} {value} is not a valid {type}",
    "fix the cell; `corpus check` shows what a {type} looks like",
    title="Cell is not of its column's type",
    reason="Typed formats (JSON, Parquet, SQLite) hold numbers as numbers and dates as dates.",
)


Value = str | int | float | list[str] | None

_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?")
_FORMS = {"year": _INTEGER, "integer": _INTEGER, "number": _NUMBER}
#: Types whose cells may have several values, and what separates two of them.
SEPARATORS = {"names": "; ", "url": ADDRESS_JOINT}


def is_list(column: Column) -> bool:
    """Return whether cells of a column hold several values."""
    return bool(column.separator) or column.type in SEPARATORS


def value_of(column: Column, cell: str) -> Value:
    """Return the value of one cell.

    Years and integers become int, numbers float, cells of several values a list (an empty cell an
    empty list). All others stay text, dates too, since they may be a year or a month only.

    Raises
    ------
    ValueError
        Where the cell is not of the column's type.
    """
    if is_list(column):
        separator = column.separator or SEPARATORS[column.type]
        return list(filter(None, map(str.strip, cell.split(separator.strip()))))
    if not cell:
        return None
    if column.type == "date":
        parse_date(cell)
    form = _FORMS.get(column.type)
    if form is None:
        return cell
    if not form.fullmatch(cell):
        raise ValueError(cell)
    if form is _INTEGER:
        return int(cell)
    number = float(cell)
    # JSON has no such number.
    if math.isinf(number):
        raise ValueError(cell)
    return number


def typed_rows(table: Table) -> list[list[Value]]:
    """Return the rows of a table as values.

    Raises
    ------
    CorpusError
        With an X102 finding for every cell that is not of its column's type.
    """
    findings = []
    rows = []
    for row, line in table.located_rows():
        values = []
        for column, cell in zip(table.spec.columns, row, strict=True):
            try:
                values.append(value_of(column, cell))
            except ValueError:
                finding = NOT_OF_TYPE.at(table.file, line, column.name, cell, type=column.type)
                findings.append(finding)
        rows.append(values)
    if findings:
        raise CorpusError(findings)
    return rows


def typed_records(table: Table) -> Iterator[dict[str, Value]]:
    """Yield each row as a mapping of column to value; see :func:`typed_rows`."""
    header = table.spec.header
    for row in typed_rows(table):
        yield dict(zip(header, row, strict=True))


def referenced_key(book: Codebook, column: Column) -> str:
    """Return the key column that a reference points to; empty where no foreign key can be declared.

    That is for cells of one value only, and for tables whose key is one column.
    """
    if column.type != "ref" or is_list(column):
        return ""
    key = book.tables[column.references].key
    return key[0] if len(key) == 1 else ""


def filled(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of some values: neither empty nor zero."""
    return {name: value for name, value in values.items() if value}


def one_line(text: str) -> str:
    """Return a text on one line without control characters, so that none starts a field of its own.

    Examples
    --------
    >>> one_line("Peat\\nTY  - JOUR\\x1b")
    'Peat TY - JOUR'
    """
    joiners = joiner_places(text)
    printable = []
    for place, character in enumerate(text):
        is_shown = character.isprintable() or place in joiners
        printable.append(character if is_shown else " ")
    words = "".join(printable).split()
    return " ".join(words)
