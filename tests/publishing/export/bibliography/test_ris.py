import copy

import pytest
import rispy

from corpus.publishing.export.bibliography.ris import export
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.bogs import CODEBOOK, bogs, site


def test_every_entry_is_read_back():
    corpus = load_corpus(str(REAL))
    read = rispy.loads(export(corpus).decode())
    assert [entry["id"] for entry in read] == corpus.pool.column("key")
    assert [entry["title"] for entry in read] == corpus.pool.column("title")
    first = read[0]
    assert first["authors"][0] == "Luo, Xufang"
    assert first["year"] == "2025"
    assert "category: framework" in first["keywords"]


def test_a_cell_cannot_start_a_field_or_an_entry_of_its_own():
    corpus = bogs([site("a", name="x\nER  - \n\nTY  - JOUR\rTI  - evil"), site("b")], [])
    read = rispy.loads(export(corpus).decode())
    assert [entry["id"] for entry in read] == ["a", "b"]
    assert read[0]["title"] == "x ER - TY - JOUR TI - evil"


def test_an_identifier_names_its_kind_and_only_a_work_that_has_one():
    read = rispy.loads(export(bogs()).decode())
    assert [entry.get("accession_number") for entry in read] == ["arXiv:1901.00010", None, None]


@pytest.mark.parametrize(
    ("taken", "date"), [("2019-05-06", "2019/05/06"), ("2019-05", None), ("2019", None)]
)
def test_a_date_is_written_only_where_the_day_is_known(taken, date):
    tables = copy.deepcopy(CODEBOOK["tables"])
    tables["probes"]["role"] = "bibliography"
    tables["probes"]["key"] = ["site"]
    tables["probes"]["columns"][2]["role"] = "date"
    corpus = bogs([site("a", when="2019")], [("a", "1", taken)], tables=tables)
    (entry,) = rispy.loads(export(corpus).decode())
    assert (entry.get("date"), entry["year"]) == (date, "2019")


def test_kinds_of_works_keywords_and_notes():
    read = rispy.loads(export(bogs()).decode())
    assert [entry["type_of_reference"] for entry in read] == ["JOUR", "ELEC", "CPAPER"]
    (preprint,) = rispy.loads(export(bogs([site("a", arx="2101.00001")], [])).decode())
    assert preprint["type_of_reference"] == "UNPB"
    assert read[1]["urls"] == ["https://bogs.example/a", "https://bogs.example/b"]
    assert read[0]["secondary_title"] == "Journal of Mires"
    assert not export(bogs()).startswith(b"1.")
