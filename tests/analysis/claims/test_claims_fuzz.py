"""Claims files with anything in any place are findings or claims that can be evaluated, never a crash."""

import copy
import random

import pytest
import tomli

from corpus.analysis.claims.evaluate import evaluate
from corpus.analysis.claims.parser import parse_claims
from corpus.analysis.claims.robustness import breaking_edits
from corpus.model.finding import Finding
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.support.daily import part

VALUES = (0, -1, 10**30, 1.5, float("nan"), True, "", "NA", "pool", "key", "yes", [], {}, ["key"], [[]], [{}], {"key": "c3"},
          {"is_rl": ["yes"]}, "\x00", None, {"pool": 3}, ["reward_type", "category"], "9" * 400)  # fmt: skip


@pytest.fixture(scope="module")
def corpus():
    return load_corpus(str(REAL))


def places(node, path=()):
    yield path
    children = {}
    if isinstance(node, dict):
        children = node
    elif isinstance(node, list):
        children = dict(enumerate(node))
    for key, child in children.items():
        yield from places(child, (*path, key))


def mutated(data, chance):
    found = copy.deepcopy(data)
    for _ in range(chance.randint(1, 3)):
        path = chance.choice([path for path in places(found) if path])
        parent = found
        for key in path[:-1]:
            parent = parent[key]
        if isinstance(parent, dict) and chance.random() < 0.3:
            parent[chance.choice(["table", "by", "where", "count", "keys", "of", "ratio", "x"])] = (
                copy.deepcopy(chance.choice(VALUES))
            )
        else:
            parent[path[-1]] = copy.deepcopy(chance.choice(VALUES))
    return found


@pytest.mark.slow
def test_any_value_in_any_place_is_a_finding_or_a_claim(corpus):
    text = corpus.sources["claims"].text
    data = tomli.loads(text)
    claims = data["claims"]
    chance = random.Random(4)
    for _ in part(range(400), 4):
        some = {**data, "claims": chance.sample(claims, 4)}
        book, findings = parse_claims(mutated(some, chance), corpus.codebook, "claims.toml", text)
        assert all(isinstance(finding, Finding) and finding.code == "C602" for finding in findings)
        for claim in book.claims:
            outcome = evaluate(claim, corpus)
            assert isinstance(outcome.observed, str)
            assert isinstance(outcome.expected, str)
            breaking_edits(outcome, corpus)
