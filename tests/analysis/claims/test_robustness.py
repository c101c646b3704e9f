"""The margin of a claim is the true minimum: held against every possible sequence of edits on small corpora."""

import random
import tomllib
from dataclasses import replace
from itertools import product

import pytest

from corpus.analysis.claims.claim import DECLARED_KINDS, Claim, Expectation, Selection
from corpus.analysis.claims.edits import apply_edits, describe
from corpus.analysis.claims.evaluate import all_outcomes, evaluate
from corpus.analysis.claims.robustness import breaking_edits, margin
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import CODEBOOK, full
from tests.support.daily import part
from tests.support.selecting import select

BOOK = parse_codebook(tomllib.loads("""
format = 1
[tables.bogs]
file = "bogs.csv"
role = "pool"
key = ["bog"]
columns = [
  { name = "bog", type = "key", role = "key", definition = "Bog." },
  { name = "kind", type = "term", axis = true, definition = "Kind." },
  { name = "moss", type = "term", axis = true, separator = "; ", definition = "Moss." },
]
[vocabularies.kind]
terms = [ { id = "high", definition = "." }, { id = "low", definition = "." }, { id = "fen", definition = "." } ]
[vocabularies.moss]
terms = [ { id = "red", definition = "." }, { id = "green", definition = "." } ]
"""))  # fmt: skip
KINDS = ("high", "low", "fen")
PROFILES = tuple(product(KINDS, ("red", "green", "red; green")))
DEPTH = 3


def bogs(profiles):
    rows = [(f"b{number}", *profile) for number, profile in enumerate(profiles)]
    return Study(BOOK, {"bogs": Table(BOOK.pool, "bogs.csv", rows, [0] * len(rows))}, ".")


def neighbours(profiles):
    """Every multiset of rows that one edit makes of another."""
    for number, old in enumerate(profiles):
        rest = profiles[:number] + profiles[number + 1 :]
        yield rest
        yield from (tuple(sorted((*rest, new))) for new in PROFILES if new != old)
    yield from (tuple(sorted((*profiles, new))) for new in PROFILES)


def fewest_edits(claim, profiles):
    """The least number of edits that break a claim, by trying them all; None where more than DEPTH are needed."""
    reached = seen = {tuple(sorted(profiles))}
    for edits in range(1, DEPTH + 1):
        reached = {after for before in reached for after in neighbours(before)} - seen
        if any(not evaluate(claim, bogs(after)).holds for after in reached):
            return edits
        seen = seen | reached
    return None


def claim_of(parts, kind, value, **more):
    return Claim("c", "", "", "", (), tuple(parts), Expectation(kind, value, **more))


def some_selection(chance):
    tests = {}
    for name in ("where", "without"):
        if chance.random() < 0.6:
            column, terms = chance.choice([("kind", KINDS), ("moss", ("red", "green"))])
            tests[name] = {column: tuple(chance.sample(terms, chance.randint(1, len(terms) - 1)))}
    return select("bogs", **tests, book=BOOK)


def some_claim(chance, corpus):
    """A claim of any kind that holds for the corpus, with some slack."""
    # Keys do not survive the multiset of profiles, so no claim is about them.
    kind = chance.choice(
        ["count", "at_least", "at_most", "empty", "descending", "distinct", "counts"]
    )
    number, more = 1, {}
    if kind in ("count", "at_least", "at_most"):
        number += chance.random() < 0.4
    if kind == "descending":
        number, more = chance.randint(2, 3), {"or_equal": chance.random() < 0.5}
    if kind in ("distinct", "counts"):
        more = {"by": (chance.choice(["kind", "moss"]),)}
    parts = [replace(some_selection(chance), label=str(place)) for place in range(number)]
    seen = evaluate(claim_of(parts, kind, {"counts": {}}.get(kind, 0), **more), corpus)
    value = {
        "count": seen.number, "at_least": max(0, seen.number - chance.randint(0, 2)),
        "at_most": seen.number + chance.randint(0, 3), "distinct": seen.number,
        "counts": dict(seen.counts), "empty": 0,
    }.get(kind, True)  # fmt: skip
    claim = claim_of(parts, kind, value, **more)
    return claim if evaluate(claim, corpus).holds else None


@pytest.mark.parametrize("seed", part(range(300), 5))
def test_no_shorter_sequence_of_edits_breaks_a_claim(seed):
    chance = random.Random(seed)
    profiles = [chance.choice(PROFILES) for _ in range(chance.randint(0, 4))]
    corpus = bogs(profiles)
    claim = None
    while claim is None:
        claim = some_claim(chance, corpus)
    found = breaking_edits(evaluate(claim, corpus), corpus)
    least = fewest_edits(claim, profiles)
    if least is None:
        assert found is None or len(found) > DEPTH
    else:
        assert len(found) == least
    if found:
        assert not evaluate(claim, apply_edits(corpus, found)).holds


def margin_of(parts, kind, value, corpus, **more):
    return margin(evaluate(claim_of(parts, kind, value, **more), corpus), corpus)


def witness(parts, kind, value, corpus, **more):
    """What is said of the edits that break a claim, which they do."""
    claim = claim_of(parts, kind, value, **more)
    found = breaking_edits(evaluate(claim, corpus), corpus)
    assert not evaluate(claim, apply_edits(corpus, found)).holds
    return describe(found, corpus.tables)


def test_retagging_closes_a_gap_twice_as_fast_as_removing():
    corpus = bogs([("high", "red")] * 6)
    parts = [select("bogs", {"kind": (kind,)}, book=BOOK) for kind in ("high", "low")]
    found = witness(parts, "descending", (), corpus)
    assert found == "change rows b0, b1, b2 of bogs (kind = low)"
    assert margin_of(parts, "descending", (), corpus, or_equal=True) == 4


