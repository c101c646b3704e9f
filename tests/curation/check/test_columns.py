"""Each column of a table is held against its declaration: the places, and cells of optional columns."""

import tomllib
from datetime import date

import pyarrow as pa
import pytest

from corpus.curation.check.cell_findings import findings_by_cell
from corpus.curation.check.columns import column_findings, table_schema
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
    assert findings_by_cell(sheet(*rows), BOOK, TODAY) == by_schema
    return by_schema


def places(*rows):
    return [(f.code, f.line, f.column, f.value) for f in found(*rows)]


def test_sound_cells_have_no_findings():
    assert (
        places(
            {},
            {"arxiv": "2003.00001", "link": "https://a.example/", "remark": "Wet."},
            {"year": "1994"},
        )
        == []
    )


def test_every_broken_cell_is_reported_at_its_place():
    rows = [
        {"year": "20", "arxiv": "x"},
        {},
        {"probe": "optic", "measures": "heat; heet", "who": "todo"},
        {"id": "A b"},
    ]
    assert places(*rows) == [
        ("C204", 2, "arxiv", "x"), ("C208", 2, "year", "20"), ("C202", 6, "measures", "heet"),
        ("C202", 6, "probe", "optic"), ("C213", 6, "who", "todo"), ("C203", 8, "id", "A b"),
    ]  # fmt: skip


def test_cells_of_optional_columns_may_be_empty_and_nothing_else():
    assert places({}, {"arxiv": "x", "link": "x", "remark": "todo"}) == [
        ("C204", 4, "arxiv", "x"), ("C207", 4, "link", "x"), ("C213", 4, "remark", "todo"),
    ]  # fmt: skip


@pytest.mark.parametrize("column", ["id", "name", "who", "year"])
def test_a_required_cell_may_not_be_empty(column):
    assert places({column: ""}, {}) == [("C201", 2, column, "")]


def test_an_unusual_valid_cell_stays_valid_beside_a_broken_one():
    """Short texts and old identifiers are not plain; each is looked at, and what is right passes."""
    rows = [
        {"name": "Fen"},
        {"name": "TODO"},
        {"name": "Ooze"},
        {"arxiv": "hep-th/9901001"},
        {"arxiv": "hep-th/990100"},
    ]
    assert places(*rows) == [("C213", 4, "name", "TODO"), ("C204", 10, "arxiv", "hep-th/990100")]


def test_messages_name_the_kind_and_what_would_be_right():
    (year,) = found({"year": "20"})
    assert "'20' is not a valid year" in year.message
    (future,) = found({"arxiv": "2606.00001"})
    assert "June 2026" in future.message
    (form,) = found({"arxiv": "2003.1"})
    assert "2003.10000" in form.hint


def test_a_frame_of_another_shape_is_a_mistake_of_ours_and_no_finding():
    right = sheet({})
    for columns in (right.columns.drop(["remark"]), right.columns.select(right.columns.column_names[::-1]),
                    right.columns.append_column("more", pa.array(["x"], pa.string()))):  # fmt: skip
        with pytest.raises(AssertionError):
            column_findings(ColumnarTable(right.spec, "f", columns, None, [2]), BOOK, TODAY)


def test_the_schema_names_each_column_in_order():
    schema = table_schema(sheet({}), BOOK, TODAY)
    assert list(schema.columns) == list(BOOK.pool.header)
