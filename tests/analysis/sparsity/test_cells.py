"""Which cells of the declared vocabulary are filled, thin, empty, impossible, not applicable."""

import pytest

from corpus.analysis.sparsity.cells import (
    EMPTY,
    FILLED,
    IMPOSSIBLE,
    NOT_APPLICABLE,
    THIN,
    sparse_table,
)
from corpus.model.contingency import Contingency
from corpus.tables.fast.tally import tally_table
from tests.corpora.full import full, full_of, sensor

AXES = ("depth", "senses")


def counted(corpus):
    return Contingency(corpus.codebook, AXES, tally_table(corpus.pool, corpus.codebook, AXES))


def test_an_axis_shows_every_declared_term_with_its_status():
    table = sparse_table(counted(full()), ("depth",), 1)
    status = {cell.terms[0]: cell.status for cell in table.cells.values()}
    assert status == {
        "surface": FILLED,
        "shallow": THIN,
        "deep": THIN,
        "rock": EMPTY,
        "none": NOT_APPLICABLE,
    }


def test_a_pair_separates_gaps_impossible_cells_and_absent_terms():
    table = sparse_table(counted(full()), AXES, 1)
    assert len(table.cells) == 5 * 4
    assert table.cells["rock", "water"].status == IMPOSSIBLE
    assert table.cells["rock", "water"].reason == "rock holds no water"
    assert table.cells["none", "water"].status == NOT_APPLICABLE
    assert table.cells["surface", "water"] == (
        ("surface", "water"),
        2,
        FILLED,
        "",
        pytest.approx(2 * 3 / 5),
    )
    assert table.cells["surface", "heat"].status == THIN
    assert table.number(EMPTY) == 20 - 4 - 1 - 4  # all, less thin or filled, impossible, absent


def test_expected_entries_are_those_of_independent_axes():
    """Row total times column total over the total of tags, among the cells that apply."""
    rows = [
        sensor("ada", depth="surface", senses="water"),
        sensor("bob", depth="surface", senses="salt"),
        sensor("cy", depth="deep", senses="salt"),
        sensor("dot", depth="none", senses="salt"),
    ]
    table = sparse_table(counted(full_of(*rows)), AXES, 1)
    expected = {cell.terms: cell.expected for cell in table.cells.values() if cell.expected}
    assert expected == {
        ("surface", "water"): pytest.approx(2 * 1 / 3),
        ("surface", "salt"): pytest.approx(2 * 2 / 3),
        ("deep", "water"): pytest.approx(1 * 1 / 3),
        ("deep", "salt"): pytest.approx(1 * 2 / 3),
    }
    assert table.axes == AXES


@pytest.mark.parametrize(("threshold", "status"), [(1, FILLED), (2, THIN), (3, THIN)])
def test_as_many_entries_as_the_threshold_are_thin(threshold, status):
    table = sparse_table(counted(full()), ("depth",), threshold)
    assert table.cells["surface",].status == status


def test_without_entries_every_cell_is_empty_and_nothing_is_expected():
    table = sparse_table(counted(full_of()), AXES, 1)
    assert {cell.status for cell in table.cells.values()} == {EMPTY, IMPOSSIBLE, NOT_APPLICABLE}
    assert {cell.expected for cell in table.cells.values()} == {0.0}
