import pytest

from corpus.model.finding import UsageProblem
from corpus.publishing.export.formats import FORMATS, export_bytes, export_files
from tests.corpora.full import full


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_the_same_bytes_twice(name):
    assert export_files(name, full()) == export_files(name, full())
    assert export_bytes(name, full())


def test_table_formats_take_a_table_and_others_do_not():
    assert b"probes" in export_bytes("schema", full(), "probes")
    with pytest.raises(UsageProblem, match="nowhere"):
        export_bytes("schema", full(), "nowhere")
    with pytest.raises(UsageProblem):
        export_bytes("json", full(), "probes")
