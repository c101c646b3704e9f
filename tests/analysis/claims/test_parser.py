"""A claims file is understood, or every mistake in it is said with its line."""

from __future__ import annotations

import tomllib

import pytest

from corpus.analysis.claims.parser import claim_line, parse_claims
from tests.corpora.soils import soils

BOOK = soils().codebook


def parsed(text: str):
    text = "format = 1\n" + text
    return parse_claims(tomllib.loads(text), BOOK, "claims.toml", text)


def claim(body: str, name: str = "a-claim") -> str:
    return f'[[claims]]\nid = "{name}"\nstatement = "Something."\n{body}\n'


def test_a_sound_claim_is_read_with_defaults():
    book, findings = parsed(claim('where = { depth = "deep" }\ncount = 1'))
    assert not findings
    (found,) = book.claims
    assert found.selections[0].table == "sensors"
    assert found.selections[0].where == {"depth": ("deep",)}
    assert (found.expectation.kind, found.expectation.value) == ("count", 1)


def test_an_ordering_of_terms_becomes_one_selection_a_term():
    book, _ = parsed(claim('by = ["depth"]\ndescending = ["surface", "deep"]\nwithout = { senses = "gas" }'))
    assert [part.where for part in book.claims[0].selections] == [{"depth": ("surface",)}, {"depth": ("deep",)}]
    assert all(part.without == {"senses": ("gas",)} for part in book.claims[0].selections)


def test_nested_counts_are_flattened():
    book, _ = parsed(claim('by = ["depth", "senses"]\n[claims.counts]\nsurface = { water = 2, heat = 1 }'))
    assert book.claims[0].expectation.value == {("surface", "water"): 2, ("surface", "heat"): 1}


@pytest.mark.parametrize(
    "body",
    [
        "",
        "count = 1\nempty = true",
        "count = -1",
        "count = true",
        'count = "three"',
        "empty = false",
        'keys = "ada"',
        "distinct = 1",
        'by = ["depht"]\ndistinct = 1',
        'table = "nowhere"\ncount = 1',
        'where = { depht = "deep" }\ncount = 1',
        'where = { depth = "deeep" }\ncount = 1',
        'where = "depth == deep"\ncount = 1',
        "where = { depth = 3 }\ncount = 1",
        'between = { name = ["a", "b"] }\ncount = 1',
        'table = "dated"\nbetween = { seen = ["2020"] }\ncount = 1',
        'agrees_on = ["depth"]\ncount = 1',
        'by = ["depth"]\ncounts = { deeep = 1 }',
        'by = ["depth"]\ncounts = { deep = "1" }',
        'by = ["depth", "senses"]\ncounts = { deep = 1 }',
        "counts = { deep = 1 }",
        'by = ["depth"]\ndescending = ["surface", "deeep"]',
        "descending = true",
        "ratio = 3",
        'same_keys_as = "nowhere"',
        'count = 1\nboundry = "typed wrong"',
        'of = [{ table = "sensors" }]\ntable = "sensors"\ncount = 5',
        'of = [{ table = "sensors", count = 5 }]\ncount = 5',
        "count = 1\nacknowledged = true",
        'count = 1\nacknowledged = { reason = "no observed value" }',
        'count = 1\nmade_in = "abstract"',
    ],
)
def test_each_mistake_is_one_finding_on_the_claims_line(body):
    book, findings = parsed(claim("count = 5", "sound") + claim(body, "broken"))
    assert [found.id for found in book.claims] == ["sound"]
    assert [(f.code, f.line, f.value) for f in findings] == [("C602", 7, "broken")]


def test_ids_are_there_and_unique():
    _, findings = parsed(claim("count = 5") + claim("count = 5") + '[[claims]]\nstatement = "x"\ncount = 1\n')
    assert [(f.code, f.line) for f in findings] == [("C602", 3), ("C602", 0)]


def test_wrong_format_and_unknown_sections_are_said():
    _, findings = parse_claims({"format": 2, "claim": []}, BOOK)
    assert {f.column for f in findings} == {"format", "claim"}


@pytest.mark.parametrize("value", ["text", 3, {"a": 1}, ["text"], [[]]])
def test_sections_of_another_type_are_mistakes_and_not_errors(value):
    _, findings = parse_claims({"format": 1, "claims": value, "scenarios": value, "unchecked": value}, BOOK)
    assert {f.code for f in findings} == {"C602"}


@pytest.mark.parametrize(
    "body",
    [
        'kind = "explode"',
        'kind = "drop"\ntable = "judged"',
        'kind = "drop"\nwhere = { depth = "deeep" }',
        'kind = "retag"\ntable = "dropped"',
        'kind = "retain"\ntable = "judged"',
        'kind = "strict"\ntable = "judged"\ncolumn = "senses"',
        'kind = "strict"\ntable = "judged"\ncolumn = "nowhere"',
    ],
)
def test_mistakes_in_scenarios_are_said(body):
    _, findings = parsed(f'[[scenarios]]\nid = "x"\nstatement = "s"\n{body}\n')
    assert [(f.code, f.line, f.column) for f in findings] == [("C602", 3, "scenarios")]


def test_the_line_belongs_to_the_section():
    text = "[[scenarios]]\nid = \"x\"\n[[claims]]\nstatement = \"id = 'x'\"\nid = 'x' # here\n"
    assert claim_line(text, "x") == 5
    assert claim_line(text, "x", "scenarios") == 2
    assert claim_line(text, "y") == 0
