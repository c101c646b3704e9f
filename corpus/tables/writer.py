"""The canonical form of a table: sorted by key, UTF-8, LF, NFC, quoted only where needed.

One edited cell is one changed line, and two added rows seldom touch.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable

from corpus.model.codebook import TableSpec
from corpus.model.table import Row, Table
from corpus.tables.atomic import write_atomic


def canonical_rows(rows: Iterable[Row], spec: TableSpec) -> list[Row]:
    """Return the rows in canonical order, every cell in NFC.

    Rows of equal key keep their order. Cells are not otherwise changed: whether a cell is right is for the checks.
    """
    positions = [spec.position(name) for name in spec.key]
    normal = [tuple(unicodedata.normalize("NFC", cell) for cell in row) for row in rows]
    return sorted(normal, key=lambda row: [row[position] for position in positions])


def csv_text(rows: Iterable[Iterable[str]]) -> str:
    """Write rows as CSV: comma, LF, minimal quoting.

    Examples
    --------
    >>> csv_text([["key", "title"], ["a", 'Say "yes", please']])
    'key,title\\na,"Say ""yes"", please"\\n'
    """
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def canonical_text(rows: Iterable[Row], spec: TableSpec) -> str:
    """Return the whole file in canonical form, header included."""
    return csv_text([spec.header, *canonical_rows(rows, spec)])


def write_table(path: str, table: Table) -> bool:
    """Write a table in canonical form, whole or not at all; return whether the file changed."""
    text = canonical_text(table.rows, table.spec)
    if text == table.text:
        return False
    write_atomic(path, text)
    return True
