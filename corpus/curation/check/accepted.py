"""Warnings that a corpus accepts, each with its reason, in a table of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

import pyarrow.compute as pc

from corpus.curation.check import check_rules as rules
from corpus.model.finding import Finding
from corpus.tables.arrow_values import string
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


def without_accepted(findings: list[Finding], sheets: Mapping[str, ColumnarTable]) -> list[Finding]:
    """Drop the warnings that an `accepted` table lists, and report its unused rows (C501).

    A row accepts a warning of its code in its file, row (by key) and column, while the cell keeps
    the accepted value. Errors cannot be accepted.
    """
    kept = list(findings)
    by_file = _by_file(sheets)
    for table in sheets.values():
        if table.spec.role != "accepted":
            continue
        for position in range(len(table)):
            # A table may lack a column: then it accepts nothing, or warnings about whole rows.
            cells: dict[str, str] = defaultdict(str)
            for column in table.spec.columns:
                cells[column.role] = table.cell(column.name, position)
            # `corpus diff` alone knows what a change takes away.
            if cells["code"] == rules.WEAKENED.code:
                continue
            acceptance = _acceptance(cells, by_file.get(cells["file"]))
            left = [finding for finding in kept if not acceptance.covers(finding)]
            if len(left) == len(kept):
                place = (table.file, table.line(position), "", f"{cells['file']}, {cells['key']}")
                left.append(rules.UNUSED_ACCEPTANCE.at(*place, code=cells["code"]))
            kept = left
    return kept


def _by_file(sheets: Mapping[str, ColumnarTable]) -> dict[str, ColumnarTable]:
    """Return the tables by their files below the data folder, wherever that is shown to be.

    A table that is kept as Parquet can be named as the codebook does, or as findings do.
    """
    found = {}
    for sheet in sheets.values():
        declared = PurePosixPath(sheet.spec.file)
        found[str(declared)] = sheet
        found[str(declared.with_name(PurePosixPath(sheet.file).name))] = sheet
    return found


def _acceptance(cells: Mapping[str, str], sheet: ColumnarTable | None) -> Acceptance:
    file = ""
    lines: frozenset[int] = frozenset()
    if sheet is not None:
        file = sheet.file
        lines = _lines_of(sheet, cells["key"])
    return Acceptance(cells["code"], file, cells["column"], cells["value"], lines)


def _lines_of(sheet: ColumnarTable, key: str) -> frozenset[int]:
    """Return the lines of the rows that have a key."""
    # Some releases of Arrow crash on the mask of a table without rows.
    if not len(sheet):
        return frozenset()
    keys = pc.binary_join_element_wise(
        *(sheet.columns[name] for name in sheet.spec.key), string(", ")
    )
    positions = pc.indices_nonzero(pc.equal(keys, string(key))).to_pylist()
    return frozenset(sheet.line(position) for position in positions)
