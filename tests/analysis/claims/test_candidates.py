"""The rows that an edit may make: one of every kind that a claim tells apart, and no duplicate."""

from corpus.analysis.claims.edits import TRIED, UNNAMED, Edit, kinds, numbered
from tests.corpora.full import full
from tests.support.selecting import select

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