def test_a_failing_claim_has_no_margin_and_a_fixed_one_cannot_break():
    corpus = bogs([("high", "red")])
    assert margin_of([Selection("bogs")], "count", 2, corpus) == 0
    assert margin_of([Selection("bogs")], "columns", 3, corpus) is None
    assert margin_of([Selection("bogs")], "at_least", 0, corpus) is None


def test_unique_rows_can_be_added_once():
    corpus = full()
    named = [select("sensors", {"sensor": (key,)}) for key in ("ada", "fay", "gus")]
    assert witness(named, "at_most", 2, corpus) == "add 2 rows to sensors"
    assert margin_of(named, "at_most", 3, corpus) is None


def test_counts_by_term_are_broken_where_no_row_is():
    corpus = bogs([])
    found = witness([Selection("bogs")], "counts", {}, corpus, by=("kind",))
    assert found == "add 1 row to bogs (kind = high)"


def test_a_ratio_of_many_rows_is_broken_by_one_great_value():
    """Where no row alone carries enough to go."""
    reach = [select("ranges", {"range": (key,)}) for key in ("dot-reach", "ada-reach")]
    assert (
        witness(reach, "ratio", 13.33, full(), value_of="value")
        == "remove row dot-reach from ranges"
    )
    rows = [(f"{unit}{n}", "ada", "x", "1", unit, "") for n in range(9) for unit in "mw"]
    units = [select("ranges", {"unit": (unit,)}) for unit in "mw"]
    found = witness(units, "ratio", 1, full({"ranges": rows}), value_of="value")
    assert found == "add 1 row to ranges (value = 10, unit = m)"


VISITS = parse_codebook(tomllib.loads("""
format = 1
[tables.bogs]
file = "bogs.csv"
role = "pool"
key = ["bog"]
columns = [{ name = "bog", type = "key", role = "key", definition = "Bog." }]
[tables.visits]
file = "visits.csv"
key = ["day", "bog"]
columns = [
  { name = "day", type = "text", definition = "Day." },
  { name = "bog", type = "ref", references = "bogs", role = "key", definition = "Bog." },
]
[tables.samples]
file = "samples.csv"
key = ["bog", "nr"]
columns = [
  { name = "bog", type = "ref", references = "bogs", role = "key", definition = "Bog." },
  { name = "nr", type = "integer", definition = "Number." },
]
"""))  # fmt: skip


def visits(*pairs):
    """A corpus in which bogs were visited on some days, with two samples of each; each pair is a bog and the days."""
    rows = [(day, bog) for bog, days in pairs for day in days]
    samples = [(bog, nr) for bog, _ in pairs for nr in "12"]
    tables = {}
    for name, own in (
        ("bogs", [(bog,) for bog, _ in pairs]),
        ("visits", rows),
        ("samples", samples),
    ):
        tables[name] = Table(VISITS.tables[name], name, own, [0] * len(own))
    return Study(VISITS, tables, ".")


def test_a_key_goes_with_all_of_its_rows():
    corpus = visits(("fen", "abcd"), ("moor", "abc"), ("peat", "ab"))
    every = [Selection("visits")]
    named = [
        select("visits", {"bog": bogs}, book=VISITS)
        for bogs in (("fen", "moor", "peat"), ("moor",))
    ]
    for parts, kind, value, edits in (
        (every, "includes", ("fen", "moor"), "remove rows a/moor, b/moor, c/moor from visits"),
        (every, "includes", ("fen",), "remove rows a/fen, b/fen, c/fen and 1 more from visits"),
        (named, "keys", ("fen", "moor", "peat"), "remove rows a/peat, b/peat from visits"),
        (named[1:], "keys", ("moor",), "remove rows a/moor, b/moor, c/moor from visits"),
        (every, "same_keys_as", "bogs", "remove row fen from bogs"),
        (every, "same_keys_as", "samples", "add 1 row to visits"),
    ):
        assert witness(parts, kind, value, corpus) == edits
    assert witness(every, "keys", ("fen", "moor", "peat"), corpus).startswith("add 1 row to visits")
    assert margin_of(every, "includes", (), corpus) is None


@pytest.mark.parametrize(("how", "kind", "value", "edits"), [
    ("agrees_on", "at_least", 2, 2), ("agrees_on", "at_least", 1, 3), ("agrees_on", "at_most", 3, 1), ("agrees_on", "at_most", 4, 2),
    ("agrees_on", "count", 3, 1), ("differs_on", "at_least", 1, 2), ("differs_on", "at_most", 4, 3), ("agrees_on", "at_most", 5, None),
])  # fmt: skip
def test_a_threshold_of_rows_that_are_compared_with_the_pool_takes_an_edit_a_row(
    how, kind, value, edits
):
    book = tomllib.loads(CODEBOOK)["tables"]
    book["judged"]["columns"][1]["name"] = "depth"
    readings = [("ada", "surface", "well"), ("bob", "surface", "well"), ("cy", "shallow", "well"), ("dot", "rock", "well"),
                ("eve", "rock", "well")]  # fmt: skip
    corpus = full({"judged": readings}, tables=book, sparsity={})
    part = select("judged", **{how: ("depth",)})
    assert margin_of([part], kind, value, corpus) == edits
    if edits:
        witness([part], kind, value, corpus)


def test_every_shipped_margin_has_a_witness_that_breaks_the_claim():
    corpus = load_corpus(str(REAL))
    for outcome in all_outcomes(corpus):
        found = breaking_edits(outcome, corpus)
        if found:
            assert not evaluate(outcome.claim, apply_edits(corpus, found)).holds, outcome.claim.id
        else:
            assert outcome.claim.expectation.kind in DECLARED_KINDS
