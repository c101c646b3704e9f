"""Sentences that several texts have: which are long enough, and which differ only in looks."""

import pytest

from corpus.curation.check import copied as module
from corpus.curation.check.copied import LEAST_LETTERS, LEAST_LETTERS_OF_CELL, shared_sentences


def text(length, letter="a"):
    """Return a sentence of so many characters with spaces in it, without a stop."""
    return (letter * 7 + " ") * (length // 8) + letter * (length % 8)


SENTENCE = text(LEAST_LETTERS)


@pytest.mark.parametrize(
    ("length", "is_found"), [(LEAST_LETTERS_OF_CELL, True), (LEAST_LETTERS_OF_CELL - 1, False)]
)
def test_a_short_cell_may_be_true_of_two_works(length, is_found):
    assert bool(list(shared_sentences([text(length)] * 2))) is is_found


@pytest.mark.parametrize(
    ("length", "is_found"), [(LEAST_LETTERS, True), (LEAST_LETTERS - 1, False)]
)
def test_a_short_sentence_may_be_true_of_two_works(length, is_found):
    cells = [f"Wet. {text(length - 1)}.", f"Dry. {text(length - 1)}."]
    assert bool(list(shared_sentences(cells))) is is_found


def test_in_large_tables_whole_cells_are_compared(monkeypatch):
    cells = [f"Wet. {SENTENCE}", f"Dry. {SENTENCE}", f"Dry. {SENTENCE}"]
    monkeypatch.setattr(module, "MOST_ROWS", 3)
    assert [found[:2] for found in shared_sentences(cells)] == [(1, 0), (2, 1)]
    monkeypatch.setattr(module, "MOST_ROWS", 2)
    assert [found[:2] for found in shared_sentences(cells)] == [(2, 1)]
