"""What decisions about a candidate amount to, and that each reader changes only their own."""

import pytest

from corpus.curation.screening.decisions import (
    CandidateScreening,
    Decision,
    checked_reader,
    decide,
    decisions_of,
    read_screening,
)
from corpus.model.finding import UsageProblem
from corpus.model.work import Work
from corpus.tables.corpus_reader import load_corpus
from tests.support.searched import table_rows, write_searched

ROW = '{key},{title},"Ward, Ann",2025,Mires,{arxiv},{doi},{url},wet,2026-01-01,Wet.\n'


@pytest.fixture
def data(tmp_path):
    folder = write_searched(tmp_path, "format = 1\n")
    with (folder / "candidates.csv").open("a", encoding="utf-8") as table:
        table.write(ROW.format(key="a", title="Alder", arxiv="2501.00001", doi="10.1234/x", url=""))
        table.write(ROW.format(key="b", title="Bog", arxiv="", doi="10.1234/x", url=""))
        table.write(ROW.format(key="c", title="Carr", arxiv="", doi="", url="https://a.example/"))
        table.write(ROW.format(key="d", title="Dune", arxiv="", doi="", url=""))
    return folder


def screened(**given):
    """Candidates with the decisions of readers."""
    works = dict.fromkeys(given, Work())
    decisions = {
        (key, reader): Decision(key, reader, decision)
        for key, by_reader in given.items()
        for reader, decision in by_reader.items()
    }
    return CandidateScreening(works, decisions)


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        ({}, ""),
        ({"Ann": "include"}, "include"),
        ({"Ann": "maybe"}, "conflict"),
        ({"Ann": "exclude", "Bo": "exclude"}, "exclude"),
        ({"Ann": "exclude", "Bo": "include"}, "conflict"),
        ({"Ann": "include", "Bo": "maybe"}, "conflict"),
        ({"Ann": "exclude", "Bo": "include", "resolved": "include"}, "include"),
        ({"Ann": "exclude", "resolved": "maybe"}, "conflict"),
        ({"resolved": "exclude"}, "exclude"),
    ],
)
def test_what_decisions_amount_to(given, outcome):
    screening = screened(a=given, b={"Bo": "include"})
    assert screening.outcome("a") == outcome
    assert screening.with_outcome("conflict") == ["a"] * (outcome == "conflict")
    assert screening.readers == tuple(sorted({"Bo", *given} - {"resolved"}))


def test_a_candidate_is_named_by_its_surest_identifier(data):
    works = read_screening(load_corpus(str(data))).candidates
    assert [(work.identifier, work.address) for work in works.values()] == [
        ("arXiv:2501.00001", "https://arxiv.org/abs/2501.00001"),
        ("DOI:10.1234/x", "https://doi.org/10.1234/x"),
        ("https://a.example/", "https://a.example/"),
        ("", ""),
    ]
    assert works["a"][:5] == ("wet", "Alder", ("Ward, Ann",), "2025", "Mires")
    assert works["a"].abstract == "Wet."


ANN = Decision("a", "Ann", "exclude", "abstract", "X1", "dry, it is", "2026-01-02")
BO = Decision("a", "Bo", "include", date="2026-01-03")


def test_a_decision_replaces_the_reader_s_own_and_nothing_else(data):
    decide(str(data), [ANN, BO])
    decide(
        str(data), [ANN._replace(decision="maybe", candidate="b"), BO._replace(decision="maybe")]
    )
    table = load_corpus(str(data)).tables["screening"]
    kept = [ANN, BO._replace(decision="maybe"), ANN._replace(decision="maybe", candidate="b")]
    assert sorted(decisions_of(table)) == sorted(kept)


@pytest.mark.parametrize(("candidate", "reader", "left"), [("a", "Ann", "Bo"), ("a", "Bo", "Ann")])
def test_taking_back_removes_one_decision(data, candidate, reader, left):
    decide(str(data), [ANN, BO, ANN._replace(candidate="b")])
    decide(str(data), [Decision(candidate, reader, "")])
    rows = [(row["candidate"], row["reader"]) for row in table_rows(data, "screening")]
    assert rows == [("a", left), ("b", "Ann")]
    decide(str(data), [Decision("c", reader, "")])
    assert len(table_rows(data, "screening")) == 2


@pytest.mark.parametrize(
    "name", ["", " ", "x" * 81, "=x", "+x", "-x", "@x", "resolved", "a\u202eb"]
)
def test_not_a_name_of_a_reader(name):
    with pytest.raises(UsageProblem):
        checked_reader(name)
