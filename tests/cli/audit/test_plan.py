"""`corpus audit plan`: a sheet for a second reader, and the plan beside it."""

from pathlib import Path

import pytest

from corpus.tables.location import shipped_data
from tests.support.audited import POOL, fill, rows_of, run


def test_a_sheet_shows_the_works_and_none_of_their_tags(sheet):
    rows = rows_of(sheet)
    assert len(rows) == 3
    for row in rows:
        assert row["title"] == POOL[row["key"]]["name"]
        assert (row["senses"], row["depth"]) == ("", "")


def test_a_sheet_is_never_replaced(sheet):
    fill(sheet)
    before = sheet.read_bytes()
    run("plan", "--size", 3, "-o", sheet, code=2)
    assert sheet.read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("--size", 1000, "-o", "a.csv"),
        ("--size", 0, "-o", "a.csv"),
        ("--size", 1, "--evidence", "-o", "a.csv"),  # a corpus without the table for it
        ("--size", 1),
    ],
)
def test_wrong_arguments_write_nothing(data, arguments):
    run("plan", *arguments, code=2)
    assert not list(Path().glob("a.csv*"))


def test_a_sheet_of_evidence_rows_is_never_replaced(data):
    run("plan", "--evidence", "--size", 2, "-o", "rows.csv", "--data", shipped_data())
    rows = rows_of(Path("rows.csv"))
    assert [(row["verdict"], row["quotation"]) for row in rows] == [("", "")] * 2
    run("plan", "--evidence", "--size", 2, "-o", "rows.csv", "--data", shipped_data(), code=2)
