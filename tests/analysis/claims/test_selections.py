"""Rows that a claim selects by what the pool says of the same entry."""

import pytest

from corpus.analysis.claims.claim import selected
from tests.corpora.full import codebook_data, full
from tests.support.selecting import select

DATA = codebook_data()
DATA["tables"]["again"] = {
    "file": "again.csv", "key": ["sensor"],
    "columns": [
        {"name": "sensor", "type": "ref", "references": "sensors", "definition": "Sensor."},
        {"name": "depth", "type": "term", "definition": "Depth."},
    ],
}  # fmt: skip


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
    assert [row[0] for row in selected(select("dated", between={"seen": bounds}), corpus)] == found
