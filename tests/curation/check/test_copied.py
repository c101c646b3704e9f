"""A text that an earlier row has is found in columns of own words, and nowhere else."""

import pytest

from corpus.curation.check import copied
from corpus.curation.check.copied import LEAST_LETTERS, LEAST_LETTERS_OF_CELL, shared_sentences
from corpus.tables.sheet import sheet_of
from tests.corpora.full import codebook_data, full, full_of, sensor
from tests.support.checked import row_findings

COPIED = "It reads water in the upper soil of two fields for most of a year."


def found(*notes, **declared):
    data = codebook_data()
    column = data["tables"]["sensors"]["columns"][5]
    assert column["name"] == "notes"
    column.update(declared)
    rows = [sensor(f"k{number}", notes=text) for number, text in enumerate(notes)]
    table = full_of(*rows, **data).tables["sensors"]
    return [
        (one.code, one.line, one.column, one.value, one.severity)
        for one in row_findings(sheet_of(table), full().codebook, copied)
    ]


def test_a_copied_text_is_a_warning_at_the_later_row():
    assert found(COPIED, "", "Rain.", COPIED) == [("C317", 5, "notes", COPIED, "warning")]


@pytest.mark.parametrize("role", ["coverage", "screening", "accepted", "accepted_claims"])
def test_tables_that_are_decided_by_rule_may_repeat_a_reason(role):
    table = full_of(sensor("a", notes=COPIED), sensor("b", notes=COPIED)).tables["sensors"]
    spec = table.spec._replace(role=role)
    assert row_findings(sheet_of(table._replace(spec=spec)), full().codebook, copied) == []


def test_a_large_table_in_which_no_text_is_repeated_is_not_searched(monkeypatch):
    """Otherwise one copied cell is found in it as well."""
    monkeypatch.setattr(copied, "MOST_ROWS", 1)
    assert found("Rain.", "Snow.") == []
    assert [place[:3] for place in found(COPIED, "Rain.", COPIED)] == [("C317", 4, "notes")]


def text(length, letter="a"):
    """Return a sentence of so many characters with spaces in it, without a stop."""
    return (letter * 7 + " ") * (length // 8) + letter * (length % 8)


SENTENCE = text(LEAST_LETTERS)


@pytest.mark.parametrize("less", [0, 1])
def test_a_short_cell_or_sentence_may_be_true_of_two_works(less):
    cell, sentence = text(LEAST_LETTERS_OF_CELL - less), text(LEAST_LETTERS - 1 - less)
    for cells in ([cell, cell], [f"Wet. {sentence}.", f"Dry. {sentence}."]):
        assert bool(list(shared_sentences(cells))) is not bool(less)


def test_in_large_tables_whole_cells_are_compared(monkeypatch):
    cells = [f"Wet. {SENTENCE}", f"Dry. {SENTENCE}", f"Dry. {SENTENCE}"]
    monkeypatch.setattr(copied, "MOST_ROWS", 3)
    assert [found[:2] for found in shared_sentences(cells)] == [(1, 0), (2, 1)]
    monkeypatch.setattr(copied, "MOST_ROWS", 2)
    assert [found[:2] for found in shared_sentences(cells)] == [(2, 1)]
