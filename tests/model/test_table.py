"""Rows in memory: found by key, kept with their lines, and never changed in place."""

import pytest

from corpus.model.finding import UsageProblem
from tests.corpora.full import ROWS, full

USES = full().tables["uses"]


def test_a_column_is_its_cells_and_an_unknown_one_is_refused():
    assert USES.column("sensor") == ["dot", "ada", "bob"]
    with pytest.raises(UsageProblem, match="did you mean 'proof'"):
        USES.column("prof")


def test_rows_that_are_kept_keep_their_lines_and_other_rows_have_none():
    table = USES._replace(text="use,sensor\n")
    kept = table.kept([True, False, True])
    assert ([row[1] for row in kept.rows], kept.lines, kept.text) == (["dot", "bob"], [2, 4], "")
    other = table.with_rows([("dam", "ada", "lab", "")])
    assert (other.lines, other.text, len(table.rows)) == ([0], "", 3)
    with pytest.raises(ValueError, match="shorter"):
        table.kept([True])
    assert table.rows == full().tables["uses"].rows
    assert len(ROWS["uses"]) == 3


def test_a_row_knows_its_table_and_its_line():
    study = full()
    first, *_ = study.pool.placed()
    assert (first.key, first.line) == (study.pool.rows[0][0], study.pool.lines[0])
    assert first.title == first.by_role["title"]
    assert not first.is_excluded
    assert list(first.cells) == list(study.pool.spec.header)
    assert list(first.cells.values()) == list(study.pool.rows[0])
    for ask in (first.cell, first.terms):
        with pytest.raises(UsageProblem, match="did you mean 'depth'"):
            ask("dept")
