"""What a search found: a table for each kind, with the words that were taken for others."""

from corpus.analysis.counting.search import (
    CLAIM,
    ENTRY,
    EVIDENCE,
    EXCLUDED,
    TERM,
    Hit,
    search_grids,
)
from tests.corpora.full import full
from tests.corpora.minimal import CODEBOOK

STUDY = full()
CLAY = Hit(ENTRY, "sensors", "clay", "A probe", 98.76, ("name", "probe"))
TILL = Hit(ENTRY, "sensors", "till", "Heat", 50.0, ("name",), (("heet", "heat"), ("ti", "till")))
MUD = Hit(EXCLUDED, "rejected", "X1", "Mud", 33.34, ("label",))
DEEP = Hit(TERM, "depth", "deep", "deep: To 10 m.", 20.0, ("term",))
SIZE = Hit(CLAIM, "claims", "size", "Five sensors.", 10.0, ("statement",))
USED = Hit(EVIDENCE, "uses", "farm/ada", "one farm", 10.0, ("limit",))


def test_each_kind_is_a_table_in_a_fixed_order():
    grids = search_grids([USED, SIZE, DEEP, MUD, CLAY], STUDY)
    assert [(grid.title, grid.rows) for grid in grids] == [
        ("Entries", (("clay", "A probe", "name, probe"),)),
        ("Excluded records", (("X1", "Mud", "no"),)),
        ("Terms of the codebook", (("depth", "deep", "deep: To 10 m."),)),
        ("Claims", (("size", "Five sensors."),)),
        ("Evidence", (("uses", "farm/ada", "one farm"),)),
    ]
    assert search_grids([], STUDY) == []


def test_entries_are_called_as_the_corpus_calls_them():
    assert 'entries = "sensors"' in CODEBOOK
    study = full(corpus={"id": "soil", "title": "Soil", "entries": "sensors"})
    assert search_grids([CLAY], study)[0].title == "Sensors"


def test_a_word_that_was_taken_for_another_is_shown_beside_its_hit():
    (grid,) = search_grids([CLAY, TILL], STUDY)
    assert grid.header == ("key", "title", "found in", "approximate")
    assert [row[-1] for row in grid.rows] == ["", "heet ≈ heat, ti ≈ till"]
