"""A text that an earlier row has is found in columns of own words, and nowhere else."""

import pytest

from corpus.curation.check import row_rules
from corpus.curation.check.row_rules import LEAST_LETTERS
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
        for one in row_findings(sheet_of(table), full().codebook, row_rules)
    ]


def test_a_copied_text_is_a_warning_at_the_later_row():
    assert found(COPIED, "", "Rain.", COPIED) == [("C317", 5, "notes", COPIED, "warning")]


@pytest.mark.parametrize("role", ["coverage", "screening", "accepted", "accepted_claims"])
def test_tables_that_are_decided_by_rule_may_repeat_a_reason(role):
    table = full_of(sensor("a", notes=COPIED), sensor("b", notes=COPIED)).tables["sensors"]
    spec = table.spec._replace(role=role)
    assert row_findings(sheet_of(table._replace(spec=spec)), full().codebook, row_rules) == []


@pytest.mark.parametrize("less", [0, 1])
def test_a_short_text_may_be_true_of_two_works(less):
    cell = "a" * (LEAST_LETTERS - less)
    assert bool(found(cell, cell)) is not bool(less)
