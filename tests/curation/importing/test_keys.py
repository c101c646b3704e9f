"""Keys that are proposed for new works: free, with a year where others have one."""

import pytest

from corpus.curation.importing.keys import proposed_key
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
def test_a_key_is_the_name_before_a_colon_or_author_and_words(title, authors, year, taken, key):
    work = Work("", title=title, authors=tuple(filter(None, [authors])), year=year)
    found = proposed_key(work, taken)
    assert found == key
    assert is_key(found)
