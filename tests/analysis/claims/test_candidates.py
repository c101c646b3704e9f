"""The rows that an edit may make: one of every kind that a claim tells apart, and no duplicate."""

import pytest

from corpus.analysis.claims.candidates import TRIED, has_free_key, kinds, new_rows, numbered
from corpus.analysis.claims.claim import Selection
from corpus.analysis.claims.edits import UNNAMED, Edit
from tests.corpora.full import full

STUDY = full()
SENSORS = STUDY.tables["sensors"]
USES = STUDY.tables["uses"]


def kinds_of(*parts, table=SENSORS, keyed=False):
    return list(kinds(parts, table, STUDY, keyed))


def test_a_column_takes_the_named_values_and_one_that_stands_for_all_others():
    assert kinds_of(Selection("sensors", {"depth": ("deep", "rock")})) == [
        {"depth": "deep"}, {"depth": "rock"}, {"depth": "surface"},
    ]  # fmt: skip
    assert kinds_of(Selection("sensors", {"name": ("Ada",)})) == [
        {"name": "Ada"},
        {"name": UNNAMED},
    ]


def test_a_cell_of_several_terms_takes_every_combination():
    assert [cells["senses"] for cells in kinds_of(Selection("sensors", {"senses": ("gas", "salt")}))] == [
        "gas", "salt", "water", "gas; salt", "gas; water", "salt; water", "gas; salt; water",
    ]  # fmt: skip


def test_columns_of_all_selections_vary_together():
    parts = (Selection("sensors", {"depth": ("deep",)}), Selection("sensors", {}, {"year": ("2020",)}))  # fmt: skip
    assert kinds_of(*parts) == [
        {"depth": "deep", "year": "2020"}, {"depth": "deep", "year": UNNAMED},
        {"depth": "surface", "year": "2020"}, {"depth": "surface", "year": UNNAMED},
    ]  # fmt: skip


def test_both_bounds_of_a_range_are_values():
    part = Selection("dated", between={"seen": ("2020", "2021")})
    found = kinds_of(part, table=STUDY.tables["dated"])
    assert found == [{"seen": "2020"}, {"seen": "2021"}, {"seen": UNNAMED}]


def test_a_cell_that_is_compared_takes_every_term():
    part = Selection("second", agrees_on=("depth",))
    found = kinds_of(part, table=STUDY.tables["second"])
    assert [cells["depth"] for cells in found] == ["surface", "shallow", "deep", "rock", "none"]


@pytest.mark.parametrize(("keyed", "columns"), [(False, {"proof"}), (True, {"use", "proof"})])
def test_key_cells_vary_only_where_that_is_asked_for(keyed, columns):
    part = Selection("uses", {"use": ("dam",), "proof": ("lab",)})
    assert {name for cells in kinds_of(part, table=USES, keyed=keyed) for name in cells} == columns


def test_without_a_test_there_is_one_kind():
    assert kinds_of(Selection("sensors")) == [{}]


def test_so_many_kinds_are_tried_at_most():
    part = Selection("sensors", {
        name: tuple(f"v{number}" for number in range(60)) for name in ("name", "year", "venue")
    })  # fmt: skip
    assert len(kinds_of(part)) == TRIED


def test_a_new_row_has_a_key_that_the_table_does_not_have():
    part = Selection("uses", {"use": ("dam",), "sensor": ("dot",)})
    rows = [row[:3] for row in new_rows([part], USES, STUDY)]
    assert rows == [("dam", UNNAMED, ""), ("farm", "dot", ""), ("farm", UNNAMED, "")]


def test_a_key_that_no_claim_names_is_another_one_and_the_rest_is_empty():
    (row,) = new_rows([Selection("uses")], USES, STUDY)
    assert row == ("farm", UNNAMED, "", "")


@pytest.mark.parametrize(
    ("table", "part", "free"),
    [
        ("sensors", Selection("sensors", {"depth": ("deep",)}), True),
        ("sensors", Selection("sensors", {"sensor": ("ada",)}), False),
        ("uses", Selection("uses", {"use": ("dam",)}), True),
        ("uses", Selection("uses", {"sensor": ("ada",)}), False),
    ],
)
def test_rows_can_be_added_without_end_where_a_key_cell_is_free(table, part, free):
    assert has_free_key(STUDY.tables[table], [part]) is free


def test_added_rows_get_keys_of_their_own():
    row = ("farm", UNNAMED, "lab", "")
    assert numbered(Edit("uses", None, row), 7, USES).after == ("farm", "new-7", "lab", "")
    named = Edit("uses", None, ("farm", "ada", "lab", ""))
    assert numbered(named, 7, USES) == named
