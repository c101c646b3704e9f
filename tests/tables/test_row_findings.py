"""Duplicate keys, rows out of order and long cells, whoever looks for them."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from corpus.model.codebook import Column, TableSpec
from corpus.tables.terms import duplicate_key_findings, long_cell_finding, row_order_findings

KEY = ("site", "year")
SPEC = TableSpec(
    "soil", "soil.csv", "Soil", "", "evidence", KEY,
    tuple(Column(name, "text", name, "", "", False, "", "", "", False) for name in KEY),
)  # fmt: skip


def line(position):
    """Every row has three lines, after the header."""
    return 3 * position + 2


keys = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("123")), max_size=8)


@given(keys)
def test_every_row_but_the_first_of_a_key_is_named_with_its_line(found):
    findings = duplicate_key_findings(found, SPEC, "soil.csv", line)
    assert len(findings) == sum(number - 1 for number in Counter(found).values())
    named = [(key, line(position)) for position, key in enumerate(found) if key in found[:position]]
    assert [(tuple(f.value.split(", ")), f.line) for f in findings] == named
    assert {f.code for f in findings} <= {"C301"}
    for finding in findings:
        first = found.index(tuple(finding.value.split(", ")))
        assert f"line {line(first)}" in finding.message


@given(keys)
def test_rows_are_out_of_order_exactly_where_sorting_moves_one(found):
    findings = row_order_findings(found, SPEC, "soil.csv", line)
    assert bool(findings) == (found != sorted(found))
    for finding in findings:
        position = (finding.line - 2) // 3
        assert found[:position] == sorted(found[:position])
        assert found[position] < found[position - 1]
        assert (finding.code, finding.column) == ("C308", "site")


def test_a_long_cell_is_named_with_its_start_alone():
    finding = long_cell_finding("soil.csv", 3, "year", "xxx", 100_001)
    assert (finding.code, finding.line, finding.column, finding.value) == ("C123", 3, "year", "xxx")
    assert "100,001" in finding.message
