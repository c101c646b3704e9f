"""pandera schemas built from the codebook: one check a column, and findings from what fails."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pandas as pd
import pandera.pandas as pa
from pandera.config import ValidationDepth, config_context
from pandera.errors import SchemaErrors

from corpus.curation.check.cells import TYPES, cell_trouble
from corpus.model.codebook import Codebook, Column
from corpus.model.finding import Finding
from corpus.tables.sheet import ColumnarTable
from corpus.tables.terms import term_finding, undeclared

Test = Callable[[Any], Any]


def table_schema(sheet: ColumnarTable, book: Codebook, today: date) -> pa.DataFrameSchema:
    """Build the schema of one table: exact columns in order, and one check a column that marks its bad cells."""
    columns = {
        column.name: pa.Column(
            pd.StringDtype("pyarrow"), pa.Check(_test(column, book, today), name=column.name), nullable=False
        )
        for column in sheet.spec.columns
    }
    return pa.DataFrameSchema(columns, strict=True, ordered=True)


def column_findings(sheet: ColumnarTable, book: Codebook, today: date) -> list[Finding]:
    """Hold every cell of a table against its column.

    Environment variables that switch pandera's validation off (PANDERA_VALIDATION_ENABLED, _DEPTH) have no effect.
    """
    schema = table_schema(sheet, book, today)
    try:
        with config_context(validation_enabled=True, validation_depth=ValidationDepth.SCHEMA_AND_DATA):
            schema.validate(sheet.frame, lazy=True)
    except SchemaErrors as errors:
        return _findings(errors.failure_cases, sheet, book, today)
    return []


def _findings(failures: pd.DataFrame, sheet: ColumnarTable, book: Codebook, today: date) -> list[Finding]:
    if failures["index"].isna().any():
        # A check that raised, or a frame of another shape: our mistake, never the data's.
        raise AssertionError(f"pandera failed without a place: {failures.to_dict('records')[:3]}")
    places = sorted(
        {(int(position), str(name)) for position, name in zip(failures["index"], failures["column"], strict=True)}
    )
    findings = []
    for position, name in places:
        findings += cell_findings(sheet, sheet.spec.column(name), position, book, today)
    return findings


def cell_findings(sheet: ColumnarTable, column: Column, position: int, book: Codebook, today: date) -> list[Finding]:
    """Say everything that is wrong with one cell."""
    cell, line = sheet.cell(column.name, position), sheet.line(position)
    if column.type == "term":
        return [term_finding(cell, column, book.vocabulary_of(column), sheet.file, line)]
    return [
        rule.at(sheet.file, line, column.name, cell, advice=advice, kind=column.type, month=advice)
        for rule, advice in cell_trouble(cell, column, today)
    ]


def _test(column: Column, book: Codebook, today: date) -> Test:
    """Return the vectorised test of a column: True for each sound cell."""
    if column.type == "term":
        vocabulary = book.vocabulary_of(column)

        def sound_terms(series: pd.Series) -> pd.Series:
            return ~series.isin(undeclared(series.unique(), column, vocabulary))

        return sound_terms
    # A group of its own: some versions of pandas bind the end of a full match to the last alternative only.
    plain = f"(?:{TYPES[column.type].plain(today)}{'' if column.required else '|'})"

    def sound(series: pd.Series) -> pd.Series:
        passed = series.str.fullmatch(plain).astype(bool)
        if passed.all():
            return passed
        doubtful = series[~passed]
        sound_cells = {cell for cell in doubtful.unique() if not cell_trouble(str(cell), column, today)}
        return passed | series.isin(sound_cells)

    return sound
