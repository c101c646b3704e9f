"""What cells of foreign files become before anything is made of them."""

import pytest

from corpus.curation.importing.readers.reading import finished
from corpus.curation.importing.readers.records import ImportedRecord, gather
from corpus.model.table import MAX_CELL


@pytest.mark.parametrize(
    ("cell", "is_kept"),
    [
        ("x" * MAX_CELL, True),
        ("x" * (MAX_CELL + 1), False),
        (("x" * (MAX_CELL - 3), "y"), True),
        (("x" * (MAX_CELL - 2), "y"), False),
    ],
)
def test_a_record_with_a_cell_above_the_limit_is_named_and_left_out(cell, is_kept):
    given = gather("CSV", [ImportedRecord(2, {"a": "1", "b": cell}), ImportedRecord(3, {"a": "2"})])
    found = finished(given, "f")
    assert [row.place for row in found.rows] == [2, 3][not is_kept :]
    named = [(f.code, f.line, f.column) for f in found.findings]
    assert named == ([] if is_kept else [("I106", 2, "b")])
