"""A table by columns is the same table, however it was read: its cells, its lines, its keys."""

import pytest

from corpus.model.finding import CorpusError
from corpus.tables import sheet
from corpus.tables.documents import read_codebook
from corpus.tables.reader import read_table
from corpus.tables.sheet import arrow_columns, read_sheet
from tests.corpora.full import full
from tests.corpora.minimal import FILES

USES = full().codebook.tables["uses"]
TEXT = 'use,sensor,proof,limit\nfarm,ada,field,"one\nfarm"\nfarm,bob,lab,\ndam,dot,lab,"a\n\nb"\ndam,eve,lab,é\n'  # fmt: skip


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "uses.csv"
    file.write_text(TEXT, "utf-8")
    return file


def whole(found):
    rows = []
    for position in range(len(found)):
        rows.append(tuple(found.cell(name, position) for name in found.spec.header))
    return rows


def test_a_large_file_is_read_by_arrow_with_the_same_result(path, monkeypatch):
    strict = read_sheet(str(path), USES, "uses.csv")
    monkeypatch.setattr(sheet, "ARROW_BYTES", 1)
    fast = read_sheet(str(path), USES, "uses.csv")
    assert whole(fast) == whole(strict)
    assert fast.columns.equals(strict.columns)
    assert [fast.line(n) for n in range(4)] == [2, 4, 5, 8]
    assert fast.file == strict.file


def test_what_arrow_does_not_take_is_read_strictly_or_refused(path, monkeypatch):
    monkeypatch.setattr(sheet, "ARROW_BYTES", 1)
    path.write_text(TEXT.replace("dam,eve,lab,é", 'dam,eve,lab,é"'), "utf-8")
    with pytest.raises(CorpusError) as raised:
        read_sheet(str(path), USES, "uses.csv")
    assert [(found.code, found.line) for found in raised.value.findings] == [("C111", 8)]


def test_a_missing_table_is_a_finding(tmp_path):
    with pytest.raises(CorpusError) as raised:
        read_sheet(str(tmp_path / "uses.csv"), USES, "uses.csv")
    assert [found.code for found in raised.value.findings] == ["C101"]


@pytest.mark.parametrize("block", [5, 1 << 20])
def test_a_valid_file_is_read_whatever_the_size_of_its_blocks(minimal, monkeypatch, block):
    monkeypatch.setattr(sheet, "_BLOCK", block)
    pool = read_codebook(str(minimal)).pool
    columns = arrow_columns(str(minimal / "sensors.csv"), pool, pool.header)
    rows = [tuple(row.values()) for row in columns.to_pylist()]
    assert rows == read_table(str(minimal / "sensors.csv"), pool, "x").rows


@pytest.mark.parametrize("inserted", ["\n", "<<<<<<< a\n", "=======\n", ">>>>>>> b\n"])
def test_an_empty_line_or_a_conflict_is_left_to_the_strict_reader(minimal, inserted):
    pool = read_codebook(str(minimal)).pool
    text = FILES["sensors.csv"]
    head, *rows = text.splitlines(keepends=True)
    file = minimal / "sensors.csv"
    for place in range(len(rows)):
        file.write_text("".join([head, *rows[:place], inserted, *rows[place:]]), "utf-8")
        assert arrow_columns(str(file), pool, pool.header) is None
    if inserted != "\n":  # an empty line is allowed inside a cell, a conflict is not
        cell = f'"Light\n{inserted}in the fen"'
        file.write_text(text.replace("Light in the fen", cell), "utf-8")
        assert arrow_columns(str(file), pool, pool.header) is None
