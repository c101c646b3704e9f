"""A large table read by columns is what the strict reader makes of it, line numbers included."""

import pytest

from corpus.tables import sheet
from corpus.tables.documents import read_codebook
from corpus.tables.fast import arrow
from corpus.tables.fast.arrow import arrow_columns
from corpus.tables.reader import read_table
from tests.corpora.minimal import FILES, write_minimal


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_minimal(tmp_path_factory.mktemp("arrow") / "soil")


def make_text():
    return FILES["sensors.csv"]


@pytest.mark.parametrize("block", [5, 1 << 20])
def test_a_valid_file_is_read_whatever_the_size_of_its_blocks(data, monkeypatch, block):
    monkeypatch.setattr(arrow, "_BLOCK", block)
    book = read_codebook(str(data))
    columns = arrow_columns(str(data / "sensors.csv"), book.pool, book.pool.header)
    rows = [tuple(row.values()) for row in columns.to_pylist()]
    assert rows == read_table(str(data / "sensors.csv"), book.pool, "x").rows


def test_lines_are_the_same_on_both_ways(data, monkeypatch):
    book = read_codebook(str(data))
    text = (
        make_text()
        .replace("readable", "read\n\nable")
        .replace("Light in the fen", '"Light\nin the fen"')
    )
    file = data / "sensors.csv"
    file.write_text(text)
    try:
        slow = sheet.read_sheet(str(file), book.pool, "x")
        monkeypatch.setattr(sheet, "ARROW_BYTES", 0)
        fast = sheet.read_sheet(str(file), book.pool, "x")
        assert [fast.line(i) for i in range(3)] == [slow.line(i) for i in range(3)] == [2, 3, 7]
        assert fast.columns.equals(slow.columns)
        assert fast.size == slow.size
    finally:
        file.write_text(make_text())


@pytest.mark.parametrize("inserted", ["\n", "<<<<<<< a\n", "=======\n", ">>>>>>> b\n"])
def test_an_empty_line_or_a_conflict_is_left_to_the_strict_reader(data, tmp_path, inserted):
    book = read_codebook(str(data))
    head, *rows = make_text().splitlines(keepends=True)
    file = tmp_path / "sensors.csv"
    for place in range(len(rows)):
        file.write_text("".join([head, *rows[:place], inserted, *rows[place:]]), "utf-8")
        assert arrow_columns(str(file), book.pool, book.pool.header) is None
    if inserted != "\n":  # an empty line is allowed inside a cell, a conflict is not
        cell = f'"Light\n{inserted}in the fen"'
        file.write_text(make_text().replace("Light in the fen", cell), "utf-8")
        assert arrow_columns(str(file), book.pool, book.pool.header) is None
