"""Findings of single cells: each at its place, in the order of rows and columns.

That they are those of the schemas is tested with :mod:`tests.curation.check.test_columns`.
"""

import tomllib
from datetime import date

from corpus.curation.check.cell_findings import findings_by_cell
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


def test_an_empty_tag_is_missing_and_not_undeclared():
    assert places({"probe": ""}) == [("C201", 2, "probe", "")]
