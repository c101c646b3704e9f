import pytest
import rispy

from corpus.publishing.export.bibliography.ris import export
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import ROWS, full, full_of, sensor


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
    corpus = full_of(sensor("a", name="x\nER  - \n\nTY  - JOUR\rTI  - evil"), sensor("b"))
    read = rispy.loads(export(corpus).decode())
    assert [entry["id"] for entry in read] == ["a", "b"]
    assert read[0]["title"] == "x ER - TY - JOUR TI - evil"


def test_an_identifier_names_its_kind_and_only_a_work_that_has_one():
    ada, eve = ROWS["sensors"][0], ROWS["sensors"][4]
    read = rispy.loads(export(full_of(ada, eve)).decode())
    assert [entry.get("accession_number") for entry in read] == ["arXiv:2011.00010", None]


@pytest.mark.parametrize(
    ("seen", "date"), [("2019-05-06", "2019/05/06"), ("2019-05", None), ("2019", None)]
)
def test_a_date_is_written_only_where_the_day_is_known(seen, date):
    corpus = full_of(sensor("a", year="2019"), rows={"dated": [("a", seen)]})
    (entry,) = rispy.loads(export(corpus).decode())
    assert (entry.get("date"), entry["year"]) == (date, "2019")


def test_kinds_of_works_keywords_and_notes():
    ada, _, _, dot, eve = ROWS["sensors"]
    read = rispy.loads(export(full_of(ada, dot, eve)).decode())
    assert [entry["type_of_reference"] for entry in read] == ["JOUR", "CPAPER", "ELEC"]
    (preprint,) = rispy.loads(export(full_of(sensor("a", arxiv="2101.00001"))).decode())
    assert preprint["type_of_reference"] == "UNPB"
    assert read[2]["urls"] == ["https://soil.example/a", "https://soil.example/b"]
    assert read[0]["secondary_title"] == "Journal of Soil"
    assert not export(full()).startswith(b"1.")
