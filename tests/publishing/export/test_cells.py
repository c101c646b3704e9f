import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.export.cells import typed_records
from tests.corpora.full import full, full_of, sensor


def test_cells_become_values_of_their_type():
    records = {record["sensor"]: record for record in typed_records(full().pool)}
    ada, eve = records["ada"], records["eve"]
    assert ada["year"] == 2020
    assert ada["weight"] == 2.5
    assert ada["senses"] == ["water", "heat"]
    assert ada["authors"] == ["Ward, Ann", "Soil Trust"]
    assert ada["arxiv"] == "2011.00010"
    assert eve["depth"] == "none"
    assert eve["url"] == ["https://soil.example/a", "https://soil.example/b"]
    assert eve["weight"] is None
    (untagged,) = typed_records(full_of(sensor("a", senses="")).pool)
    assert untagged["senses"] == []


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("year", "20_20"),
        ("year", "２０２０"),
        ("year", " 2020"),
        ("weight", "nan"),
        ("weight", "1,5"),
    ],
)
def test_every_cell_of_another_type_is_named(column, cell):
    probes = {"probes": [("a", "1", "2020-13")]}
    corpus = full_of(sensor("a"), sensor("b", **{column: cell}), rows=probes)
    with pytest.raises(CorpusError) as caught:
        list(typed_records(corpus.pool))
    assert [(f.code, f.line, f.column, f.value) for f in caught.value.findings] == [
        ("X102", 3, column, cell)
    ]
    with pytest.raises(CorpusError):
        list(typed_records(corpus.tables["probes"]))
