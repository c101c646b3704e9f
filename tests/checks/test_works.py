"""Titles in a form that compares: the fast way for ASCII gives what the definition gives."""

from __future__ import annotations

import tomllib

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from corpus.checks.works import Works
from corpus.model.codebook_parser import parse_codebook
from corpus.model.identifiers import normal_title
from corpus.tables.sheet import Sheet
from tests.conftest import SOIL_CODEBOOK


@given(st.lists(st.lists(st.text("aZ9 -_:,.é中ﬁ\x7f\u0130"), max_size=4), max_size=4), st.integers(0, 2))
def test_titles_are_normal_in_every_chunk(chunks, skipped):
    """Chunks may be empty, and may be slices that do not begin where their buffer does."""
    parts = [pa.array(["Skipped é"] * skipped + chunk, pa.string()).slice(skipped) for chunk in chunks]
    titles = pa.chunked_array(parts, pa.string())
    book = parse_codebook(tomllib.loads(SOIL_CODEBOOK))
    blank = pa.chunked_array([[""] * len(titles)], pa.string())
    columns = pa.table({name: titles if name == "name" else blank for name in book.pool.header})
    found = Works([Sheet(book.pool, "f", columns, None, None)]).titles.to_pylist()
    assert found == [normal_title(title) for chunk in chunks for title in chunk]
