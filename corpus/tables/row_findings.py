"""Findings about rows, however they were read: duplicate keys, wrong order, too long cells.

Whether there is anything to find, each reader asks in the way that is fast for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from corpus.model.codebook import TableSpec
from corpus.model.finding import Finding
from corpus.model.limits import MAX_CELL
from corpus.model.table import Row
from corpus.tables import table_rules as rules


def duplicate_key_findings(
    keys: Iterable[Row], spec: TableSpec, file: str, line: Callable[[int], int]
) -> list[Finding]:
    """Find the rows that repeat the key of an earlier row (C301).

    Parameters
    ----------
    keys : iterable of tuple of str
        The key cells of every row, in the order of the file.
    spec : TableSpec
        The declaration of the table.
    file : str
        Path as it is written into findings.
    line : callable
        Gives the 1-based line of a row by its position, from 0 on.
    """
    column = ", ".join(spec.key)
    first: dict[Row, int] = {}
    findings = []
    for position, key in enumerate(keys):
        if key not in first:
            first[key] = position
            continue
        value = ", ".join(key)
        here = line(position)
        earlier = line(first[key])
        findings.append(rules.DUPLICATE_KEY.at(file, here, column, value, first=earlier))
    return findings


def row_order_findings(
    keys: Sequence[Row], spec: TableSpec, file: str, line: Callable[[int], int]
) -> list[Finding]:
    """Find the first row whose key sorts before that of the row above it (C308).

    One finding is enough: `corpus fmt` sorts them all. The parameters are those of
    :func:`duplicate_key_findings`.
    """
    for position in range(1, len(keys)):
        key = keys[position]
        previous = keys[position - 1]
        if key < previous:
            here = line(position)
            value = ", ".join(key)
            other = ", ".join(previous)
            return [rules.ROW_ORDER.at(file, here, spec.key[0], value, other=other)]
    return []


def long_cell_finding(file: str, line: int, column: str, start: str, length: int) -> Finding:
    """Make the finding (C123) about a cell of `length` characters, of which `start` is shown."""
    limit = f"{MAX_CELL:,}"
    return rules.CELL_TOO_LONG.at(file, line, column, start, length=f"{length:,}", limit=limit)
