"""Columns of a new pool: over which of them counts run."""

import pytest

from corpus.curation.importing.kinds import Kind
from corpus.curation.importing.outcome import PoolColumn
from corpus.curation.importing.plan import ColumnPlan


@pytest.mark.parametrize(
    ("kind", "is_axis"), [("term", True), ("tags", True), ("text", False), ("year", False)]
)
def test_counts_run_over_columns_with_a_vocabulary(kind, is_axis):
    plan = ColumnPlan("x", "x", "", Kind(kind, (), ""))
    assert PoolColumn("x", "text", "X", "", "", False, plan).axis is is_axis
    assert not PoolColumn("x", "text", "X", "", "", False).axis
