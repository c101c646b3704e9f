"""Keys that are proposed, running numbers, and how `--set` finds its column."""

import pytest

from corpus.curation.edit.proposal import assign, find_column, propose_key
from corpus.curation.lookup.candidate import Candidate
from corpus.model.finding import UsageProblem
from corpus.model.identifiers import is_key
from tests.corpora.full import full


@pytest.mark.parametrize(
    ("title", "authors", "taken", "key"),
    [
        ("PeatNet: Reading Soil", ("Ward, Ann",), [], "peatnet"),
        ("PeatNet: Reading Soil", ("Ward, Ann",), ["a2020", "b2021"], "peatnet2026"),
        ("PeatNet: Reading Soil", ("Ward, Ann",), ["PeatNet", "x", "y"], "peatnet-b"),
        ("Peat-2: Reading Soil", (), ["a2020"], "peat-2-2026"),
        ("A Long Name That Is None: Soil", ("Ó Súilleabháin, Ann",), [], "o-suilleabhain-long"),
        ("A Long Name That Is None: Soil", ("Łoś-Ørsted, Ann",), [], "los-orsted-long"),
        ("The Weight of Peat", (), [], "weight"),
        (
            "WetNet: Peat",
            ("Ward, Ann",),
            ["fen-2020-moss", "moor-2021-bog", "untitled"],
            "ward-2026-wetnet",
        ),
        ("李明", ("李, 明",), [], "entry"),
        ("!!!", (), [], "entry"),
    ],
)
def test_a_key_is_free_and_looks_like_the_others(title, authors, taken, key):
    found = propose_key(Candidate("", title=title, authors=authors, year="2026"), taken)
    assert found == key
    assert is_key(found)


def test_letters_run_out_at_last():
    taken = ["peatnet", *(f"peatnet-{letter}" for letter in "bcdefghijklmnopqrstuvwxyz")]
    assert propose_key(Candidate("", title="PeatNet: Soil"), taken) not in taken


def test_a_column_is_looked_for_in_order_and_may_name_its_table():
    book = full().codebook
    assert find_column("name", ["sensors", "dated"], book) == ("sensors", "name")
    assert find_column("seen", ["sensors", "dated"], book) == ("dated", "seen")
    assert find_column("dated.sensor", ["sensors", "dated"], book) == ("dated", "sensor")
    for wrong in ("judged.how", "dated.name", "", "."):
        with pytest.raises(UsageProblem):
            find_column(wrong, ["sensors", "dated"], book)


def test_a_value_may_have_an_equals_sign_and_a_key_goes_everywhere():
    cells = {"sensors": {}, "dated": {}}
    assign(cells, ["name=a = b", "sensor=fay"], full().codebook)
    assert cells == {"sensors": {"name": "a = b", "sensor": "fay"}, "dated": {"sensor": "fay"}}


def test_a_given_value_is_composed_and_otherwise_kept():
    cells = {"sensors": {}}
    assign(cells, ["name= Cafe\u0301 in m² "], full().codebook)
    assert cells["sensors"]["name"] == "Café in m²"
