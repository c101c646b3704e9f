"""Which warnings a row of the list of accepted ones covers, and when it is said to cover none."""

import tomllib

import pytest

from corpus.curation.check.accepted import without_accepted
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.finding import ERROR, WARNING, Rule
from corpus.model.table import Table
from corpus.tables.sheet import sheet_of
from tests.corpora.minimal import CODEBOOK

BOOK = parse_codebook(tomllib.loads(CODEBOOK))
ROWS = [(key, "Peat", "A", "2020", "", "", "none", "heat", "") for key in ("clay", "fen", "till")]
FOUND = Rule("C306", WARNING, "w", "w", "w", "w").at("data/sensors.csv", 3, "year", "2020")
ROW = ("C306", "sensors.csv", "fen", "year", "2020", "so it is")


def left(finding, *rows, data="data"):
    """What is left of findings, as code, file, line, column and value."""
    sheets = {
        "sensors": sheet_of(
            Table(BOOK.pool, f"{data}/sensors.csv".replace("//", "/"), ROWS, [2, 3, 7])
        ),
        "ok": sheet_of(
            Table(BOOK.tables["ok"], f"{data}/ok.csv".replace("//", "/"), list(rows), [2, 4])
        ),
    }
    findings = without_accepted([finding], sheets)
    return [(found.code, found.file, found.line, found.column, found.value) for found in findings]


def test_an_error_is_never_accepted():
    error = Rule("C306", ERROR, "e", "e", "e", "e").at("data/sensors.csv", 3, "year", "2020")
    assert [code for code, *_ in left(error, ROW)] == ["C306", "C501"]


def test_a_key_of_several_columns_is_written_with_commas():
    """As findings name the row."""
    found = FOUND._replace(file="data/ok.csv", line=4, column="value", value="x")
    row = ("C306", "ok.csv", "C9, fen", "value", "x", "so it is")
    assert left(found, row, ("C9", "f", "fen", "c", "v", "r"))[:1] == [
        ("C501", "data/ok.csv", 4, "", "f, fen")
    ]


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
    found = FOUND._replace(file=f"{data}sensors.csv")
    table = Table(BOOK.pool, f"{data}sensors.csv", ROWS, [2, 3, 7])
    ok = Table(BOOK.tables["ok"], f"{data}ok.csv", [ROW], [2])
    assert without_accepted([found], {"sensors": sheet_of(table), "ok": sheet_of(ok)}) == []


@pytest.mark.parametrize("file", ["sensors.csv", "sensors.parquet"])
def test_a_pool_that_is_kept_as_parquet_has_two_names(file):
    found = FOUND._replace(file="data/sensors.parquet")
    table = Table(BOOK.pool, "data/sensors.parquet", ROWS, [2, 3, 7])
    ok = Table(BOOK.tables["ok"], "data/ok.csv", [(ROW[0], file, *ROW[2:])], [2])
    assert without_accepted([found], {"sensors": sheet_of(table), "ok": sheet_of(ok)}) == []


@pytest.mark.parametrize("role", ["code", "file", "key"])
def test_a_list_that_does_not_tell_what_it_accepts_accepts_nothing(role):
    spec = parse_codebook(
        tomllib.loads(CODEBOOK.replace(f'role = "{role}", definition', "definition"))
    ).tables["ok"]
    sheets = {
        "sensors": sheet_of(Table(BOOK.pool, "data/sensors.csv", ROWS, [2, 3, 7])),
        "ok": sheet_of(Table(spec, "data/ok.csv", [ROW], [2])),
    }
    assert [(one.code, one.line) for one in without_accepted([FOUND], sheets)] == [
        ("C306", 3),
        ("C501", 2),
    ]


def test_columns_for_the_place_and_the_value_may_be_left_out():
    """Such a list accepts warnings about whole rows."""
    lines = [
        line
        for line in CODEBOOK.splitlines()
        if 'role = "value"' not in line and 'name = "column", type = "text"' not in line
    ]
    spec = parse_codebook(tomllib.loads("\n".join(lines))).tables["ok"]
    sheets = {
        "sensors": sheet_of(Table(BOOK.pool, "data/sensors.csv", ROWS, [2, 3, 7])),
        "ok": sheet_of(Table(spec, "data/ok.csv", [(*ROW[:3], "so it is")], [2])),
    }
    assert without_accepted([FOUND._replace(column="", value="")], sheets) == []
    assert [found.code for found in without_accepted([FOUND], sheets)] == ["C306", "C501"]
