"""Warnings that are known and accepted, with a reason, in a file of the corpus; never silenced in code."""

from __future__ import annotations

import pyarrow.compute as pc

from corpus.curation.check import check_rules as rules
from corpus.model.finding import Finding
from corpus.tables.sheet import ColumnarTable


def without_accepted(findings: list[Finding], sheets: dict[str, ColumnarTable], data: str) -> list[Finding]:
    """Drop the warnings that an `accepted` table lists; say which of its rows accept nothing any more (C501).

    A row accepts a warning of its code in its file, row (by key) and column, while the cell keeps the accepted value.
    Errors cannot be accepted.
    """
    tables = [sheet for sheet in sheets.values() if sheet.spec.role == "accepted"]
    if not tables:
        return findings
    by_file = {sheet.file: sheet for sheet in sheets.values()}
    kept = list(findings)
    for table in tables:
        for position in range(len(table)):
            cells = {c.role: table.cell(c.name, position) for c in table.spec.columns}
            hit = [finding for finding in kept if _accepts(cells, finding, by_file, data)]
            kept = [finding for finding in kept if finding not in hit]
            if not hit:
                line, code = table.line(position), cells["code"]
                value = f"{cells['file']}, {cells['key']}"
                kept.append(rules.UNUSED_ACCEPTANCE.at(table.file, line, "", value, code=code))
    return kept


def _accepts(cells: dict[str, str], finding: Finding, sheets: dict[str, ColumnarTable], data: str) -> bool:
    return (
        not finding.is_error
        and finding.code == cells["code"]
        and finding.file == f"{data}/{cells['file']}".replace("//", "/")
        and finding.column == cells.get("column", "")
        and finding.value == cells.get("value", "")
        and finding.line in _lines_of(sheets.get(finding.file), cells["key"])
    )


def _lines_of(sheet: ColumnarTable | None, key: str) -> set[int]:
    """Return the lines of the rows that have a key; none of a table without rows, whose masks crash some Arrow."""
    if sheet is None or not len(sheet):
        return set()
    keys = pc.binary_join_element_wise(*(sheet.columns[name] for name in sheet.spec.key), ", ")
    return {sheet.line(position) for position in pc.indices_nonzero(pc.equal(keys, key)).to_pylist()}
