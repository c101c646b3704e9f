"""The numbers in the sentence of a claim that has moved: replaced where there is no doubt, or not at all."""

from __future__ import annotations

import pytest

from corpus.analysis.claims.claim import Claim, Expectation
from corpus.analysis.claims.evaluate import ClaimOutcome
from corpus.curation.release.statements import BY_HAND, REWRITTEN, UNCHANGED, restated


def moved(sentence, kind, value, number, keys=(), counts=None):
    claim = Claim("x", "", sentence, "", (), (), Expectation(kind, value), tracked=True)
    outcome = ClaimOutcome(claim, False, number, tuple(keys), counts or {})
    return restated(outcome, ["none"])


def counted(sentence, old=5, new=6):
    return moved(sentence, "count", old, new)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("5 sensors are known.", "6 sensors are known."),
        ("Of 5 sensors, 5 are wet (5).", "Of 6 sensors, 6 are wet (6)."),
        ("Five sensors are known.", "Six sensors are known."),
        ("There are five: FIVE.", "There are six: Six."),
        (
            "5 sensors of GPT-5, O5, v5 and 2.5 since 2026-05-05.",
            "6 sensors of GPT-5, O5, v5 and 2.5 since 2026-05-05.",
        ),
        ("5 sensors, or 5% of all, or 5 % of them.", "6 sensors, or 5% of all, or 5 % of them."),
        (
            "5 sensors in one field.",
            "6 sensors in one field.",
        ),  # words beside digits are left alone
        ("Known are 5.", "Known are 6."),
        ("5, no more.", "6, no more."),
    ],
)
def test_a_number_follows_its_claim(before, after):
    assert counted(before) == (after, REWRITTEN)


@pytest.mark.parametrize(
    "sentence",
    [
        "Sensors are known.",
        "5 of 7 sensors are known.",  # nobody knows what the 7 counts
        "5% of all.",
        "1,5 sensors.",
    ],
)
def test_a_sentence_in_doubt_is_left_to_a_person(sentence):
    assert counted(sentence) == (sentence, BY_HAND)


@pytest.mark.parametrize(("old", "new"), [(1, 2), (2, 1)])
def test_one_and_several_take_other_words(old, new):
    assert counted(f"{old} sensors train.", old, new).how == BY_HAND


def test_words_are_known_up_to_twenty():
    assert counted("Nineteen sensors.", 19, 20) == ("Twenty sensors.", REWRITTEN)
    assert counted("Twenty sensors.", 20, 21).how == BY_HAND
    assert counted("20 sensors.", 20, 21).text == "21 sensors."


def test_a_sentence_with_its_new_number_is_right_already():
    assert counted("6 sensors are known.") == ("6 sensors are known.", UNCHANGED)
    assert counted("6 of 9 sensors are known.") == ("6 of 9 sensors are known.", UNCHANGED)
    assert counted("6 of 5 sensors are known.").how == BY_HAND


DEPTHS = {("surface",): 3, ("deep",): 2, ("none",): 1}


def by_depth(sentence, old=None, new=None):
    old, new = old or DEPTHS, new or {**DEPTHS, ("surface",): 4}
    return moved(sentence, "counts", old, sum(new.values()), counts=new)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("3 at the surface, 2 deep.", "4 at the surface, 2 deep."),
        ("Of 6, 2 are deep.", "Of 7, 2 are deep."),
        ("5 have a depth.", "6 have a depth."),  # all but 'not applicable'
    ],
)
def test_counts_their_sum_and_the_sum_of_what_applies_are_known(before, after):
    assert by_depth(before) == (after, REWRITTEN)


def test_a_number_that_becomes_two_is_in_doubt():
    old = {("surface",): 3, ("deep",): 3}
    assert by_depth("3 and 3.", old, {("surface",): 4, ("deep",): 3}).how == BY_HAND
    assert by_depth("3 and 3.", old, {("surface",): 4, ("deep",): 4}).text == "4 and 4."


@pytest.mark.parametrize(
    ("new", "how"),
    [
        ({("surface",): 3, ("deep",): 4, ("none",): 1}, BY_HAND),  # deep is more often now
        ({("surface",): 2, ("deep",): 2, ("none",): 1}, BY_HAND),  # as often
        ({("surface",): 4, ("deep",): 3, ("none",): 2}, REWRITTEN),
        ({("surface",): 3, ("deep",): 2}, UNCHANGED),  # the sentence does not have the third
    ],
)
def test_a_sentence_may_tell_which_count_is_larger(new, how):
    assert by_depth("3 at the surface, 2 deep.", new=new).how == how


def test_two_columns_have_a_number_of_filled_cells():
    old = {("a", "x"): 2, ("b", "x"): 7, ("b", "y"): 0, ("c", "y"): 5}
    new = {**old, ("b", "y"): 1}
    assert by_depth("3 cells are filled.", old, new) == ("4 cells are filled.", REWRITTEN)


def test_keys_are_counted_and_a_sentence_that_names_one_is_for_a_person():
    keys = {"kind": "keys", "value": ("ada", "bob"), "number": 3, "keys": ("ada", "bob", "cy")}
    assert moved("2 sensors.", **keys) == ("3 sensors.", REWRITTEN)
    assert moved("2 sensors, ada among them.", **keys).how == BY_HAND
    some = {
        "kind": "includes",
        "value": ("ada", "bob", "cy"),
        "number": 9,
        "keys": ("ada", "bob", "dot"),
    }
    assert moved("At least 3.", **some) == ("At least 2.", REWRITTEN)


def test_a_ratio_that_is_no_whole_number_is_for_a_person():
    assert moved("2.5 times as many.", "ratio", 2.5, 3.5).how == BY_HAND
    assert moved("3 times as many.", "ratio", 3.0, 4.0) == ("4 times as many.", REWRITTEN)
