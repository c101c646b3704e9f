"""What cells of foreign files become before anything is made of them."""

import pytest

from corpus.curation.importing.readers.records import texts_of
from corpus.model.table import MAX_CELL
from tests.support.imported import recorded


@pytest.mark.parametrize(
    ("cell", "is_kept"),
    [
        ("x" * MAX_CELL, True),
        ("x" * (MAX_CELL + 1), False),
        (("x" * (MAX_CELL - 3), "y"), True),
        (("x" * (MAX_CELL - 2), "y"), False),
    ],
)
def test_a_cell_above_the_limit_is_cut_and_named(cell, is_kept):
    found = recorded({"a": "1", "b": cell}, {"a": "2"})
    assert [row.place for row in found.rows] == [2, 3]
    kept = found.rows[0].cells["b"]
    assert len("; ".join(texts_of(kept))) <= MAX_CELL
    assert (kept == cell) is is_kept
    named = [(f.code, f.line, f.column) for f in found.findings]
    assert named == ([] if is_kept else [("I112", 2, "b")])
