"""The canonical form of a large table, which is read off Arrow's buffers, is that of the writer."""

from __future__ import annotations

import tomllib

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from corpus.checks.rows import row_findings
from corpus.model.codebook_parser import parse_codebook
from corpus.tables.sheet import Sheet
from corpus.tables.writer import csv_text
from tests.conftest import SOIL_CODEBOOK

CELLS = st.lists(st.text('a,"\né ', max_size=6), max_size=5)


@given(CELLS, CELLS, st.integers(-2, 2))
def test_only_a_file_of_the_canonical_size_is_canonical(first, second, longer):
    """Cells come in two chunks, the second of which does not begin where its buffer does."""
    book = parse_codebook(tomllib.loads(SOIL_CODEBOOK))
    header, texts = book.pool.header, [*first, *second]
    keys = [f"k{number}" for number in range(len(texts))]
    rows = [
        [key if name == "id" else text if name == "name" else "" for name in header] for key, text in zip(keys, texts)
    ]
    size = len(csv_text([header, *rows]).encode()) + longer
    names = pa.chunked_array([pa.array(first, pa.string()), pa.array(["x,y", *second], pa.string()).slice(1)])
    columns = {name: pa.array([""] * len(texts), pa.string()) for name in header} | {"id": pa.array(keys, pa.string())}
    sheet = Sheet(book.pool, "f", pa.table(columns | {"name": names}), size, None)
    codes = [finding.code for finding in row_findings(sheet, book)]
    assert codes == (["C309"] if longer else [])
