"""Claims are held against the tables as their words say."""

from dataclasses import replace

import pytest

from corpus.analysis.claims.claim import Claim, ClaimDifference, Expectation, Selection
from corpus.analysis.claims.evaluate import all_outcomes, claim_findings, evaluate, load_claims
from corpus.model.finding import CorpusError
from tests.corpora.full import full
from tests.corpora.making import with_claims
from tests.support.selecting import select

CORPUS = full()


def outcome(selections, kind, value, corpus=CORPUS, **more):
    parts = (selections,) if isinstance(selections, Selection) else tuple(selections)
    return evaluate(Claim("c", "", "", "", (), parts, Expectation(kind, value, **more)), corpus)


def sensors(**where):
    return select("sensors", {name: (values,) for name, values in where.items()})


def claiming(text):
    return with_claims(CORPUS, "format = 1\n" + text)


@pytest.mark.parametrize(
    ("selection", "keys"),
    [
        (sensors(depth="surface"), "ada bob"),
        (sensors(senses="water"), "ada bob eve"),  # any value of a cell with several
        (select("sensors", {}, {"senses": ("water",)}), "cy dot"),
        (select("sensors", {"depth": ("surface", "deep")}, {"senses": ("water",)}), "dot"),
        (select("dated", between={"seen": ("2020-11", "2021-01")}), "ada bob cy"),
        (
            select("dated", between={"seen": ("2020", "2020-12-01")}),
            "ada bob",
        ),  # not the year eve has
        (select("dated", between={"seen": ("2020", "2020-12")}), "ada bob eve"),
        (select("ranges", between={"value": ("3", "40")}), "ada-reach dot-reach"),
        (select("sensors", contains={"depth": "SURF"}), "ada bob"),
    ],
)
def test_selections(selection, keys):
    found = outcome(selection, "keys", tuple(keys.split()))
    if selection.table == "ranges":  # no column with the role of a key: the key cells name the row
        assert found.holds
    assert set(found.keys) == set(keys.split())


@pytest.mark.parametrize(
    ("kind", "value", "holds"),
    [
        ("count", 2, True), ("count", 1, False), ("at_least", 2, True), ("at_least", 3, False),
        ("at_most", 2, True), ("at_most", 1, False), ("empty", 0, False), ("keys", ("ada", "bob"), True),
        ("keys", ("ada",), False), ("includes", ("ada",), True), ("includes", ("cy",), False), ("includes", ("ada", "bob"), True),
    ],
)  # fmt: skip
def test_what_a_selection_must_yield(kind, value, holds):
    assert outcome(sensors(depth="surface"), kind, value).holds is holds


def test_counts_run_over_the_declared_vocabulary():
    found = outcome(select("sensors"), "counts", {("surface",): 2, ("shallow",): 1, ("deep",): 1, ("none",): 1},
                    by=("depth",))  # fmt: skip
    assert found.holds
    assert found.counts["rock",] == 0
    wrong = outcome(select("sensors"), "counts", {("surface",): 2}, by=("depth",))
    assert (wrong.holds, wrong.observed, wrong.expected) == (
        False, "shallow 1, deep 1, none 1", "shallow 0, deep 0, none 0",
    )  # fmt: skip


def test_sums_orderings_distinct_values_ratios_and_columns():
    parts = [sensors(depth="surface"), select("dropped")]
    assert outcome(parts, "count", 5).holds
    down = [select("sensors", label="kept"), select("dropped", label="left"), sensors(depth="deep")]
    assert outcome(down, "descending", ("kept", "left", "sensors")).holds
    assert not outcome(down[::-1], "descending", ()).holds
    tie = [sensors(depth="deep"), sensors(depth="shallow")]
    assert not outcome(tie, "descending", ()).holds
    assert outcome(tie, "descending", (), or_equal=True).holds
    assert outcome(select("sensors"), "distinct", 3, by=("senses",)).holds
    assert outcome(select("sensors"), "distinct", 1, by=("senses",), groups=True).holds
    reach = [select("ranges", {"range": (name,)}) for name in ("dot-reach", "ada-reach")]
    assert outcome(reach, "ratio", 13.33, value_of="value").holds
    assert outcome(reach, "ratio", 13, value_of="value").holds
    assert not outcome(reach, "ratio", 13.4, value_of="value").holds
    nothing = [reach[0], select("ranges", {"range": ("nowhere",)})]
    assert outcome(nothing, "ratio", 1, value_of="value").observed == "nan"
    assert not outcome(nothing, "ratio", 1, value_of="value").holds
    assert [outcome(reach, "ratio", value, value_of="value").observed for value in (13.4, 13, 13.333)] == [
        "13.3", "13", "13.333",
    ]  # fmt: skip
    assert outcome(select("sensors"), "columns", 11).holds


CLAIM = '[[claims]]\nid = "two"\nstatement = "Two lie at the surface."\nwhere = { depth = "surface" }\ncount = '


