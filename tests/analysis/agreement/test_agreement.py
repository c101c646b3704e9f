"""Audit tables are compared with the pool and with each other, whatever their readers covered."""

from dataclasses import astuple, replace

from corpus.analysis.agreement.agreement import (
    AgreementReport,
    Disagreement,
    FieldAgreement,
    PairAgreement,
    agreement_grids,
    agreement_reports,
)
from corpus.analysis.agreement.coefficients import UNDEFINED, Coefficient
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import ROWS, codebook_data, declared, full, sensor


def report(*second, sensors=(), **sections):
    """The report about a second reading, by default that of the corpus."""
    rows = {"second": list(second or ROWS["second"])}
    if sensors:
        rows |= {"sensors": list(sensors), "uses": [], "judged": []}
    (found,) = agreement_reports(full(rows, **sections))
    return found


def field(report, name):
    return next(found for found in report.fields if found.field == name)


def test_fields_and_disagreements():
    found = report()
    assert (field(found, "senses").agreed, field(found, "senses").units) == (3, 3)
    assert (field(found, "depth").agreed, field(found, "depth").units) == (2, 3)
    assert (found.covered, found.uncovered) == (3, ("cy", "eve"))
    (odd,) = found.disagreements
    assert astuple(odd)[:5] == ("bob", "depth", "two", "surface", "shallow")


def test_more_readers_who_overlap_in_part():
    more = [("dot", "three", "deep", "salt"), ("eve", "three", "none", "water")]
    senses = field(report(*ROWS["second"], *more), "senses")
    assert senses.readers == ("pool", "three", "two")
    assert (senses.units, senses.agreed) == (4, 3)  # ada and bob by two, eve by three, dot by both
    assert [(pair.readers, pair.units, pair.agreed) for pair in senses.pairs] == [
        (("pool", "three"), 2, 1), (("pool", "two"), 3, 3), (("three", "two"), 1, 0),
    ]  # fmt: skip


def test_the_order_of_several_terms_is_no_disagreement():
    found = report(("ada", "two", "surface", "heat; water"), ("bob", "two", "surface", "water"))
    senses = field(found, "senses")
    assert (senses.agreed, senses.units) == (2, 2)
    assert found.disagreements == ()


def test_nothing_read_again_is_one_warning_and_a_share_of_nothing():
    (found,) = agreement_reports(full({"second": []}))
    assert [(f.units, f.readers, f.prevalent, len(f.warnings)) for f in found.fields] == [
        (0, (), ("", 0), 1)
    ] * 2
    assert (found.covered, len(found.uncovered)) == (0, 5)


def test_the_pool_is_the_first_reader_and_the_most_frequent_tag_prevails():
    found = report(
        ("bob", "abe", "shallow", "water"), ("dot", "zoe", "deep", "heat"), ("eve", "abe", "none", "salt"),
    )  # fmt: skip
    assert field(found, "senses").readers == ("pool", "abe", "zoe")
    assert field(found, "senses").prevalent == ("water", 0.5)


def test_a_disagreement_carries_the_readers_note():
    data = codebook_data()
    data["tables"]["second"]["columns"].append(declared("said", role="notes"))
    tags = ("two", "shallow", "water")
    found = report(("ada", *tags, "wet feet"), ("ghost", *tags, ""), ("bob", *tags, ""), **data)
    odds = [(odd.key, odd.pool, odd.note) for odd in found.disagreements if odd.field == "depth"]
    assert odds == [("ada", "surface", "wet feet"), ("bob", "surface", "")]


def test_a_skewed_field_warns_that_kappa_misleads():
    names = [f"m{n:02}" for n in range(20)]
    sensors = [sensor(name, depth="shallow" if name == "m00" else "surface") for name in names]
    second = [(name, "two", "shallow" if name == "m01" else "surface", "water") for name in names]
    found = report(*second, sensors=sensors)
    depth = field(found, "depth")
    assert depth.pairs[0].kappa.value < 0 < 0.85 < depth.ac1.value
    assert any("95%" in warning for warning in depth.warnings)
    assert any("not defined" in warning for warning in field(found, "senses").warnings)


def test_the_shipped_second_reading():
    corpus = load_corpus(str(REAL))
    (found,) = agreement_reports(corpus)
    assert {f.field: (f.agreed, f.units) for f in found.fields} == {
        "category": (32, 32), "is_rl": (32, 32), "reward_type": (32, 32), "credit_granularity": (31, 32),
        "orchestration_form": (32, 32), "strict_credit": (0, 0),
    }  # fmt: skip
    (odd,) = found.disagreements
    assert (odd.key, odd.pool, odd.tag) == ("halo", "role", "orchestrator")
    assert {"wideseek-r1-2026", "anthropic-trustworthy"} <= set(found.uncovered)
    assert len(found.uncovered) == 52


KAPPA = Coefficient(0.5, 0.1, 0.25, 0.75)
RAW = Coefficient(0.9, 0.02, 0.86, 0.94)


def rated_field(name, *pairs, units=3, agreed=2, warnings=()):
    return FieldAgreement(
        name, ("pool", "two"), units, agreed, RAW, Coefficient(0.8), UNDEFINED, pairs, ("deep", 0.5), warnings,
    )  # fmt: skip


PAIR = PairAgreement(("pool", "two"), 3, 2, KAPPA)
THIRD = PairAgreement(("pool", "three"), 2, 2, UNDEFINED)
REPORT = AgreementReport(
    table="second",
    definition="Read by two.",
    title="Second",
    readers=("three", "two"),
    covered=3,
    uncovered=("cy", "eve"),
    fields=(rated_field("depth", PAIR, warnings=("skewed",)), rated_field("how", units=0, agreed=0, warnings=("skewed",))),
    disagreements=(
        Disagreement("bob", "depth", "two", "surface", "shallow", "wet feet"),
        Disagreement("dot", "depth", "two", "deep", "rock", ""),
    ),
)  # fmt: skip


def test_tables_without_rows_are_left_out():
    several = replace(REPORT, fields=(rated_field("depth", PAIR, THIRD),))
    titles = [grid.title for grid in agreement_grids([several])]
    assert titles == ["Second", "Pairs of readers", "Disagreements"]
    bare = replace(REPORT, disagreements=())
    assert [grid.title for grid in agreement_grids([bare])] == ["Second"]
    assert agreement_grids([]) == []


def test_what_was_read_and_a_warning_for_all_of_its_fields_are_below_the_table():
    note = agreement_grids([REPORT])[0].note
    for part in (
        "3 of 5 entries, read by three, two. Read by two.",
        "depth, how: skewed.",
        "cy, eve",
    ):
        assert part in note
