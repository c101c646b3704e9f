"""The findings about the cells of a table: what the rules of their columns tell."""

from collections.abc import Iterator
from datetime import date

from corpus.model.codebook import OPEN_TYPES, TODO, Codebook, Column
from corpus.model.finding import Finding
from corpus.tables.cells import broken
from corpus.tables.sheet import ColumnarTable
from corpus.tables.terms import duplicate_key_findings, term_finding, undeclared


def cell_findings(
    sheet: ColumnarTable, column: Column, position: int, book: Codebook, today: date
) -> Iterator[Finding]:
    """Yield everything that is wrong with one cell."""
    cell = sheet.cell(column.name, position)
    # C223 lists what is still to be filled, together for each row.
    if cell == TODO and column.type in OPEN_TYPES:
        return
    if column.type == "term":
        vocabulary = book.vocabulary_of(column)
        yield term_finding(cell, column, vocabulary, sheet.file, sheet.line(position))
        return
    for rule, advice in broken(cell, column, today):
        yield sheet.finding(rule, position, column.name, advice=advice, kind=column.type)


def loop_findings(sheet: ColumnarTable, book: Codebook, today: date) -> Iterator[Finding]:
    """Yield what the schema of a table finds, without pandera, whose import takes a second.

    A loop is quicker for a small table; for one of 100,000 rows it takes twenty times as long.
    """
    for column in sheet.spec.columns:
        cells = sheet.cells(column.name)
        distinct = set(cells)
        if column.type == "term":
            wrong = undeclared(distinct, column, book.vocabulary_of(column))
        else:
            wrong = {cell for cell in distinct if broken(cell, column, today)}
        for position, cell in enumerate(cells) if wrong else ():
            if cell in wrong:
                yield from cell_findings(sheet, column, position, book, today)
    yield from key_findings(sheet)


def key_findings(sheet: ColumnarTable) -> list[Finding]:
    """Return a finding for each row that repeats the key of an earlier one."""
    keys = list(sheet.rows(*map(sheet.spec.column, sheet.spec.key)))
    return duplicate_key_findings(keys, sheet.spec, sheet.file, sheet.line)
