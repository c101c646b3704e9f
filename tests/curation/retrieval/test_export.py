"""Exports of databases: every cell of a record, and the digest by which a run is known."""

from hashlib import sha256

from corpus.curation.retrieval.export import read_export
from corpus.curation.retrieval.record import Retrieved

TEXT = (
    "title,authors,year,venue,doi,url,Abstract\n"
    'Peat,"Ward, Ann",2024,Mires,10.1234/x,https://arxiv.org/abs/2601.00001v2,It is <i>wet</i>.\n'
    ",Nobody,2024,,,,\n"
    "Moss,,,,,,\n"
)


def test_every_cell_is_read_and_a_row_without_a_title_counted(tmp_path):
    path = tmp_path / "deep" / "export.csv"
    path.parent.mkdir()
    path.write_text(TEXT, "utf-8")
    found = read_export(str(path), "export.csv")
    first = Retrieved("Peat", "Ward, Ann", "2024", "Mires", "2601.00001", "10.1234/x",
                      "https://arxiv.org/abs/2601.00001v2", "It is wet.")  # fmt: skip
    assert found.records == [first, Retrieved("Moss")]
    assert found.rows == 3
    assert found.digest == sha256(TEXT.encode()).hexdigest()
