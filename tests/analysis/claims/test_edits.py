"""Edits of single rows: how they are made and how they are said."""

import pytest

from corpus.analysis.claims.edits import Edit, changed_row, describe
from tests.corpora.full import full, sensor

CORPUS = full()
ADA, BOB, CY, DOT, EVE = CORPUS.pool.rows
EMPTY = sensor("fay", name="", depth="", senses="")


def deeper(row):
    return Edit("sensors", row, changed_row(CORPUS.pool, row, {"depth": "rock"}))


@pytest.mark.parametrize(("edits", "said"), [
    ([Edit("sensors", BOB, None)], "remove row bob from sensors"),
    ([Edit("sensors", None, sensor(key, name="Fay", depth="deep", senses="")) for key in ("fay", "gus")],
     "add 2 rows to sensors (name = Fay, depth = deep)"),
    ([Edit("sensors", None, EMPTY)], "add 1 row to sensors"),
    ([deeper(ADA), deeper(BOB)], "change rows ada, bob of sensors (depth = rock)"),
    ([deeper(ADA), deeper(CY)], "change rows ada, cy of sensors (depth = rock)"),
    ([deeper(row) for row in (ADA, BOB, CY, DOT)], "change rows ada, bob, cy and 1 more of sensors (depth = rock)"),
    ([deeper(ADA), Edit("sensors", EVE, None)],
     "change row ada of sensors (depth = rock); remove row eve from sensors"),
    ([Edit("sensors", CY, changed_row(CORPUS.pool, CY, {"senses": ""}))], "change row cy of sensors (senses = empty)"),
    ([Edit("sensors", sensor("gus", senses=""), sensor("gus", senses="gas"))], "change row gus of sensors (senses = gas)"),
    ([Edit("uses", CORPUS.tables["uses"].rows[0], None)], "remove row dam/dot from uses"),
    ([], ""),
])  # fmt: skip
def test_edits_are_described_in_a_line(edits, said):
    assert describe(edits, CORPUS.tables) == said
