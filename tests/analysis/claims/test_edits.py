"""Edits of single rows: how they are made and how they are said."""

import pytest

from corpus.analysis.claims.edits import Edit, apply_edits, changed_row, describe
from tests.corpora.full import full, sensor

CORPUS = full()
ADA, BOB, CY, DOT, EVE = CORPUS.pool.rows
EMPTY = sensor("fay", name="", depth="", senses="")


def deeper(row):
    return Edit("sensors", row, changed_row(CORPUS.pool, row, {"depth": "rock"}))


def test_edits_add_remove_and_change_rows_of_their_table_alone():
    new = sensor("fay", name="Fay", depth="deep", senses="gas")
    found = apply_edits(
        CORPUS,
        [
            Edit("sensors", None, new),
            Edit("sensors", BOB, None),
            deeper(CY),
            Edit("uses", CORPUS.tables["uses"].rows[0], None),
        ],
    )
    assert found.pool.rows == [ADA, changed_row(CORPUS.pool, CY, {"depth": "rock"}), DOT, EVE, new]
    assert len(found.pool.lines) == 5
    assert len(found.tables["uses"].rows) == 2
    assert (found.tables["uses"].lines, found.tables["uses"].text) == ([0, 0], "")
    assert found.tables["dated"] is CORPUS.tables["dated"]
    assert CORPUS.pool.rows == [ADA, BOB, CY, DOT, EVE]


@pytest.mark.parametrize(("edits", "said"), [
    ([Edit("sensors", BOB, None)], "remove row bob from sensors"),
    ([Edit("sensors", None, sensor(key, name="Fay", depth="deep", senses="")) for key in ("fay", "gus")],
     "add 2 rows to sensors (name: Fay, depth: deep)"),
    ([Edit("sensors", None, EMPTY)], "add 1 row to sensors"),
    ([deeper(ADA), deeper(BOB)], "change rows ada, bob of sensors (depth: surface -> rock)"),
    ([deeper(ADA), deeper(CY)], "change rows ada, cy of sensors (depth: -> rock)"),
    ([deeper(row) for row in (ADA, BOB, CY, DOT)], "change 4 rows of sensors (depth: -> rock)"),
    ([deeper(ADA), Edit("sensors", EVE, None)],
     "change row ada of sensors (depth: surface -> rock); remove row eve from sensors"),
    ([Edit("sensors", CY, changed_row(CORPUS.pool, CY, {"senses": ""}))], "change row cy of sensors (senses: salt -> empty)"),
    ([Edit("sensors", sensor("gus", senses=""), sensor("gus", senses="gas"))], "change row gus of sensors (senses: empty -> gas)"),
    ([Edit("uses", CORPUS.tables["uses"].rows[0], None)], "remove row dam/dot from uses"),
    ([], ""),
])  # fmt: skip
def test_edits_are_described_in_a_line(edits, said):
    assert describe(edits, CORPUS.tables) == said


def test_an_edit_is_of_one_kind():
    edits = (Edit("sensors", None, ADA), Edit("sensors", ADA, None), deeper(ADA))
    assert [edit.kind for edit in edits] == ["add", "remove", "change"]
