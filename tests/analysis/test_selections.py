"""Rows that a claim selects by what the pool says of the same entry."""

from __future__ import annotations

from soils import codebook_data, soils

from corpus.analysis.selections import selected, short_key
from corpus.model.claims import Selection

DATA = codebook_data()
DATA["tables"]["again"] = {
    "file": "again.csv", "key": ["sensor"],
    "columns": [
        {"name": "sensor", "type": "ref", "references": "sensors", "definition": "Sensor."},
        {"name": "depth", "type": "term", "definition": "Depth."},
    ],
}  # fmt: skip
CORPUS = soils({"again": [("ada", "deep"), ("bob", "surface"), ("zoe", "deep")]}, **DATA)


def test_rows_that_agree_with_the_pool_and_those_that_differ():
    assert selected(Selection("again", agrees_on=("depth",)), CORPUS) == [("bob", "surface")]
    assert selected(Selection("again", differs_on=("depth",)), CORPUS) == [("ada", "deep")]  # zoe is nowhere


def test_a_row_is_called_by_its_key_cells_where_no_column_has_that_role():
    uses = CORPUS.tables["uses"]
    assert [short_key(uses.spec, row) for row in uses.rows] == ["dam/dot", "farm/ada", "farm/bob"]
    assert short_key(CORPUS.pool.spec, CORPUS.pool.rows[0]) == "ada"
