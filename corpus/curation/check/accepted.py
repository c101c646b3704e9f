"""Warnings that a corpus accepts, each with its reason, in a table of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pyarrow.compute as pc

from corpus.curation.check import check_rules as rules
from corpus.model.finding import Finding
from corpus.tables.sheet import ColumnarTable


class Acceptance(NamedTuple):
    """One row of an `accepted` table: which warning it accepts, and where.

    Attributes
    ----------
    code, column, value : str
        Those of the warning.
    file : str
        The file of the warning, as findings show it.
    lines : frozenset of int
        The lines of the rows that have the accepted key.
    """

    code: str
    file: str
    column: str
    value: str
    lines: frozenset[int]

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is the accepted warning; an error never is."""
        if finding.is_error or finding.line not in self.lines:
            return False
        place = (finding.code, finding.file, finding.column, finding.value)
        return place == (self.code, self.file, self.column, self.value)


def without_accepted(
    findings: list[Finding], sheets: Mapping[str, ColumnarTable], data: str
) -> list[Finding]:
    """Drop the warnings that an `accepted` table lists, and report its unused rows (C501).

    A row accepts a warning of its code in its file, row (by key) and column, while the cell keeps
    the accepted value. Errors cannot be accepted.
    """
    kept = list(findings)
    by_file = {sheet.file: sheet for sheet in sheets.values()}
    for table in sheets.values():
        if table.spec.role != "accepted":
            continue
        for position in range(len(table)):
            cells = {
                column.role: table.cell(column.name, position) for column in table.spec.columns
            }
            # `corpus diff` alone knows what a change takes away.
            if cells.get("code") == rules.WEAKENED.code:
                continue
            acceptance = _acceptance(cells, by_file, data)
            left = [finding for finding in kept if not acceptance.covers(finding)]
            if len(left) == len(kept):
                value = f"{cells['file']}, {cells['key']}"
                line = table.line(position)
                left.append(
                    rules.UNUSED_ACCEPTANCE.at(table.file, line, "", value, code=cells["code"])
                )
            kept = left
    return kept


def _acceptance(
    cells: Mapping[str, str], by_file: Mapping[str, ColumnarTable], data: str
) -> Acceptance:
    file = f"{data}/{cells['file']}".replace("//", "/")
    return Acceptance(
        code=cells["code"],
        file=file,
        column=cells.get("column", ""),
        value=cells.get("value", ""),
        lines=_lines_of(by_file.get(file), cells["key"]),
    )


def _lines_of(sheet: ColumnarTable | None, key: str) -> frozenset[int]:
    """Return the lines of the rows that have a key."""
    # Some releases of Arrow crash on the mask of a table without rows.
    if sheet is None or not len(sheet):
        return frozenset()
    keys = pc.binary_join_element_wise(*(sheet.columns[name] for name in sheet.spec.key), ", ")
    positions = pc.indices_nonzero(pc.equal(keys, key)).to_pylist()
    return frozenset(sheet.line(position) for position in positions)
