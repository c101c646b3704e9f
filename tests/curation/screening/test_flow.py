"""The numbers of the flow: each candidate is counted once."""

import pytest

from corpus.curation.screening.decisions import Decision, decide, screening_flow
from corpus.model.finding import UsageProblem
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import write_full
from tests.support.searched import write_searched


@pytest.fixture
def data(tmp_path):
    folder = write_searched(tmp_path, "format = 1\n")
    with (folder / "candidates.csv").open("a", encoding="utf-8") as table:
        for key in "abcdef":
            table.write(f"{key},Bog {key},,,,,,,wet,2026-01-01,\n")
    return folder


def decision(candidate, reader, text):
    return Decision(candidate, reader, text, date="2026-01-05")


def test_every_candidate_is_counted_once(data):
    given = [
        ("a", "Ann", "exclude"),
        ("a", "Bo", "exclude"),
        ("b", "Ann", "maybe"),
        ("c", "Ann", "include"),
        ("d", "Ann", "include"),
        ("d", "resolved", "maybe"),  # still open
        ("e", "Ann", "include"),
        ("e", "resolved", "exclude"),
    ]
    decide(str(data), [decision(*each) for each in given])
    flow = screening_flow(load_corpus(str(data)))
    assert [*flow.values()][-7:] == [6, 1, 2, 1, 2, 3, 5]


def test_a_corpus_without_candidates_has_no_flow(tmp_path):
    with pytest.raises(UsageProblem):
        screening_flow(load_corpus(str(write_full(tmp_path))))
