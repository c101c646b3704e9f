"""10,000 damaged CSV files: each is flagged, or is a table that a person could have written."""

import csv
import io
import re
import tomllib
import unicodedata
from datetime import date

import pytest

from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.finding import CorpusError
from corpus.tables.cells import broken
from corpus.tables.reader import parse_table, unique_key_findings
from corpus.tables.terms import term_findings
from corpus.tables.writing.writer import canonical_text, fix_table, form_findings
from tests.corpora.minimal import CODEBOOK, FILES
from tests.support.daily import part
from tests.support.mutation import damaged

BOOK = parse_codebook(tomllib.loads(CODEBOOK))
TODAY = date(2026, 5, 15)
TABLES = {"sensors": 6_000, "papers": 2_000, "rejected": 2_000}


def findings(data, name):
    """What `corpus check` says of one table by itself, without the cost of frames."""
    spec = BOOK.tables[name]
    try:
        table = parse_table(data, spec, spec.file)
    except CorpusError as error:
        return None, error.findings
    found = [*unique_key_findings(table), *term_findings(table, BOOK), *form_findings(table)]
    for row, line in zip(table.rows, table.lines, strict=True):
        for cell, column in zip(row, spec.columns, strict=True):
            if column.type != "term":
                found += [rule.at(spec.file, line, column.name, cell, advice=advice, kind=column.type)
                          for rule, advice in broken(cell, column, TODAY)]  # fmt: skip
    return table, found


#: What a cell of each type may hold, said a second time and in another way than the program says it.
GRAMMAR = {
    "key": r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*", "year": r"1[6-9]\d\d|20[01]\d|202[0-7]", "date": r"\d{4}(-\d\d(-\d\d)?)?",
    "doi": r"10\.\d{4,9}/\S+", "url": r"https?://[\w.-]+\.[\w-]+(:\d+)?([/?#]\S*)?( ; https?://\S+)*",
    "arxiv": r"(0[7-9]|1\d|2[0-6])(0[1-9]|1[0-2])\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7}",
}  # fmt: skip
TERMS = {"probe": {"dielectric", "optical", "acoustic", "none"}, "measures": {"moisture", "salt", "heat"},
         "stage": {"abstract", "full_text"}}  # fmt: skip


def sound(cell, column):
    if not cell:
        return not column.required
    if column.type == "term":
        return set(cell.split("; ")) <= TERMS[column.name] and (
            bool(column.separator) or cell in TERMS[column.name]
        )
    plain = (
        cell.isprintable()
        and cell == " ".join(cell.split())
        and unicodedata.is_normalized("NFC", cell)
    )
    pattern = GRAMMAR.get("key" if column.type == "ref" else column.type)
    return (
        plain
        and cell[0] not in "=+-@"
        and (pattern is None or bool(re.fullmatch(pattern, cell, re.ASCII)))
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_a_damaged_table_is_flagged_or_is_one_that_a_person_could_have_written(name):
    original = FILES[f"{name}.csv"].encode()
    assert findings(original, name)[1] == []
    spec, flagged, changed = BOOK.tables[name], 0, 0
    for seed in part(range(TABLES[name]), 10):
        data = damaged(original, seed)
        table, found = findings(data, name)
        if found:
            flagged += 1
            assert all(f.line <= data.count(b"\n") + data.count(b"\r") + 1 for f in found), data
            continue
        assert table is not None
        assert data.decode() == canonical_text(table.rows, spec), (
            data
        )  # only one way to write it is accepted
        assert list(csv.reader(io.StringIO(data.decode()), strict=True))[1:] == list(
            map(list, table.rows)
        ), data
        wrong = [
            cell
            for row in table.rows
            for cell, column in zip(row, spec.columns)
            if not sound(cell, column)
        ]
        assert wrong == [], data
        changed += data != original
    assert flagged > len(part(range(TABLES[name]), 10)) * 0.7
    assert changed > len(part(range(TABLES[name]), 10)) * 0.02  # what remains was really looked at


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_what_fmt_writes_is_canonical_and_keeps_every_cell(name):
    original = FILES[f"{name}.csv"].encode()
    spec, mended = BOOK.tables[name], 0
    for seed in part(range(1_000), 10):
        data = damaged(original, seed)
        try:
            text, _ = fix_table(data, spec, spec.file)
        except CorpusError as error:
            assert error.findings
            continue
        mended += text.encode() != data
        assert fix_table(text.encode(), spec, spec.file) == (text, [])
        cells = sorted(
            cell for row in parse_table(text.encode(), spec, spec.file).rows for cell in row
        )
        read = [
            row
            for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=None), strict=True)
            if row
        ]
        assert (
            sorted(unicodedata.normalize("NFC", cell) for row in read[1:] for cell in row) == cells
        ), data
    assert mended > 2
