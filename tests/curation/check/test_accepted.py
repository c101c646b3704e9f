"""Which warnings a row of the list of accepted ones covers, and when it is said to cover none."""

import re
import tomllib

import pytest

from corpus.curation.check.accepted import without_accepted
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.finding import WARNING, Rule
from corpus.model.table import Table
from corpus.tables.sheet import sheet_of
from tests.corpora.minimal import CODEBOOK

BOOK = parse_codebook(tomllib.loads(CODEBOOK))
ROWS = [(key, "Peat", "A", "2020", "", "", "none", "heat", "") for key in ("clay", "fen", "till")]
FOUND = Rule("C306", "w", "w", WARNING).at("data/sensors.csv", 3, "year", "2020")
ROW = ("C306", "sensors.csv", "fen", "year", "2020", "so it is")


def left(finding, *rows, file="data/sensors.csv", ok="data/ok.csv", spec=BOOK.tables["ok"]):
    """Return code and line of the findings that are left of one and the rows of the list."""
    sheets = {
        "sensors": sheet_of(Table(BOOK.pool, file, ROWS, [2, 3, 7])),
        "ok": sheet_of(Table(spec, ok, list(rows), [2, 4][: len(rows)])),
    }
    return [(found.code, found.line) for found in without_accepted([finding], sheets)]


def test_an_error_is_never_accepted():
    error = Rule("C306", "e", "e").at("data/sensors.csv", 3, "year", "2020")
    assert left(error, ROW) == [("C306", 3), ("C501", 2)]


def test_a_key_of_several_columns_is_written_with_commas():
    """As findings name the row."""
    found = FOUND._replace(file="data/ok.csv", line=4, column="value", value="x")
    row = ("C306", "ok.csv", "C9, fen", "value", "x", "so it is")
    assert left(found, row, ("C9", "f", "fen", "c", "v", "r")) == [("C501", 4)]


def test_a_table_that_is_gone_or_empty_has_no_row_to_accept():
    lost = FOUND._replace(file="data/papers.csv")
    papers = sheet_of(Table(BOOK.tables["papers"], "data/papers.csv", [], []))
    row = ("C306", "papers.csv", *ROW[2:])
    ok = sheet_of(Table(BOOK.tables["ok"], "data/ok.csv", [row], [2]))
    for sheets in ({"ok": ok}, {"ok": ok, "papers": papers}):
        result = [found.code for found in without_accepted([lost], sheets)]
        assert result == ["C306", "C501"]


@pytest.mark.parametrize("data", ["data/", "", "../soil//data/", "/tmp/soil"])
def test_it_does_not_matter_where_the_data_folder_is(data):
    file = f"{data}sensors.csv"
    assert left(FOUND._replace(file=file), ROW, file=file, ok=f"{data}ok.csv") == []


@pytest.mark.parametrize("role", ["code", "file", "key"])
def test_a_list_that_does_not_tell_what_it_accepts_accepts_nothing(role):
    book = CODEBOOK.replace(f'role = "{role}", definition', "definition")
    spec = parse_codebook(tomllib.loads(book)).tables["ok"]
    assert left(FOUND, ROW, spec=spec) == [("C306", 3), ("C501", 2)]


def test_columns_for_the_place_and_the_value_may_be_left_out():
    """Such a list accepts warnings about whole rows."""
    book = CODEBOOK
    for place in ('role = "value"', 'name = "column", type = "text"'):
        book = re.sub(rf"\n[^\n]*{place}[^\n]*", "", book)
    spec = parse_codebook(tomllib.loads(book)).tables["ok"]
    row = (*ROW[:3], "so it is")
    assert left(FOUND._replace(column="", value=""), row, spec=spec) == []
    assert left(FOUND, row, spec=spec) == [("C306", 3), ("C501", 2)]
