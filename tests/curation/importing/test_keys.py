"""Keys that are proposed for new works: free, and in the style of the others."""

import pytest

from corpus.curation.importing.keys import are_dated, proposed_key
from corpus.model.identifiers import is_key
from corpus.model.work import Work

LONG = "A Long Name That Is None: Soil"


@pytest.mark.parametrize(
    ("title", "authors", "year", "taken", "key"),
    [
        ("PeatNet: Reading Soil", "Ward, Ann", "2026", [], "peatnet"),
        ("PeatNet: Reading Soil", "Ward, Ann", "2026", ["a2020", "b2021"], "peatnet2026"),
        ("PeatNet: Reading Soil", "Ward, Ann", "2026", ["PeatNet", "x", "y"], "peatnet-2"),
        ("Peat-2: Reading Soil", "", "2026", ["a2020"], "peat-2-2026"),
        ("One two three: b", "", "2026", ["a2020", "b2021", "c"], "one-two-three2026"),
        ("x" * 70 + ": b", "Ward, Ann", "2026", ["a2020"], "x" * 60 + "2026"),
        ("Peat: b", "", "", ["a2020"], "peat"),
        (LONG, "Ó Súilleabháin, Ann", "2026", [], "o-suilleabhain-long-name"),
        (LONG, "Łoś-Ørsted, Ann", "2026", ["a2020"], "los-orsted-long-name2026"),
        ("The Weight of Peat", "", "", [], "weight-peat"),
        ("李明", "李, 明", "2026", [], "entry"),
        ("!!!", "", "", [], "entry"),
    ],
)
def test_without_a_style_a_key_is_the_name_before_a_colon_or_author_and_words(
    title, authors, year, taken, key
):
    work = Work("", title=title, authors=tuple(filter(None, [authors])), year=year)
    found = proposed_key(work, taken, False)
    assert found == key
    assert is_key(found)


WORKS = [
    Work("", title="A Fen in a Bog", authors=("Ward, Ann", "Moor, Bo"), year="2024"),
    Work("", title="Peat of the North", authors=("Łoś-Ørsted, Cy",), year="2025"),
    Work("", title="Till and Clay", year="2023"),
]


def test_keys_go_on_as_an_import_has_made_them():
    keys = ["ward-2024-fen", "los-orsted-2025-peat", "x"]
    assert are_dated(zip(keys, WORKS, strict=True))
    assert not are_dated(zip(["ward2024fen", "peat", "till"], WORKS, strict=True))
    work = Work("", title="Wet Moss Grows", authors=("Fen, Di",), year="2026")
    assert proposed_key(work, keys, True) == "fen-2026-wet"
    assert proposed_key(work, ["FEN-2026-wet"], True) == "fen-2026-wet-moss"
    assert proposed_key(work, ["fen-2026-wet", "fen-2026-wet-moss"], True) == "fen-2026-wet-2"
