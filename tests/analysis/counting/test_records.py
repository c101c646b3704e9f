"""Which record a name means: key, number, title, or an identifier in any form."""

import pytest

from corpus.analysis.counting.records import find_record, records_named
from corpus.model.finding import UsageProblem
from corpus.tables.corpus_reader import load_corpus


@pytest.mark.parametrize(("name", "key"), [
    ("clay", "clay"), ("CLAY", "clay"), (" clay ", "clay"), ("X1", "X1"), ("x2", "X2"),
    ("2003.00001v3", "clay"), ("http://arxiv.org/pdf/2003.00001v1", "clay"), ("https://doi.org/10.48550/ARXIV.2003.00001", "clay"),
    ("10.1234/fen.1", "fen"),
    ("https://fen.example/paper", "fen"), ("http://www.fen.example/paper/", "fen"), ("https://FEN.example/Paper", "fen"),
    ("1901.00001", "X1"), ("A capacitive probe for clay", "clay"), ("a capacitive  PROBE for clay.", "clay"), ("a survey of mud", "X1"),
])  # fmt: skip
def test_a_record_is_found_by_any_of_its_names(minimal, name, key):
    record = find_record(load_corpus(str(minimal)), name)
    assert record.key == key
    assert record.is_excluded is key.startswith("X")


@pytest.mark.parametrize(("name", "advice"), [
    ("cley", "clay"), ("2003.00002", "2003.00002"), ("https://fen.example/", "fen.example"), ("", "search"), ("zebra", "search"),
    ("capacitive", "search"),
])  # fmt: skip
def test_what_names_nothing_is_refused_with_advice(minimal, name, advice):
    with pytest.raises(UsageProblem, match=advice):
        find_record(load_corpus(str(minimal)), name)


def test_a_name_of_several_records_is_refused_with_their_keys(minimal):
    sensors = minimal / "sensors.csv"
    sensors.write_text(
        sensors.read_text("utf-8").replace("2019,,,none", "2019,,https://fen.example/paper,none"),
        "utf-8",
    )
    study = load_corpus(str(minimal))
    assert [record.key for record in records_named(study, "https://fen.example/paper")] == [
        "fen",
        "till",
    ]
    with pytest.raises(UsageProblem, match="fen, till"):
        find_record(study, "https://fen.example/paper")
