import pytest

from corpus.analysis.bibliography import same_works
from corpus.analysis.bibliography.same_works import WorkIndex
from corpus.model.work import Work

BOG = Work(title="Credit assignment in raised bogs", arxiv="2601.00001")
FEN = Work(title="A survey of fens")


def view(title="", *links):
    return Work(title=title, links=links)


def test_a_shared_identifier_goes_before_any_title():
    index = WorkIndex({"bog": BOG, "fen": FEN}, 1)
    assert index.find(view("a survey of fens", "arXiv:2601.00001")) == ("bog", "arxiv:2601.00001")
    assert index.find(view("", "doi:10.1234/x")) is None


@pytest.mark.parametrize("title", ["a survey of fens", "a survey of fenns"])
def test_the_same_and_a_near_title_are_one_work(title):
    assert WorkIndex({"bog": BOG, "fen": FEN}, 1).find(view(title)) == ("fen", "title")


def test_near_titles_are_left_out_where_too_many_pairs_would_be_compared(monkeypatch):
    monkeypatch.setattr(same_works, "TRIED", 1)
    index = WorkIndex({"bog": BOG, "fen": FEN}, 1)
    assert index.find(view("a survey of fenns")) is None
    assert index.find(view("a survey of fens")) == ("fen", "title")
