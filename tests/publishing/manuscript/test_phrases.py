import re

import pytest

from corpus.analysis.numbers.published import published_numbers
from corpus.printing.numerals import NUMBER, parse_number
from corpus.publishing.manuscript.phrases import any_of, axis_words, plain_words
from tests.corpora.full import full


def numbers_in(text):
    return [parse_number(found) for found in re.findall(NUMBER, text, re.IGNORECASE)]


def test_spelled_numbers():
    words = ("zero", "Nineteen", "ninety-nine", "twenty", "12,345")
    assert [parse_number(word) for word in words] == [0, 19, 99, 20, 12345]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("nineteen, not nine; sixty six and Sixty-Six", [19, 9, 66, 66]),
        ("someone tended tenfold", []),  # no word for a number, but one inside a word
        ("1,500 of 12,345,678", [1500, 12345678]),
        ("v84 4.84 x_3 T-1000", [4]),
        ("9" * 18, [10**18 - 1]),
        ("9" * 19 + " and " + "9" * 5000, []),
        ("1" + ",000" * 5, [10**15]),
    ],
)
def test_a_number_has_at_most_eighteen_digits_and_is_a_word_of_its_own(text, found):
    assert numbers_in(text) == found


def test_the_words_of_an_axis_are_those_of_its_identifiers_and_labels():
    study = full()
    depth, senses, step = axis_words(study.codebook, published_numbers(study))
    assert (depth.name, depth.words) == ("depth", ("depth", "depths"))
    assert {word: number.value for word, number in depth.terms.items()} == {
        "surface": 2, "shallow": 1, "deep": 1, "rock": 0, "none": 1,
    }  # fmt: skip
    assert senses.terms["heat"].name == "SensesHeat"
    assert {word: number.name for word, number in step.terms.items()} == {
        "title": "ExcludedStageTitle",
        "text": "ExcludedStageText",
    }


def test_words_are_compared_without_case_and_joining_characters():
    assert plain_words("  RL__method-\nOne ") == "rl method one"


def test_a_pattern_takes_the_longest_word_however_it_is_joined():
    pattern = re.compile(any_of(["role", "role reward", "a+b", ""]))
    assert pattern.findall("role_reward, role  reward, role, a+b, aab") == [
        "role_reward",
        "role  reward",
        "role",
        "a+b",
    ]
    assert pattern.fullmatch("") is None
