"""Scenarios change what they say and nothing else, and every claim is held again."""

from dataclasses import replace

import pytest

from corpus.analysis.claims.claim import Scenario
from corpus.analysis.claims.evaluate import all_outcomes, load_claims
from corpus.analysis.claims.scenarios import ALL, stress, variants
from corpus.model.codebook import Column
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, declared, full, sensor


def made(kind, table, corpus, column="", **where):
    scenario = Scenario(
        "s", "s", kind, table, column, {name: tuple(values) for name, values in where.items()}
    )
    return dict(variants(scenario, corpus))


def keys(corpus, table="sensors"):
    return [row[0] for row in corpus.tables[table].rows]


def test_drop_takes_what_refers_to_the_row_along():
    found = made("drop", "sensors", full(), depth=["surface"])
    assert list(found) == ["ada", "bob", ALL]
    assert keys(found["ada"]) == ["bob", "cy", "dot", "eve"]
    assert keys(found["ada"], "dated") == ["bob", "cy", "dot", "eve"]
    assert keys(found["ada"], "dropped") == keys(full(), "dropped")
    assert keys(found[ALL]) == ["cy", "dot", "eve"]


def test_strict_takes_the_tag_away_where_it_was_judged_so_and_leaves_the_unjudged():
    found = made("strict", "judged", full(), "depth", how=["hardly", "nearly"])
    assert list(found) == ["bob", "cy", ALL]
    assert keys(found["bob"]) == keys(full())
    assert dict(zip(keys(found[ALL]), found[ALL].pool.column("depth"), strict=True)) == {
        "ada": "surface", "bob": "none", "cy": "none", "dot": "deep", "eve": "none",
    }  # fmt: skip


def test_a_scenario_that_changes_nothing_has_no_variants():
    assert made("strict", "judged", full({"judged": []}), "depth", how=["well"]) == {}
    assert made("drop", "sensors", full(), depth=["rock"]) == {}


def reread(corpus):
    """The soils corpus with the table `judged` as a second reading of the depth."""
    spec = corpus.tables["judged"].spec
    depth = Column("depth", "term", "", "", "", True, "depth", "", "", False)
    spec = spec._replace(columns=(spec.columns[0], depth, spec.columns[2]))
    tables = {**corpus.tables, "judged": corpus.tables["judged"]._replace(spec=spec)}
    return replace(
        corpus,
        tables=tables,
        codebook=corpus.codebook._replace(tables={**corpus.codebook.tables, "judged": spec}),
    )


def test_retag_takes_the_readers_terms_where_they_differ():
    rows = [("aaa", "deep", "well"), ("ada", "deep", "well"), ("bob", "surface", "well"), ("cy", "deep", "hardly")]  # fmt: skip
    corpus = reread(full({"judged": rows}))
    found = made("retag", "judged", corpus)
    assert list(found) == ["ada", "cy", ALL]
    assert found[ALL].pool.column("depth") == ["deep", "surface", "deep", "deep", "none"]
    assert list(made("retag", "judged", corpus, how=["well"])) == ["ada", ALL]
    twice = corpus.tables["judged"]._replace(rows=[*rows, ("ada", "rock", "well")])
    first = made("retag", "judged", corpus.with_tables({**corpus.tables, "judged": twice}))
    assert first["ada"].pool.column("depth")[0] == "deep"  # the first reader counts


def test_retain_moves_the_records_that_match_into_the_pool():
    data = codebook_data()
    columns = [
        declared("record", "ref", references="dropped"),
        declared("tag", "term", vocabulary="depth", role="depth"),
        declared("how", "term"),
    ]
    data["tables"]["near"] = {"file": "near.csv", "key": ["record"], "columns": columns}
    near = [
        ("x0", "deep", "well"),
        ("x1", "rock", "well"),
        ("x2", "deep", "hardly"),
        ("x3", "deep", "well"),
    ]
    found = made("retain", "near", full({"near": near}, **data), how=["well"])
    assert list(found) == ["x1", "x3", ALL]
    assert found["x1"].pool.rows[-1] == sensor(
        "x1", name="A meadow without a sensor", depth="rock", senses=""
    )
    assert keys(found["x1"], "dropped") == ["x2", "x3"]
    assert found["x1"].tables["dated"].rows[-1] == ("x1", "")
    assert keys(found[ALL]) == [*keys(full()), "x1", "x3"]


@pytest.fixture(scope="module")
def shipped():
    return load_corpus(str(REAL))


@pytest.fixture(scope="module")
def effects(shipped):
    book = load_claims(shipped)
    outcomes = all_outcomes(shipped)
    found = stress(shipped, book.scenarios, outcomes)
    effects = {}
    for outcome, of_claim in zip(outcomes, found, strict=True):
        for effect in of_claim:
            effects[outcome.claim.id, effect.scenario.id] = effect
    return effects


def test_the_second_readers_tags_make_nine_of_eight(effects):
    effect = effects["orchestrator-credit", "second-reader"]
    assert (effect.alone, effect.tried, effect.together.number) == (("halo",), 1, 9)