def test_findings_are_on_the_line_of_the_claim():
    assert claim_findings(CORPUS) == []  # a corpus without claims file
    assert claim_findings(claiming(CLAIM + "2")) == []
    (sentence,) = claim_findings(claiming(CLAIM.replace("Two", "Three") + "2"))
    assert (sentence.code, sentence.line, sentence.column) == ("C470", 3, "statement")
    (found,) = claim_findings(claiming(CLAIM.replace("Two", "Three") + "3"))
    assert (found.code, found.file, found.line, found.value) == ("C601", "claims.toml", 3, "two")
    assert "two: expected 3, observed 2" in found.message


@pytest.mark.parametrize(
    ("where", "expected", "is_found"),
    [
        ('{ sensor = "ada" }', "count = 1", True),  # the row that led to it: one name, counted
        ('{ sensor = ["ada", "bob"] }', 'includes = ["ada"]', True),
        ('{ sensor = ["ada", "bob"] }', 'keys = ["ada", "bob"]', True),
        ('{ sensor = "ada", depth = "surface" }', "count = 1", False),
        ('{ sensor = "ada" }', 'by = ["depth"]\ncounts = { surface = 1 }', False),
        ('{ depth = "surface" }', "count = 2", False),
    ],
)
def test_a_claim_that_its_own_filter_makes_true_is_found(where, expected, is_found):
    text = '[[claims]]\nid = "trained"\nstatement = "It is trained."\n'
    found = claim_findings(claiming(f"{text}where = {where}\n{expected}\n"))
    codes = [(one.code, one.value) for one in found if one.code != "C470"]
    assert codes == [("C607", "trained")] * is_found


def guard(kind, value, *accepted, **more):
    found = outcome(sensors(depth="surface"), kind, value, **more)
    return replace(found, claim=replace(found.claim, accepted=accepted))


def test_each_differing_key_is_accepted_on_its_own():
    both = guard("keys", ("zoe",))
    ada, bob, eve = (ClaimDifference("extra", key) for key in ("ada", "bob", "eve"))
    zoe = ClaimDifference("missing", "zoe")
    assert both.differences == (ada, bob, zoe)
    assert guard("keys", ("zoe",), ada, bob, zoe).verdict == "acknowledged"
    assert guard("keys", ("zoe",), ada, zoe).verdict != "acknowledged"
    # An accepted key that is none any more accepts nothing else.
    assert guard("keys", ("ada",), bob, eve).verdict == "acknowledged"
    assert guard("keys", ("ada", "bob"), eve).verdict != "acknowledged"
    assert guard("includes", ("zoe",)).differences == (zoe,)
    assert len(guard("empty", 0).differences) == 2


def test_a_tracked_claim_that_moved_is_not_a_finding():
    moved = claiming(CLAIM + "3\ntracked = true")
    assert claim_findings(moved) == []
    (found,) = all_outcomes(moved)
    assert found.verdict == "moved"
    (guard,) = all_outcomes(claiming(CLAIM + "3"))
    assert guard.verdict == "fails"


def test_mistakes_are_findings_for_check_and_an_error_for_those_who_need_the_claims():
    broken = claiming(CLAIM + '"many"')
    assert [f.code for f in claim_findings(broken)] == ["C602"]
    with pytest.raises(CorpusError):
        load_claims(broken)


def test_a_claim_over_a_table_that_could_not_be_read_is_left_out():
    text = '[[claims]]\nid = "x"\nstatement = "x"\ntable = "dropped"\ncount = 7\n'
    lost = claiming(text + '[[claims]]\nid = "y"\nstatement = "y"\ncount = 7\n')
    lost = lost.with_tables({name: t for name, t in lost.tables.items() if name == "sensors"})
    assert [(f.code, f.value) for f in claim_findings(lost)] == [("C601", "y")]


@pytest.mark.parametrize(
    ("kind", "value", "difference"),
    [
        ("keys", ("ada", "zoe"), "extra: bob; missing: zoe"), ("keys", ("ada", "bob"), ""), ("includes", ("zoe",), "missing: zoe"),
        ("empty", 0, "extra: ada, bob"), ("count", 3, ""),
    ],
)  # fmt: skip
def test_a_claim_that_differs_by_keys_names_them(kind, value, difference):
    assert outcome(sensors(depth="surface"), kind, value).difference_text == difference


def test_a_named_value_that_no_row_has_is_a_difference():
    """A column of text declares no values, so that the claim alone names the missing one."""
    found = outcome(
        select("ranges"), "counts", {("reach",): 2, ("life",): 1, ("mass",): 1}, by=("of",)
    )
    assert (found.holds, found.observed, found.expected) == (False, "mass 0", "mass 1")
    assert found.differences == (ClaimDifference("other", "mass 0"),)
    stale = replace(
        found, claim=replace(found.claim, accepted=(ClaimDifference("other", "life 3"),))
    )
    assert stale.verdict == "fails"


def test_each_cell_of_counts_is_a_difference_of_its_own():
    found = outcome(select("sensors"), "counts", {("surface",): 2, ("rock",): 3}, by=("depth",))
    assert [difference.key for difference in found.differences] == [
        "shallow 1", "deep 1", "rock 0", "none 1",
    ]  # fmt: skip
