"""Of plausible mistakes, made by kind with a fixed seed, the checks find at least nine in ten."""

from __future__ import annotations

import pytest

from tests.support.mistakes import END, PAGE, START, Corpus, table, tried

#: Kinds that the checks cannot know of: nothing stored says otherwise.
OFTEN_MISSED = {
    "exclusion: screened before the search",
    "exclusion: another stage",
    "venue: that of another entry",
    "text: copied from another row",
}


@pytest.fixture(scope="module")
def numbers():
    return tried(Corpus())


def test_the_corpus_of_today_has_no_finding():
    assert Corpus().findings([]) == []


def test_nine_of_ten_mistakes_are_found(numbers):
    made = sum(of for of, _ in numbers.values())
    found = sum(hit for _, hit in numbers.values())
    assert made >= 200
    assert found >= 0.9 * made


def test_no_kind_is_missed_in_silence(numbers):
    missed = {name for name, (made, found) in numbers.items() if found < made}
    assert missed <= OFTEN_MISSED


def test_the_page_has_the_numbers_of_today(numbers):
    """`python -m tests.support.mistakes` writes them."""
    page = PAGE.read_text("utf-8")
    assert page.partition(START)[2].partition(END)[0].strip() == table(numbers)
