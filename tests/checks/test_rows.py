"""The canonical form of a large table, which is read off Arrow's buffers, is that of the writer."""

from __future__ import annotations

import tomllib

import pyarrow as pa
import pytest
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


def of_keys(*keys, table="sensors"):
    """What is said about the keys of a table that holds nothing else."""
    book = parse_codebook(tomllib.loads(SOIL_CODEBOOK))
    spec = book.tables[table]
    columns = {name: pa.chunked_array([pa.array([""] * len(keys), pa.string())]) for name in spec.header}
    for place, name in enumerate(spec.key):
        columns[name] = pa.chunked_array([pa.array([key.split("/")[place] for key in keys], pa.string())])
    found = row_findings(Sheet(spec, "f", pa.table(columns), None, None), book)
    return [(finding.code, finding.line, finding.value) for finding in found if finding.code in ("C301", "C308")]


@pytest.mark.parametrize(("keys", "found"), [
    ((), []), (("a",), []), (("a", "b"), []), (("a", "b", "c"), []),
    (("a", "a"), [("C301", 3, "a")]), (("a", "b", "b"), [("C301", 4, "b")]), (("a", "a", "a"), [("C301", 3, "a"), ("C301", 4, "a")]),
    (("b", "a"), [("C308", 3, "a")]), (("a", "c", "b"), [("C308", 4, "b")]), (("c", "a", "b"), [("C308", 3, "a")]),
    (("b", "a", "b"), [("C301", 4, "b"), ("C308", 3, "a")]),
])  # fmt: skip
def test_keys_stand_once_and_in_order(keys, found):
    assert of_keys(*keys) == found


@pytest.mark.parametrize(("keys", "found"), [
    (("C1/a", "C1/b"), []), (("C1/b", "C1/a"), [("C308", 3, "C1, a")]), (("C1/a", "C1/a"), [("C301", 3, "C1, a")]),
    (("C1/b", "C2/a"), []),
])  # fmt: skip
def test_keys_of_two_columns_are_compared_as_a_whole(keys, found):
    assert of_keys(*keys, table="ok") == found
