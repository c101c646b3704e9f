"""Rows in memory: found by key, kept with their lines, and never changed in place."""

import pytest

from corpus.model.finding import UsageProblem
from corpus.model.table import picked, row_picker
from tests.corpora.full import ROWS, full

USES = full().tables["uses"]


@pytest.mark.parametrize("positions", [[], [1], [2, 0], [0, 0, 1]])
def test_cells_are_picked_as_a_row_whatever_their_number(positions):
    row = ("fen", "2026", "wet")
    assert row_picker(positions)(row) == picked(row, positions) == tuple(row[n] for n in positions)


def test_a_column_is_its_cells_and_an_unknown_one_is_refused():
    assert USES.column("sensor") == ["dot", "ada", "bob"]
    with pytest.raises(UsageProblem, match="did you mean 'proof'"):
        USES.column("prof")


def test_rows_are_found_by_all_of_their_key_cells():
    assert USES.keys() == [("dam", "dot"), ("farm", "ada"), ("farm", "bob")]
    assert USES.by_key()["farm", "bob"] == ("farm", "bob", "lab", "")
    assert USES.key_of(("x", "y", "z", "")) == ("x", "y")
    assert next(iter(USES.records())) == {"use": "dam", "sensor": "dot", "proof": "lab", "limit": "one dam only"}  # fmt: skip


def test_of_a_duplicate_key_the_last_row_is_found():
    twice = USES.with_rows([("farm", "ada", "lab", ""), ("farm", "ada", "field", "")])
    assert twice.by_key() == {("farm", "ada"): ("farm", "ada", "field", "")}


def test_rows_have_names_and_lines():
    assert list(USES.names()) == ["dam/dot", "farm/ada", "farm/bob"]
    assert [(name, row[2]) for name, row in USES.named_rows()] == [
        ("dam/dot", "lab"), ("farm/ada", "field"), ("farm/bob", "lab"),
    ]  # fmt: skip
    assert [line for _, line in USES.located_rows()] == [2, 3, 4]


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


def test_a_row_is_built_and_read_by_the_roles_of_its_columns():
    spec = full().pool.spec
    row = spec.row({"title": "Wet fens", "key": "fen"})
    assert spec.by_role_cells(row)["title"] == "Wet fens"
    assert "" not in spec.by_role_cells(row)
    changed = spec.row({"title": "Dry fens"}, row)
    assert [cell for cell in row if cell != "Wet fens"] == [
        cell for cell in changed if cell != "Dry fens"
    ]


def test_a_row_knows_its_table_and_its_line():
    study = full()
    first, *_ = study.pool.placed()
    assert (first.key, first.line) == (study.pool.rows[0][0], study.pool.lines[0])
    assert first.title == first.by_role["title"]
    assert not first.is_excluded
