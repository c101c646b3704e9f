"""What is wrong with the cells of a table: each distinct cell is decided once.

`corpus check` hands every table to pandera, as a schema that is built from the codebook. Its import
alone takes longer than the check of a small corpus, so the states of a change are checked without
it. Both ways ask the same function, and have the same findings.
"""

from datetime import date
from typing import Any

import pyarrow.compute as pc

from corpus.curation.check.cells import cell_trouble, plain_pattern
from corpus.model.codebook import OPEN_TYPES, TODO, Codebook, Column
from corpus.model.finding import Finding
from corpus.tables.sheet import ColumnarTable
from corpus.tables.terms import term_finding, undeclared


def column_findings(
    sheet: ColumnarTable, book: Codebook, today: date, schemas: bool = True
) -> list[Finding]:
    """Check every cell of a table against its column.

    Parameters
    ----------
    sheet : ColumnarTable
        The table.
    book : Codebook
        Declares the vocabularies.
    today : date
        What is later is in the future.
    schemas : bool
        Whether pandera does it.
    """
    if schemas:
        places = _failures(sheet, book, today)
    else:
        places = set()
        for column in sheet.spec.columns:
            wrong = _wrong_cells(sheet.columns[column.name], column, book, today)
            if not wrong:
                continue
            for position, cell in enumerate(sheet.cells(column.name)):
                if cell in wrong:
                    places.add((position, column.name))
    findings = []
    for position, name in sorted(places):
        findings += _cell_findings(sheet, sheet.spec.column(name), position, book, today)
    return findings


def _wrong_cells(cells: Any, column: Column, book: Codebook, today: date) -> set[str]:
    """Return the cells that break a rule of their column; `cells` is an array of Arrow."""
    if column.type == "term":
        return undeclared(pc.unique(cells).to_pylist(), column, book.vocabulary_of(column))
    # A full look at every cell of a large table would take longer than everything else together.
    plain = pc.match_substring_regex(cells, rf"\A(?:{plain_pattern(column.type, today)})\z")
    doubtful = pc.unique(cells.filter(pc.invert(plain))).to_pylist()
    return {cell for cell in doubtful if cell_trouble(cell, column, today)}


def _cell_findings(
    sheet: ColumnarTable, column: Column, position: int, book: Codebook, today: date
) -> list[Finding]:
    """Return everything that is wrong with one cell."""
    cell = sheet.cell(column.name, position)
    if column.type == "term":
        vocabulary = book.vocabulary_of(column)
        return [term_finding(cell, column, vocabulary, sheet.file, sheet.line(position))]
    # C223 lists what is still to be filled, together for each row.
    if cell == TODO and column.type in OPEN_TYPES:
        return []
    findings = []
    for rule, advice in cell_trouble(cell, column, today):
        findings.append(
            sheet.finding(
                rule, position, column.name, advice=advice, kind=column.type, month=advice
            )
        )
    return findings


def _failures(sheet: ColumnarTable, book: Codebook, today: date) -> set[tuple[int, str]]:
    """Return position and column of each cell that fails the schema of its table.

    The schema has the exact columns in their order, each without its wrong cells. The environment
    variables that switch pandera's validation off (PANDERA_VALIDATION_ENABLED,
    PANDERA_VALIDATION_DEPTH) have no effect.
    """
    import pandera.pandas as pandera
    from pandera.config import ValidationDepth, config_context
    from pandera.errors import SchemaErrors

    columns = {}
    for column in sheet.spec.columns:
        wrong = _wrong_cells(sheet.columns[column.name], column, book, today)
        # A check of a column without a wrong cell would take as long as all the rest.
        checks = [pandera.Check.notin(wrong)] if wrong else []
        # No type and no test for nulls: a sheet has text alone.
        columns[column.name] = pandera.Column(None, checks, nullable=True)
    schema = pandera.DataFrameSchema(columns, strict=True, ordered=True)
    try:
        with config_context(
            validation_enabled=True, validation_depth=ValidationDepth.SCHEMA_AND_DATA
        ):
            schema.validate(sheet.frame, lazy=True)
    except SchemaErrors as errors:
        failed = errors.failure_cases
        if failed["index"].isna().any():
            # A check that raised, or a frame of another shape: our mistake, never the data's.
            cases = failed.to_dict("records")[:3]
            raise AssertionError(f"pandera failed without a place: {cases}") from None
        pairs = zip(failed["index"], failed["column"], strict=True)
        return {(int(position), str(name)) for position, name in pairs}
    return set()
