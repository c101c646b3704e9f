"""Edits of single rows: how they are made and how they are said."""

import pytest

from corpus.analysis.claims.edits import (
    TRIED,
    UNNAMED,
    Edit,
    changed_row,
    describe,
    kinds,
    numbered,
)
from tests.corpora.full import full, sensor
from tests.support.selecting import select

CORPUS = full()
ADA, BOB, CY, DOT, EVE = CORPUS.pool.rows
EMPTY = sensor("fay", name="", depth="", senses="")


def deeper(row):
    return Edit("sensors", row, changed_row(CORPUS.pool, row, {"depth": "rock"}))


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


STUDY = full()
SENSORS = STUDY.tables["sensors"]
USES = STUDY.tables["uses"]


def kinds_of(*parts, table=SENSORS, keyed=False):
    return list(kinds(parts, table, STUDY, keyed))


def test_a_cell_of_several_terms_takes_every_combination():
    assert [cells["senses"] for cells in kinds_of(select("sensors", {"senses": ("gas", "salt")}))] == [
        "gas", "salt", "water", "gas; salt", "gas; water", "salt; water", "gas; salt; water",
    ]  # fmt: skip


def test_a_cell_that_is_compared_takes_every_term():
    part = select("second", agrees_on=("depth",))
    found = kinds_of(part, table=STUDY.tables["second"])
    assert [cells["depth"] for cells in found] == ["surface", "shallow", "deep", "rock", "none"]


def test_so_many_kinds_are_tried_at_most():
    part = select("sensors", {
        name: tuple(f"v{number}" for number in range(60)) for name in ("name", "year", "venue")
    })  # fmt: skip
    assert len(kinds_of(part)) == TRIED


def test_added_rows_get_keys_of_their_own():
    row = ("farm", UNNAMED, "lab", "")
    assert numbered(Edit("uses", None, row), 7, USES).after == ("farm", "new-7", "lab", "")
    named = Edit("uses", None, ("farm", "ada", "lab", ""))
    assert numbered(named, 7, USES) == named
