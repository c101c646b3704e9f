import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.export.cells import typed_records
from tests.corpora.bogs import bogs, site


def test_cells_become_values_of_their_type():
    adder, black, _ = typed_records(bogs().pool)
    assert adder["when"] == 2019
    assert adder["depth"] == 2.5
    assert adder["plants"] == ["heath", "birch"]
    assert adder["who"] == ["Ward, Ann", "Bog Trust"]
    assert adder["arx"] == "1901.00010"
    assert black["peat"] == "NA"
    assert black["web"] == ["https://bogs.example/a", "https://bogs.example/b"]
    assert (black["depth"], black["plants"]) == (None, [])


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("when", "20_20"),
        ("when", "２０２０"),
        ("when", " 2020"),
        ("depth", "nan"),
        ("depth", "1,5"),
    ],
)
def test_every_cell_of_another_type_is_named(column, cell):
    corpus = bogs([site("a"), site("b", **{column: cell})], [("a", "1", "2020-13")])
    with pytest.raises(CorpusError) as caught:
        list(typed_records(corpus.pool))
    assert [(f.code, f.line, f.column, f.value) for f in caught.value.findings] == [
        ("X102", 3, column, cell)
    ]
    with pytest.raises(CorpusError):
        list(typed_records(corpus.tables["probes"]))
