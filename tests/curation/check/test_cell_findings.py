"""Findings of single cells: each at its place, in the order of rows and columns.

That they are those of the schemas is tested with :mod:`tests.curation.check.test_columns`.
"""

import tomllib
from datetime import date

import pytest

from corpus.curation.check.cell_findings import cell_findings, findings_by_cell
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.table import Table
from corpus.tables.sheet import sheet_of
from tests.corpora.minimal import CODEBOOK

BOOK = parse_codebook(tomllib.loads(CODEBOOK))
GOOD = {"id": "fen", "name": "Light in the fen", "who": "Moor, Bo", "year": "2020", "probe": "optical",
        "measures": "heat"}  # fmt: skip
TODAY = date(2021, 3, 31)


def sheet(*rows):
    cells = []
    for row in rows:
        named = {**GOOD, **row}
        cells.append(tuple(named.get(name, "") for name in BOOK.pool.header))
    lines = [3 * number + 2 for number in range(len(rows))]
    return sheet_of(Table(BOOK.pool, "f", cells, lines))


def places(*rows):
    found = findings_by_cell(sheet(*rows), BOOK, TODAY)
    return [(finding.code, finding.line, finding.column, finding.value) for finding in found]


def test_a_table_without_faults_or_rows_has_no_findings():
    assert places({}, {"arxiv": "2103.00001"}) == []
    assert places() == []


def test_the_same_wrong_cell_is_found_in_each_row():
    assert places({"year": "20"}, {}, {"year": "20"}) == [
        ("C208", 2, "year", "20"),
        ("C208", 8, "year", "20"),
    ]


def test_findings_are_in_the_order_of_rows_and_of_the_names_of_columns():
    assert places({"probe": "optic", "year": "20", "arxiv": "x"}, {"arxiv": "y"}) == [
        ("C204", 2, "arxiv", "x"), ("C202", 2, "probe", "optic"), ("C208", 2, "year", "20"),
        ("C204", 5, "arxiv", "y"),
    ]  # fmt: skip


def test_a_cell_may_have_several_faults():
    assert places({"name": "=Peat  in\u200bthe fen"}) == [
        ("C211", 2, "name", "=Peat  in\u200bthe fen"), ("C212", 2, "name", "=Peat  in\u200bthe fen"),
        ("C214", 2, "name", "=Peat  in\u200bthe fen"),
    ]  # fmt: skip


@pytest.mark.parametrize(("arxiv", "codes"), [("2103.00001", []), ("2104.00001", ["C205"])])
def test_the_day_of_the_check_bounds_identifiers(arxiv, codes):
    assert [place[0] for place in places({"arxiv": arxiv})] == codes


def test_one_undeclared_term_of_several_is_the_value():
    table = sheet({"measures": "heat; heet; salt"})
    (finding,) = cell_findings(table, BOOK.pool.column("measures"), 0, BOOK, TODAY)
    assert (finding.code, finding.line, finding.value) == ("C202", 2, "heet")
    assert "heat" in finding.hint


def test_an_empty_tag_is_missing_and_not_undeclared():
    assert places({"probe": ""}) == [("C201", 2, "probe", "")]
