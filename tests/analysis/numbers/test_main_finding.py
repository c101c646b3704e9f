"""The main finding is a sentence whose numbers and verdicts come from the data."""

import pytest

from corpus.analysis.numbers.main_finding import main_finding
from corpus.model.finding import CorpusError
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import shipped_data
from tests.corpora.full import full
from tests.corpora.making import with_claims

CLAIMS = """format = 1
[[claims]]
id = "no-rock"
statement = "No sensor is in rock."
where = { depth = "rock" }
empty = true
"""
PARTS = [
    {"text": "no sensor is in rock", "claim": "no-rock", "otherwise": "{DepthRock} are in rock"},
    {"text": "{DepthDeep} of {SensorsSize} is deep"},
]


def study(parts=PARTS, rows=None):
    return with_claims(full(rows, finding={"parts": parts}), CLAIMS)


def test_numbers_are_filled_in_and_the_parts_are_one_sentence():
    parts = [PARTS[0], {"text": "{DepthDeep} of {PoolSize} is deep"}]
    assert main_finding(study(parts)) == "No sensor is in rock; 1 of 5 is deep."


def test_a_part_whose_claim_no_longer_holds_is_worded_otherwise():
    rows = {"sensors": [("ada", "Ada", "rock", "heat")]}
    assert main_finding(study(PARTS[:1], rows)) == "1 are in rock."


def test_a_corpus_without_the_section_has_none():
    assert main_finding(full()) == ""


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ({"text": "{DepthDep} is deep"}, "text"),
        ({"text": "a", "claim": "no-rok", "otherwise": "b"}, "claim"),
        ({"text": "a", "claim": "no-rock"}, ""),
        ({"text": "a", "claims": "no-rock"}, "claims"),
        ({"claim": "no-rock", "otherwise": "b"}, "text"),
    ],
)
def test_each_mistake_is_a_finding_at_its_place(part, place):
    with pytest.raises(CorpusError) as caught:
        main_finding(study([part]))
    expected = ".".join(filter(None, ["finding.parts[1]", place]))
    assert [found.column for found in caught.value.findings] == [expected]


def test_the_shipped_finding_names_the_stopping_decision_and_the_message():
    found = main_finding(load_corpus(shipped_data()))
    assert "stop" in found
    assert "2 of 48" in found
