"""Rows that a claim selects by what the pool says of the same entry."""

import pytest

from corpus.analysis.claims.claim import Selection
from corpus.analysis.claims.selections import selected
from tests.corpora.full import codebook_data, full

DATA = codebook_data()
DATA["tables"]["again"] = {
    "file": "again.csv", "key": ["sensor"],
    "columns": [
        {"name": "sensor", "type": "ref", "references": "sensors", "definition": "Sensor."},
        {"name": "depth", "type": "term", "definition": "Depth."},
    ],
}  # fmt: skip
CORPUS = full({"again": [("ada", "deep"), ("bob", "surface"), ("zoe", "deep")]}, **DATA)


def test_rows_that_agree_with_the_pool_and_those_that_differ():
    assert selected(Selection("again", agrees_on=("depth",)), CORPUS) == [("bob", "surface")]
    assert selected(Selection("again", differs_on=("depth",)), CORPUS) == [
        ("ada", "deep")
    ]  # zoe is nowhere


def test_a_row_is_called_by_its_key_cells_where_no_column_has_that_role():
    uses = CORPUS.tables["uses"]
    assert list(uses.spec.names_of(uses.rows)) == ["dam/dot", "farm/ada", "farm/bob"]
    assert CORPUS.pool.spec.name_of(CORPUS.pool.rows[0]) == "ada"


@pytest.mark.parametrize(("bounds", "found"), [
    (("2020-11", "2020-11"), ["ada", "bob"]), (("2020-11-02", "2020-11-02"), ["ada"]), (("2020-11-03", "2021"), ["cy"]),
    (("2019", "2019"), ["dot"]), (("when", "2021"), []), (("2019", "when"), []),
])  # fmt: skip
def test_a_last_month_or_year_is_taken_whole(bounds, found):
    dated = [
        ("ada", "2020-11-02"),
        ("bob", "2020-11"),
        ("cy", "2021-01"),
        ("dot", "2019-05"),
        ("eve", ""),
        ("fay", "soon"),
    ]
    corpus = full({"dated": dated})
    assert [
        row[0] for row in selected(Selection("dated", between={"seen": bounds}), corpus)
    ] == found


def test_a_number_is_not_taken_for_what_its_digits_begin_with():
    ranges = [
        (key, "ada", "reach", value, "m", "")
        for key, value in (("a", "4"), ("b", "40"), ("c", "4.5"), ("d", "far"))
    ]
    corpus = full({"ranges": ranges})
    assert [
        row[0] for row in selected(Selection("ranges", between={"value": ("3", "4")}), corpus)
    ] == ["a"]
