"""A text that an earlier row has is found in columns of own words, and nowhere else."""

import pytest

from corpus.curation.check import copied
from corpus.curation.check.copied import copied_findings
from corpus.tables.sheet import sheet_of
from tests.corpora.full import codebook_data, full_of, sensor

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
        for one in copied_findings(sheet_of(table))
    ]


def test_a_copied_text_is_a_warning_at_the_later_row():
    assert found(COPIED, "", "Rain.", COPIED) == [("C317", 5, "notes", COPIED, "warning")]


@pytest.mark.parametrize("role", ["coverage", "screening", "accepted", "accepted_claims"])
def test_tables_that_are_decided_by_rule_may_repeat_a_reason(role):
    table = full_of(sensor("a", notes=COPIED), sensor("b", notes=COPIED)).tables["sensors"]
    spec = table.spec._replace(role=role)
    assert copied_findings(sheet_of(table._replace(spec=spec))) == []


def test_a_large_table_in_which_no_text_is_repeated_is_not_searched(monkeypatch):
    """Otherwise one copied cell is found in it as well."""
    monkeypatch.setattr(copied, "MOST_ROWS", 1)
    assert found("Rain.", "Snow.") == []
    assert [place[:3] for place in found(COPIED, "Rain.", COPIED)] == [("C317", 4, "notes")]
