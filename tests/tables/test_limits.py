"""A cell and a table have a largest size; beyond it every reader names the place and works on nothing."""

import tomllib

import pytest

from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.finding import CorpusError
from corpus.model.table import MAX_CELL, MAX_COLUMNS
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.fast.scan import scan_tally
from corpus.tables.reader import header_findings, parse_table
from corpus.tables.sheet import arrow_columns
from tests.corpora.minimal import CODEBOOK, FILES

BOOK = parse_codebook(tomllib.loads(CODEBOOK))


def with_remark(remark):
    return (FILES["sensors.csv"] + f'wold,W,"Moor, Bo",2019,,,none,heat,"{remark}"\n').encode()


@pytest.mark.parametrize("remark", ["x" * MAX_CELL, "x\n" * (MAX_CELL // 2), "é" * MAX_CELL])
def test_the_longest_cell_is_read(remark):
    assert parse_table(with_remark(remark), BOOK.pool, "f").rows[-1][-1] == remark


@pytest.mark.parametrize(
    "remark", ["x" * (MAX_CELL + 1), "x\n" * (MAX_CELL // 2 + 1), "é" * (MAX_CELL + 1)]
)
def test_a_longer_cell_is_named_and_no_quick_reader_takes_it(minimal, remark):
    path = minimal / "sensors.csv"
    path.write_bytes(with_remark(remark))
    with pytest.raises(CorpusError) as raised:
        load_corpus(str(minimal))
    assert [(f.code, f.line, f.column) for f in raised.value.findings] == [("C123", 5, "remark")]
    assert scan_tally(str(path), BOOK, ("probe",)) is None
    assert arrow_columns(str(path), BOOK.pool, ("probe",)) is None


def test_a_header_of_a_million_columns_is_one_finding():
    found = header_findings([f"c{number}" for number in range(1_000_000)], BOOK.pool, "f")
    assert [(f.code, f.line) for f in found] == [("C124", 1)]


@pytest.mark.parametrize("more", [0, 1])
def test_a_codebook_declares_as_many_columns_as_sqlite_takes(more):
    extra = [
        f'{{ name = "c{n}", type = "text", definition = "C." }},'
        for n in range(MAX_COLUMNS - 9 + more)
    ]
    text = CODEBOOK.replace("]\n\n[tables.rejected]", "\n".join([*extra, "]\n\n[tables.rejected]"]))
    if not more:
        assert len(parse_codebook(tomllib.loads(text)).pool.columns) == MAX_COLUMNS
        return
    with pytest.raises(CorpusError) as raised:
        parse_codebook(tomllib.loads(text))
    assert [(f.code, f.column) for f in raised.value.findings] == [
        ("C001", "tables.sensors.columns")
    ]
