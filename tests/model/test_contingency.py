"""Counts and shares over the declared vocabulary."""

import tomllib

import pytest

from corpus.model.contingency import Contingency
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.filters import parse_filters
from corpus.model.finding import UsageProblem
from tests.corpora.minimal import CODEBOOK

BOOK = parse_codebook(tomllib.loads(CODEBOOK))
CELLS = {("optical", "moisture"): 1, ("dielectric", "moisture; salt"): 2, ("none", "heat"): 1}
TABLE = Contingency(BOOK, ("probe", "measures"), CELLS)


def test_margins_count_every_declared_term_with_its_share():
    margin = TABLE.margin("probe")
    assert [(row.term, row.entries, row.share) for row in margin.rows] == [
        ("dielectric", 2, 0.5), ("optical", 1, 0.25), ("acoustic", 0, 0.0), ("none", 1, 0.25),
    ]  # fmt: skip
    assert margin.of("dielectric") == 2
    with pytest.raises(KeyError, match="radar"):
        margin.of("radar")


def test_an_entry_with_several_terms_counts_under_each_once():
    assert [row.entries for row in TABLE.margin("measures").rows] == [3, 2, 1]
    doubled = Contingency(BOOK, ("measures",), {("salt; salt",): 3})
    assert [row.entries for row in doubled.margin("measures").rows] == [0, 3, 0]


def test_entries_without_a_term_are_counted():
    half = Contingency(BOOK, ("probe", "measures"), {("optical", ""): 3, ("", "heat"): 1})
    assert (
        half.margin("probe").empty,
        half.margin("measures").empty,
        half.margin("probe").entries,
    ) == (1, 3, 4)
    assert TABLE.margin("measures").empty == 0


@pytest.mark.parametrize("separator", ["", 'separator = "; ", '])
def test_an_axis_applies_to_entries_with_any_other_term_than_not_applicable(separator):
    """Whether a cell may hold several terms or not."""
    codebook = CODEBOOK.replace('role = "group", def', f'role = "group", {separator}def')
    cells = {
        ("optical",): 3,
        ("none",): 2,
        ("",): 1,
        **({("none; optical",): 4} if separator else {}),
    }
    margin = Contingency(parse_codebook(tomllib.loads(codebook)), ("probe",), cells).margin("probe")
    assert (margin.not_applicable, margin.empty, margin.applicable) == (2, 1, margin.entries - 2)
    assert TABLE.margin("measures").applicable == 4


def test_without_entries_every_share_is_nothing():
    assert {row.share for row in Contingency(BOOK, ("probe",), {}).margin("probe").rows} == {0.0}


def test_a_cross_tabulation_has_every_cell():
    table = TABLE.crosstab("probe", "measures")
    assert len(table.cells) == 4 * 3
    assert {cell: n for cell, n in table.cells.items() if n} == {
        ("dielectric", "moisture"): 2, ("dielectric", "salt"): 2, ("optical", "moisture"): 1, ("none", "heat"): 1,
    }  # fmt: skip
    assert (table.entries, TABLE.entries) == (4, 4)
    with pytest.raises(UsageProblem):
        TABLE.crosstab("probe", "remark")


def test_a_part_has_the_combinations_that_pass_every_filter():
    def part(*texts):
        return TABLE.where(parse_filters(texts, BOOK.pool, BOOK)).cells

    assert part("measures=moisture") == {
        ("optical", "moisture"): 1, ("dielectric", "moisture; salt"): 2,
    }  # fmt: skip
    assert part("measures=moisture", "probe!=optical") == {("dielectric", "moisture; salt"): 2}
    assert part("measures=salt", "probe=none") == {}
    assert part() == CELLS
    assert TABLE.where(parse_filters(["measures=salt"], BOOK.pool, BOOK)).entries == 2
