"""Keys that are proposed, running numbers, and how `--set` finds its column."""

import pytest

from corpus.curation.edit.proposal import assign, find_column, propose, propose_key
from corpus.model.finding import UsageProblem
from corpus.model.identifiers import is_key
from corpus.model.work import Work
from tests.corpora.full import codebook_data, declared, full


@pytest.mark.parametrize(
    ("title", "authors", "taken", "key"),
    [
        ("PeatNet: Reading Soil", ("Ward, Ann",), [], "peatnet"),
        ("PeatNet: Reading Soil", ("Ward, Ann",), ["a2020", "b2021"], "peatnet2026"),
        ("PeatNet: Reading Soil", ("Ward, Ann",), ["PeatNet", "x", "y"], "peatnet-2"),
        ("Peat-2: Reading Soil", (), ["a2020"], "peat-2-2026"),
        (
            "A Long Name That Is None: Soil",
            ("Ó Súilleabháin, Ann",),
            [],
            "o-suilleabhain-long-name",
        ),
        ("A Long Name That Is None: Soil", ("Łoś-Ørsted, Ann",), [], "los-orsted-long-name"),
        ("The Weight of Peat", (), [], "weight-peat"),
        (
            "WetNet: Peat",
            ("Ward, Ann",),
            ["fen-2020-moss", "moor-2021-bog", "untitled"],
            "ward-2026-wetnet",
        ),
        ("Wet Peat", ("Ward, Ann",), ["fen-2020-moss", "ward-2026-wet"], "ward-2026-wet-peat"),
        ("Wet Peat", ("Ward, Ann",), ["fen-2020-old-moss"], "ward-2026-wet-peat"),
        ("李明", ("李, 明",), [], "entry"),
        ("!!!", (), [], "entry"),
    ],
)
def test_a_key_is_free_and_looks_like_the_others(title, authors, taken, key):
    found = propose_key(Work("", title=title, authors=authors, year="2026"), taken)
    assert found == key
    assert is_key(found)


def test_a_column_is_looked_for_in_order_and_may_name_its_table():
    book = full().codebook
    assert find_column("name", ["sensors", "dated"], book) == ("sensors", "name")
    assert find_column("seen", ["sensors", "dated"], book) == ("dated", "seen")
    assert find_column("dated.sensor", ["sensors", "dated"], book) == ("dated", "sensor")
    for wrong in ("judged.how", "dated.name", "", "."):
        with pytest.raises(UsageProblem):
            find_column(wrong, ["sensors", "dated"], book)


@pytest.mark.parametrize(
    ("title", "year", "key"),
    [
        ("A: b", "2026", "a2026"),
        ("One two three: b", "2026", "one-two-three2026"),
        ("One two three four: b", "2026", "ward-one-two2026"),
        ("x" * 70 + ": b", "2026", "x" * 60 + "2026"),
        ("Peat 3: b", "2026", "peat-3-2026"),
        ("Peat: b", "", "peat"),
    ],
)
def test_a_key_has_the_name_before_a_colon_and_the_year_where_that_is_usual(title, year, key):
    candidate = Work("", title=title, authors=("Ward, Ann",), year=year)
    assert propose_key(candidate, ["fen2020", "moor2021", "bog"]) == key
    assert propose_key(candidate, ["fen2020", "moor"]).endswith(year) is (not year)


@pytest.mark.parametrize("text", ["name", "", "=x", "unknown=x", "name=\ud800"])
def test_what_cannot_be_set_is_refused(text):
    with pytest.raises(UsageProblem):
        assign({"sensors": {}}, [text], full().codebook)


def test_the_address_of_a_work_fills_one_column_alone():
    data = codebook_data()
    columns = data["tables"]["sensors"]["columns"]
    columns += [declared(name, "url", required=False) for name in ("paper", "code")]
    work = Work("", title="Wet Peat", url="https://a.example/1")
    cells = propose(work, full(tables=data["tables"]))["sensors"]
    assert [name for name, cell in cells.items() if cell == work.url] == ["url"]
