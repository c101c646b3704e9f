"""pandera schemas built from the codebook: one check per column, and findings from what fails.

The only module that imports pandera, which takes longer than checking a small corpus; so it is
imported late, and in a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pandas as pd
import pandera.pandas as pa
from pandera.config import ValidationDepth, config_context
from pandera.errors import SchemaErrors

from corpus.curation.check.cell_findings import cell_findings
from corpus.curation.check.cells import TYPES, cell_trouble
from corpus.model.codebook import Codebook, Column
from corpus.model.finding import Finding
from corpus.tables.sheet import ColumnarTable
from corpus.tables.terms import undeclared

Test = Callable[[Any], Any]


def table_schema(sheet: ColumnarTable, book: Codebook, today: date) -> pa.DataFrameSchema:
    """Build the schema of one table: exact columns in order, and one check per column."""
    columns = {}
    for column in sheet.spec.columns:
        check = pa.Check(_test(column, book, today), name=column.name)
        # No type: a sheet has text alone, and pandera's test of that took as long as all the rest.
        columns[column.name] = pa.Column(None, check, nullable=False)
    return pa.DataFrameSchema(columns, strict=True, ordered=True)


def column_findings(sheet: ColumnarTable, book: Codebook, today: date) -> list[Finding]:
    """Check every cell of a table against its column.

    The environment variables that switch pandera's validation off (PANDERA_VALIDATION_ENABLED,
    PANDERA_VALIDATION_DEPTH) have no effect.
    """
    schema = table_schema(sheet, book, today)
    depth = ValidationDepth.SCHEMA_AND_DATA
    try:
        with config_context(validation_enabled=True, validation_depth=depth):
            schema.validate(sheet.frame, lazy=True)
    except SchemaErrors as errors:
        return _findings(errors.failure_cases, sheet, book, today)
    return []


def _findings(
    failures: pd.DataFrame, sheet: ColumnarTable, book: Codebook, today: date
) -> list[Finding]:
    if failures["index"].isna().any():
        # A check that raised, or a frame of another shape: our mistake, never the data's.
        raise AssertionError(f"pandera failed without a place: {failures.to_dict('records')[:3]}")
    places = set()
    for position, name in zip(failures["index"], failures["column"], strict=True):
        places.add((int(position), str(name)))
    findings = []
    for position, name in sorted(places):
        findings += cell_findings(sheet, sheet.spec.column(name), position, book, today)
    return findings


def _test(column: Column, book: Codebook, today: date) -> Test:
    """Return the vectorised test of a column: True for each valid cell."""
    if column.type == "term":
        vocabulary = book.vocabulary_of(column)

        def are_terms(series: pd.Series) -> pd.Series:
            return ~series.isin(undeclared(series.unique(), column, vocabulary))

        return are_terms
    optional = "" if column.required else "|"
    # A group of its own: some versions of pandas bind the end of a full match to the last
    # alternative only.
    plain = f"(?:{TYPES[column.type].plain(today)}{optional})"

    def are_valid(series: pd.Series) -> pd.Series:
        passed = series.str.fullmatch(plain).astype(bool)
        if passed.all():
            return passed
        doubtful = series[~passed]
        valid = [cell for cell in doubtful.unique() if not cell_trouble(str(cell), column, today)]
        return passed | series.isin(valid)

    return are_valid
