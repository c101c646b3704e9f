"""What is wrong with the cells of a table, found by looking at each distinct cell once.

For a table of usual size that takes milliseconds, and the import of pandera alone a quarter of a
second; `corpus check` uses the schemas (:mod:`corpus.curation.check.columns`), and a change is
checked this way. Both have the same findings.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from corpus.curation.check.cells import cell_trouble
from corpus.model.codebook import OPEN_TYPES, TODO, Codebook, Column
from corpus.model.finding import Finding
from corpus.tables.sheet import ColumnarTable
from corpus.tables.terms import term_finding, undeclared


def findings_by_cell(sheet: ColumnarTable, book: Codebook, today: date) -> list[Finding]:
    """Check every cell of a table against its column.

    Parameters
    ----------
    sheet : ColumnarTable
        The table.
    book : Codebook
        Declares the vocabularies.
    today : date
        What is later is in the future.
    """
    places = []
    for column in sheet.spec.columns:
        cells = sheet.columns[column.name].to_pylist()
        wrong = _wrong_cells(set(cells), column, book, today)
        if wrong:
            positions = [position for position, cell in enumerate(cells) if cell in wrong]
            places += [(position, column.name) for position in positions]
    findings = []
    for position, name in sorted(places):
        findings += cell_findings(sheet, sheet.spec.column(name), position, book, today)
    return findings


def _wrong_cells(cells: set[str], column: Column, book: Codebook, today: date) -> set[str]:
    if column.type == "term":
        return undeclared(cells, column, book.vocabulary_of(column))
    return {cell for cell in cells if cell_trouble(cell, column, today)}


def cell_findings(
    sheet: ColumnarTable, column: Column, position: int, book: Codebook, today: date
) -> list[Finding]:
    """Return everything that is wrong with one cell."""
    cell = sheet.cell(column.name, position)
    line = sheet.line(position)
    if column.type == "term":
        return [term_finding(cell, column, book.vocabulary_of(column), sheet.file, line)]
    findings = []
    # C223 lists what is still to be filled, together for each row.
    if cell == TODO and column.type in OPEN_TYPES:
        return []
    for rule, advice in cell_trouble(cell, column, today):
        places: dict[str, Any] = {"advice": advice, "kind": column.type, "month": advice}
        findings.append(rule.at(sheet.file, line, column.name, cell, **places))
    return findings
