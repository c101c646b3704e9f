"""Works: titles in a form that compares, and identities at their rows; the fast ways give what the definitions give."""

import tomllib
from itertools import chain

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from corpus.curation.check.works.duplicates import Works
from corpus.curation.edit.proposal import new_row
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.identifiers import normal_title
from corpus.model.table import Table
from corpus.tables.sheet import ColumnarTable, sheet_of
from tests.corpora.minimal import CODEBOOK


@given(
    st.lists(st.lists(st.text("aZ9 -_:,.\n\x00é中ﬁ\x7f\u0130"), max_size=4), max_size=4),
    st.integers(0, 2),
)
def test_titles_are_normal_in_every_chunk(chunks, skipped):
    """Chunks may be empty, and may be slices that do not begin where their buffer does."""
    parts = [
        pa.array(["Skipped é"] * skipped + chunk, pa.string()).slice(skipped) for chunk in chunks
    ]
    titles = pa.chunked_array(parts, pa.string())
    book = parse_codebook(tomllib.loads(CODEBOOK))
    blank = pa.chunked_array([[""] * len(titles)], pa.string())
    columns = pa.table({name: titles if name == "name" else blank for name in book.pool.header})
    found = Works([ColumnarTable(book.pool, "f", columns)]).titles.to_pylist()
    assert found == list(map(normal_title, chain(*chunks)))


BOOK = parse_codebook(tomllib.loads(CODEBOOK))


def sheet(table, *cells):
    """A table with these cells of some of its columns."""
    spec = BOOK.tables[table]
    rows = [new_row(spec, {spec.key[0]: f"k{n}", **row}) for n, row in enumerate(cells)]
    return sheet_of(Table(spec, "f", rows, list(range(2, len(rows) + 2))))


def held(*sheets, dois=None):
    works = Works(sheets, dois)
    pairs = zip(works.holder.to_pylist(), works.identity.to_pylist(), strict=True)
    found = {
        (works[number].sheet.spec.name, works[number].position, name) for number, name in pairs
    }
    return sorted(found)


def test_the_identities_of_several_tables_keep_to_their_rows():
    """Also past a table without rows."""
    pool, log = (
        sheet("sensors", {"arxiv": "2003.00001"}, {}),
        sheet("rejected", {"found": "doi:10.1/x"}, {"found": "10.1234/Y"}),
    )
    papers = sheet("papers", {"doi": "10.1234/z"})
    expected = [
        ("papers", 0, "doi:10.1234/z"),
        ("rejected", 1, "doi:10.1234/y"),
        ("sensors", 0, "arxiv:2003.00001"),
    ]
    assert held(pool, sheet("sensors"), log, papers) == expected
    assert held(papers, log, sheet("sensors"), pool, sheet("ok")) == expected


def test_what_else_is_known_of_a_key_counts_for_its_row():
    pool = sheet("sensors", {"arxiv": "2003.00001"}, {}, {})
    log = sheet("rejected", {})
    dois = {"k0": "10.48550/arXiv.2003.00001", "k2": "10.1234/x", "k7": "10.1234/y"}
    found = held(pool, log, dois=dois)
    assert found == [("sensors", 0, "arxiv:2003.00001"), ("sensors", 2, "doi:10.1234/x")]
