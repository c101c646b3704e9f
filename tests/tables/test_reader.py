"""The strict reader and the canonical writer, as properties."""

import csv
import io
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from corpus.model.codebook import Column, TableSpec
from corpus.model.finding import CorpusError
from corpus.tables.reader import parse_table
from corpus.tables.writing.writer import canonical_text, csv_text

#: Any text that a cell can hold, with the signs that matter to CSV made likely.
cells = st.text(
    st.one_of(
        st.sampled_from('",\n;=+-@ aé\u0301\\${}'),
        st.characters(codec="utf-8", exclude_characters="\r\0"),
    ),
    max_size=30,
)

#: Short cells of plain signs, so that keys and terms collide often.
plain_cells = st.text("ab-", min_size=1, max_size=4)


def rows(width, cell=cells):
    """Rows of one width; the first cell is never empty."""
    return st.lists(st.tuples(plain_cells, *[cell] * (width - 1)), max_size=8)


def column(name):
    return Column(name, "text", name, "", "", False, "", "", "", False)


SPEC = TableSpec("t", "t.csv", "T", "", "pool", ("a",), tuple(map(column, "abc")))


@given(rows(3))
def test_what_is_written_is_read_back(table):
    text = csv_text([SPEC.header, *table])
    read = parse_table(text.encode(), SPEC, "t.csv")
    assert read.rows == table
    lines = text.split("\n")
    for row, line in zip(read.rows, read.lines, strict=True):
        assert next(csv.reader(io.StringIO("\n".join(lines[line - 1 :]))))[0] == row[0]


@given(rows(3))
def test_writing_what_was_read_gives_the_canonical_form(table):
    """write(read(x)) = canonical(x), and canonical twice = canonical once."""
    text = csv_text([SPEC.header, *table])
    canonical = canonical_text(table, SPEC)
    assert canonical_text(parse_table(text.encode(), SPEC, "t.csv").rows, SPEC) == canonical
    assert canonical_text(parse_table(canonical.encode(), SPEC, "t.csv").rows, SPEC) == canonical
    assert unicodedata.is_normalized("NFC", canonical)
    keys = [row[0] for row in parse_table(canonical.encode(), SPEC, "t.csv").rows]
    assert keys == sorted(keys)


@given(rows(3), st.permutations(range(8)))
def test_the_order_of_rows_does_not_matter_where_keys_are_unique(table, order):
    unique = list({row[0]: row for row in table}.values())
    shuffled = [unique[i] for i in order if i < len(unique)]
    assert canonical_text(shuffled, SPEC) == canonical_text(unique, SPEC)


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fail_otherwise_than_with_findings(data):
    try:
        table = parse_table(data, SPEC, "t.csv")
    except CorpusError as error:
        assert error.findings
        assert all(
            finding.code.startswith("C1") and finding.file == "t.csv" for finding in error.findings
        )
    else:
        assert canonical_text(table.rows, SPEC)
