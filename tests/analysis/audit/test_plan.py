"""A draw is the same for everybody, and a plan that was changed by hand is refused."""

import json
from hashlib import sha256

import pytest

from corpus.analysis.audit.sheet import draw, parse_plan, plan_text
from corpus.model.finding import CorpusError, UsageProblem
from tests.corpora.full import ROWS, full

STUDY = full()


def by_digest(seed):
    """The order of a draw, worked out apart from it."""
    return sorted(STUDY.entries, key=lambda key: sha256(f"{seed}\n{key}".encode()).hexdigest())


@pytest.mark.parametrize("seed", ["peat", "мох", ""])
def test_the_first_entries_by_digest_of_seed_and_key_are_drawn(seed):
    plan = draw(STUDY, 2, seed)
    assert plan.drawn == tuple(sorted(by_digest(seed)[:2]))
    assert plan.population == ("ada", "bob", "cy", "dot", "eve")
    assert (plan.corpus, plan.seed, plan.size, plan.added) == ("soils", seed, 2, ())
    assert plan.columns == ("depth", "senses")


def test_one_entry_is_added_for_each_term_that_no_drawn_one_has():
    plan = draw(STUDY, 1, "peat", by="senses")
    terms = set()
    for key in plan.keys:
        terms.update(STUDY.entries[key].terms("senses"))
    assert terms == {"water", "heat", "salt"}
    assert not set(plan.added) & set(plan.drawn)
    # In the order of the draw, and none whose terms are there already.
    seen, added = set(STUDY.entries[plan.drawn[0]].terms("senses")), []
    for key in by_digest("peat")[1:]:
        own = set(STUDY.entries[key].terms("senses"))
        if not own <= seen:
            added.append(key)
            seen |= own
    assert plan.added == tuple(sorted(added))
    assert plan.keys == tuple(sorted((*plan.drawn, *added)))


@pytest.mark.parametrize("size", [0, -1, 6])
def test_a_sample_has_one_entry_to_all_of_them(size):
    with pytest.raises(UsageProblem, match="1 to 5"):
        draw(STUDY, size, "peat")
    assert draw(STUDY, 5, "peat").drawn == tuple(STUDY.entries)


@pytest.mark.parametrize("names", [{"columns": ["notes"]}, {"by": "sense"}])
def test_only_columns_with_a_vocabulary_are_audited(names):
    with pytest.raises(UsageProblem, match="depth, senses"):
        draw(STUDY, 1, "peat", **names)


def test_a_plan_that_was_written_is_read_back():
    plan = draw(STUDY, 2, "мох", by="senses", quotes=True)
    assert parse_plan(plan_text(plan), "a.plan.json", STUDY) == plan


def places(text, study=STUDY):
    with pytest.raises(CorpusError) as raised:
        parse_plan(text, "a.plan.json", study)
    return [(found.code, found.file, found.column) for found in raised.value.findings]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"format": 2}, "format"), ({"size": "2"}, "size"), ({"population": []}, "population"),
        ({"corpus": "bogs"}, "corpus"), ({"seed": "pete"}, "drawn"), ({"drawn": ["ada", "ada"]}, "drawn"),
        ({"added": ["zoe"]}, "added"), ({"population": ["ada", "zoe"]}, "population"),
        ({"columns": ["notes"]}, ""), ({"note": "x"}, "note"),
    ],
)  # fmt: skip
def test_each_change_of_a_plan_is_found_at_its_key(changes, place):
    document = {**json.loads(plan_text(draw(STUDY, 2, "peat"))), **changes}
    assert places(json.dumps(document)) == [("A101", "a.plan.json", place)]


@pytest.mark.parametrize("text", ["", "key,title\n", "[" * 100_000, "[1]"])
def test_what_is_no_plan_is_a_finding(text):
    assert {found[:2] for found in places(text)} == {("A101", "a.plan.json")}


def test_an_entry_that_is_gone_is_named():
    plan = draw(STUDY, 2, "peat")
    smaller = full({"sensors": ROWS["sensors"][1:]})
    assert places(plan_text(plan), smaller) == [("A101", "a.plan.json", "population")]
