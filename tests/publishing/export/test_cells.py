import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.export.cells import typed_records
from tests.corpora.full import full_of, sensor


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
