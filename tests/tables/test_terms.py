"""Terms are checked against the vocabulary; the hint names the term that was meant."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model.codebook import Codebook, Column, TableSpec, Term, Vocabulary
from corpus.model.table import Table
from corpus.tables.terms import (
    duplicate_key_findings,
    has_undeclared,
    row_order_findings,
    term_findings,
)

TERMS = (
    Term("clay", "Clay", "Cl.", "Fine."),
    Term("silt_loam", "Silt loam", "SiL", "Mixed."),
    Term("none", "None", "-", "Rock."),
)
VOCABULARY = Vocabulary("texture", "Texture", "", TERMS, (), "none")


def book(separator="", required=True):
    key = Column("probe", "key", "Probe", "", "", True, "", "", "", False)
    texture = Column("texture", "term", "Texture", "", "", required, "texture", separator, "", True)
    spec = TableSpec("soil", "soil.csv", "Soil", "", "pool", ("probe",), (key, texture))
    return Codebook({}, {"soil": spec}, {"texture": VOCABULARY}, (), (), (), {})


def findings(cells, codebook):
    rows = [(f"p{number}", cell) for number, cell in enumerate(cells)]
    table = Table(codebook.pool, "soil.csv", rows, [2 * n + 2 for n in range(len(rows))])
    found = term_findings(table, codebook)
    assert bool(found) == has_undeclared({"texture": cells}, codebook.pool, codebook)
    assert {f.column for f in found} <= {"texture"}
    return sorted((f.code, f.line) for f in found)


@pytest.mark.parametrize(
    ("separator", "cells", "expected"),
    [
        ("", ["clay", "silt_loam", "none"], []), ("", ["clay", "sand", "clay", "sand"], [("C202", 4), ("C202", 8)]),
        ("", ["clay", ""], [("C201", 4)]), ("", ["Clay"], [("C202", 2)]), ("", ["clay; none"], [("C202", 2)]),
        ("; ", ["clay; silt_loam"], []), ("; ", ["clay; clay"], [("C219", 2)]), ("; ", ["clay;silt_loam"], [("C202", 2)]),
        ("; ", ["clay; sand"], [("C202", 2)]), ("; ", ["clay; "], [("C202", 2)]),
    ],
)  # fmt: skip
def test_a_cell_has_declared_terms_only(separator, cells, expected):
    assert findings(cells, book(separator)) == expected


@pytest.mark.parametrize(("written", "told"), [
    ("Silt Loam", "'silt_loam'"), ("silt-loam", "'silt_loam'"), ("sil", "'silt_loam'"), ("silt_laom", "'silt_loam'"),
    ("“silt_loam”", "'silt_loam'"), ("xyz", "clay, silt_loam, none"),
])  # fmt: skip
def test_the_hint_names_the_term_that_was_meant_or_lists_all(written, told):
    codebook = book()
    (finding,) = term_findings(Table(codebook.pool, "soil.csv", [("p", written)], [2]), codebook)
    assert told in finding.hint


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
