import pytest

from corpus.model.finding import UsageProblem
from corpus.publishing.export.formats import FORMATS, export_all, export_bytes, export_files
from tests.corpora.bogs import bogs


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_the_same_bytes_twice(name):
    assert export_files(name, bogs()) == export_files(name, bogs())
    assert export_bytes(name, bogs())


def test_all_formats_are_written_beside_one_another():
    made = export_all(bogs())
    found = {"pool.bib", "corpus.sqlite", "parquet/probes.parquet", "data-package/datapackage.json"}
    assert found <= set(made)
    assert len(made) == sum(len(export_files(name, bogs())) for name in FORMATS)


def test_table_formats_take_a_table_and_others_do_not():
    assert export_bytes("jsonl", bogs(), "probes").count(b"\n") == 3
    with pytest.raises(UsageProblem, match="nowhere"):
        export_bytes("jsonl", bogs(), "nowhere")
    with pytest.raises(UsageProblem):
        export_bytes("json", bogs(), "probes")
