"""Terms are checked against the vocabulary; the hint names the term that was meant."""

import pytest

from corpus.model.codebook import Codebook, Column, TableSpec, Term, Vocabulary
from corpus.model.table import Table
from corpus.tables.terms import has_undeclared, term_findings

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
    ("cells", "expected"),
    [
        (["clay", "silt_loam", "none"], []),
        (["clay", "sand", "clay", "sand"], [("C202", 4), ("C202", 8)]),
        (["clay", ""], [("C201", 4)]),
        (["Clay"], [("C202", 2)]),
        (["clay; none"], [("C202", 2)]),
    ],
)
def test_one_term_in_each_cell(cells, expected):
    assert findings(cells, book()) == expected


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("clay; silt_loam", None),
        ("clay; clay", "C219"),
        ("clay;silt_loam", "C202"),
        ("clay; sand", "C202"),
        ("clay; ", "C202"),
    ],
)
def test_several_terms_in_a_cell(cell, code):
    assert [one for one, _ in findings([cell], book("; "))] == ([code] if code else [])


@pytest.mark.parametrize("written", ["Silt Loam", "silt-loam", "sil", "silt_laom", "“silt_loam”"])
def test_the_hint_names_the_term_that_was_meant(written):
    codebook = book()
    (finding,) = term_findings(Table(codebook.pool, "soil.csv", [("p", written)], [2]), codebook)
    assert "'silt_loam'" in finding.hint


def test_the_hint_lists_the_terms_where_none_is_near():
    codebook = book()
    (finding,) = term_findings(Table(codebook.pool, "soil.csv", [("p", "xyz")], [2]), codebook)
    assert "clay, silt_loam, none" in finding.hint
