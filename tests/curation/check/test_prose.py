"""An absolute word in a summary needs a claim that tests it."""

import pytest

from tests.support.mistakes import Corpus, Edit


@pytest.fixture(scope="module")
def today():
    return Corpus()


def found(corpus, *edits):
    """Return column and word of the findings about absolute words after edits."""
    findings = corpus.findings([Edit(*edit) for edit in edits])
    return [(one.column, one.value) for one in findings if one.code == "C430"]


NOBODY = "Multiplied they allow up to 2,000 turns, a number that nobody reports"
THE_ONE = "The one vendor with disclosed training."


@pytest.mark.parametrize(("table", "key", "column", "cell"), [
    ("scale", "wideseek-r1-2026-run", "boundary", NOBODY),
    ("scale", "wideseek-r1-2026-run", "boundary", "NONE was found"),
    ("surveys", "survey-mas", "note", "It covers all of them"),
    ("directions", "credit-tokens", "gap", "No model does, only this one."),
])  # fmt: skip
def test_a_word_without_a_claim_is_found_at_its_cell(today, table, key, column, cell):
    edits = [(table, key, column, cell)]
    if table == "directions":
        assert found(today, *edits) == []
        edits.append((table, key, "open_while", ""))
    assert found(today, *edits) == [(column, cell)]


def test_a_claim_of_the_row_tests_its_words(today):
    ground = ("direction_grounds", "open-industrial-training-3")
    assert found(today, (*ground, "note", THE_ONE)) == []
    assert found(today, (*ground, "note", THE_ONE), (*ground, "claim", "")) == [("note", THE_ONE)]


@pytest.mark.parametrize("cell", ["Nonetheless a firstborn", "It fell short of the target", ""])
def test_parts_of_words_are_no_words(today, cell):
    assert found(today, ("scale", "wideseek-r1-2026-run", "boundary", cell)) == []
