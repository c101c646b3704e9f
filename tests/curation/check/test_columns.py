"""Each column of a table is held against its declaration: the places, and cells of optional columns."""

import tomllib
from datetime import date

import pyarrow as pa
import pytest

from corpus.curation.check.columns import column_findings
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.table import Table
from corpus.tables.sheet import ColumnarTable, sheet_of
from tests.corpora.minimal import CODEBOOK

BOOK = parse_codebook(tomllib.loads(CODEBOOK))
GOOD = dict(
    zip(
        BOOK.pool.header,
        ("fen", "Light in the fen", "Moor, Bo", "2020", "", "", "optical", "heat", ""),
        strict=True,
    )
)
TODAY = date(2026, 5, 15)


def sheet(*rows):
    cells = [tuple((GOOD | row).values()) for row in rows]
    return sheet_of(Table(BOOK.pool, "f", cells, [2 * n + 2 for n in range(len(rows))]))


def found(*rows):
    by_schema = column_findings(sheet(*rows), BOOK, TODAY)
    assert column_findings(sheet(*rows), BOOK, TODAY, schemas=False) == by_schema
    return by_schema


def places(*rows):
    return [f"{f.code} {f.line} {f.column} {f.value}" for f in found(*rows)]


def test_every_broken_cell_is_reported_at_its_place():
    rows = [
        {"year": "20", "arxiv": "x"},
        {},
        {"probe": "optic", "measures": "heat; heet", "who": "todo"},
        {"id": "A b"},
    ]
    assert places(*rows) == [
        "C204 2 arxiv x", "C208 2 year 20", "C202 6 measures heet",
        "C202 6 probe optic", "C213 6 who todo", "C203 8 id A b",
    ]  # fmt: skip


def test_cells_of_optional_columns_may_be_empty_and_nothing_else():
    assert places({}, {"arxiv": "x", "link": "x", "remark": "todo"}) == [
        "C204 4 arxiv x", "C207 4 link x", "C213 4 remark todo",
    ]  # fmt: skip


@pytest.mark.parametrize("column", ["id", "name", "who", "year"])
def test_a_required_cell_may_not_be_empty(column):
    assert places({column: ""}, {}) == [f"C201 2 {column} "]


def test_an_empty_tag_is_missing_and_not_undeclared():
    assert places({"probe": ""}) == ["C201 2 probe "]


def test_a_frame_of_another_shape_is_a_mistake_of_ours_and_no_finding():
    right = sheet({})
    for columns in (right.columns.drop(["remark"]), right.columns.select(right.columns.column_names[::-1]),
                    right.columns.append_column("more", pa.array(["x"], pa.string()))):  # fmt: skip
        with pytest.raises((AssertionError, KeyError)):
            column_findings(ColumnarTable(right.spec, "f", columns, None, [2]), BOOK, TODAY)
