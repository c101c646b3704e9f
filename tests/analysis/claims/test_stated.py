"""The numbers of a sentence beside what its claim expects."""

from dataclasses import replace

import pytest

from corpus.analysis.claims.claim import Claim, Expectation, Selection
from corpus.analysis.claims.evaluate import evaluate, load_claims
from corpus.analysis.claims.stated import compare_statement
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import full
from tests.support.selecting import select

STAGES = {("title",): 16, ("text",): 9, ("artifact",): 6, ("NA",): 3}
GRID = {("a", "x"): 4, ("a", "y"): 2, ("b", "x"): 3}


def compared(sentence, kind, value, selection=None, **more):
    parts = (selection or Selection("pool"),)
    return compare_statement(
        Claim("c", "", sentence, "", (), parts, Expectation(kind, value, **more))
    )


@pytest.mark.parametrize(
    ("sentence", "kind", "value"),
    [
        ("The pool retains 84 entries.", "count", 84),
        ("Eighty-four entries are retained.", "count", 84),
        ("1,500 rows were read.", "count", 1500),
        ("The readers agree on 31 of 32.", "count", 31),
        ("59 entries appeared in the 18 months from December 2024 on.", "count", 59),
        ("R1, the shared reward, has 10 entries.", "count", 10),
        ("Only two entries reach the message.", "keys", ("a", "b")),
        ("Both are methods.", "keys", ("a", "b")),
        ("K2 is the only one of its kind.", "keys", ("k2",)),
        ("No entry stops at the team.", "empty", 0),
        ("None of the 3 systems discloses it.", "empty", 0),
        ("For O5, when to stop, no entry has a signal.", "empty", 0),
        ("Every number that is stated has a value.", "empty", 0),
        ("Three engage with it; a fourth changes the medium.", "keys", ("a", "b", "c", "d")),
        ("The ceiling grew threefold.", "ratio", 3),
        ("It grew by a factor of 2.67.", "ratio", 2.67),
        ("16 fell by title, 9 by text and 6 at the artifact.", "counts", STAGES),
        ("31 have a stage, 3 have none; 34 in all.", "counts", STAGES),
        ("Three cells are filled: 4, 2 and 3.", "counts", GRID),
        ("Six are a, seven are x.", "counts", GRID),
        ("At least half fell by title.", "counts", {("a",): 5, ("b",): 5}),
        ("Every entry is judged.", "counts", {("a",): 5, ("b",): 5}),
    ],
)
def test_a_sentence_with_the_expected_numbers_agrees(sentence, kind, value):
    found = compared(sentence, kind, value)
    assert found.wrong == ()
    assert found.agreeing


@pytest.mark.parametrize(
    ("sentence", "kind", "value", "wrong"),
    [
        ("The pool retains 99 entries.", "count", 84, "99"),
        ("Ninety-nine entries are retained.", "count", 84, "Ninety-nine"),
        ("No entry is retained.", "count", 84, "No"),
        ("Three entries reach the message.", "keys", ("a", "b"), "Three"),
        ("Both reach the message.", "keys", ("a", "b", "c"), "Both"),
        ("K2 is the only system that does.", "keys", ("k2", "k3"), "the only"),
        ("Two entries stop at the team.", "empty", 0, "Two"),
        ("For O5, when to stop, no entry has a signal.", "keys", ("a",), "no"),
        ("It grew fourfold.", "ratio", 3, "fourfold"),
        ("It grew by 2.76.", "ratio", 2.67, "2.76"),
        ("At most 8 entries.", "at_most", 7, "8"),
        ("17 fell by title, 9 by text.", "counts", STAGES, "17"),
        ("16 fell by title, 9 by text and 9 at the artifact.", "counts", STAGES, "9"),
        ("More than half are a.", "counts", {("a",): 5, ("b",): 5}, "More than half"),
        ("All are a.", "counts", {("a",): 5, ("b",): 1}, "All"),
        # What the sentence says and the claim does not check.
        ("Only two entries reach it.", "includes", ("a", "b"), "Only"),
        ("At most two entries reach it.", "at_least", 2, "At most"),
        ("At least two entries reach it.", "at_most", 2, "At least"),
    ],
)
def test_another_number_or_a_limit_that_is_not_checked_is_wrong(sentence, kind, value, wrong):
    assert compared(sentence, kind, value).wrong == (wrong,)


@pytest.mark.parametrize(
    ("sentence", "kind", "value"),
    [
        ("Pool and list have the same works.", "same_keys_as", "list"),
        ("Credit thins out from agent to role.", "descending", ("agent", "role")),
        ("Kimi K2.5: trained, a swarm.", "count", 1),
        ("GPT-4 and the list of 2024-05-01 are named.", "includes", ("a",)),
    ],
)
def test_a_sentence_without_a_number_is_said_not_to_be_compared(sentence, kind, value):
    assert not compared(sentence, kind, value).is_comparable


def test_a_tracked_sentence_may_have_the_number_of_the_release_or_that_of_today():
    corpus = full()  # five sensors
    for sentence, wrong in (("4 are known.", ()), ("5 are known.", ()), ("6 are known.", ("6",))):
        claim = Claim(
            "c", "", sentence, "", (), (select("sensors"),), Expectation("count", 4), tracked=True
        )
        assert evaluate(claim, corpus).stated.wrong == wrong
        guard = replace(claim, tracked=False)
        assert evaluate(guard, corpus).stated.wrong == (() if "4" in sentence else (sentence[0],))


def test_no_sentence_of_the_shipped_release_contradicts_its_claim():
    study = load_corpus(str(REAL))
    book = load_claims(study)
    found = {claim.id: compare_statement(claim).wrong for claim in book.claims}
    assert {name for name, wrong in found.items() if wrong} == set()
