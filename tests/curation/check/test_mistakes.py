"""Of plausible mistakes, made by kind with a fixed seed, the checks find at least nine in ten."""

from __future__ import annotations

import pytest

from tests.support.mistakes import END, KINDS, PAGE, START, UNFORESEEN, Corpus, table, tried

#: Kinds that the checks cannot know of: nothing stored says otherwise.
OFTEN_MISSED = {
    "exclusion: screened before the search",
    "exclusion: another stage",
    "venue: that of another entry",
    "text: copied from another row",
}


#: How many of the mistakes are found that were thought of without a look at the rules; most of the
#: others are about what is stored nowhere else.
OF_UNFORESEEN = 0.6


@pytest.fixture(scope="module")
def corpus():
    return Corpus()


@pytest.fixture(scope="module")
def numbers(corpus):
    return tried(corpus, KINDS)


@pytest.fixture(scope="module")
def unforeseen(corpus):
    return tried(corpus, UNFORESEEN)


def test_the_corpus_of_today_has_no_finding(corpus):
    """Otherwise every mistake would count as found."""
    assert list(corpus.findings([])) == []


def test_nine_of_ten_mistakes_are_found(numbers, unforeseen):
    made = sum(of for of, _ in numbers.values())
    found = sum(hit for _, hit in numbers.values())
    assert made >= 200
    assert found >= 0.9 * made
    made = sum(of for of, _ in unforeseen.values())
    assert made >= 100
    assert sum(hit for _, hit in unforeseen.values()) >= OF_UNFORESEEN * made


def test_no_kind_is_missed_in_silence(numbers):
    missed = {name for name, (made, found) in numbers.items() if found < made}
    assert missed <= OFTEN_MISSED


def test_the_page_has_the_numbers_of_today(numbers, unforeseen):
    """`python -m tests.support.mistakes` writes them."""
    page = PAGE.read_text("utf-8")
    assert page.partition(START)[2].partition(END)[0].strip() == table(numbers, unforeseen)
