"""A claims file is read, or every mistake in it is reported with its line."""

import tomllib

import pytest

from corpus.analysis.claims.parser import claim_lines, parse_claims
from tests.corpora.full import full

BOOK = full().codebook


def parsed(text):
    text = "format = 1\n" + text
    return parse_claims(tomllib.loads(text), BOOK, "claims.toml", text)


def claim(body, name="a-claim"):
    return f'[[claims]]\nid = "{name}"\nstatement = "Something."\n{body}\n'


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("", ""),
        ("count = 1\nempty = true", ""),
        ("count = -1", "count"),
        ("count = true", "count"),
        ('count = "three"', "count"),
        ("empty = false", "empty"),
        ('keys = "ada"', "keys"),
        ("distinct = 1", "distinct"),
        ("terms = 8", "terms"),
        ('by = ["name"]\nterms = 8', "terms"),
        ('by = ["depth"]\ngroups = "8"', "groups"),
        ('groups = true\nby = ["depth"]', ""),
        ('count = 1\ntracked = "yes"', "tracked"),
        ('distinct = 1\nby = ["depht"]', "by"),
        ('count = 1\ntable = "nowhere"', "table"),
        ('count = 1\ntable = ""', "table"),
        ('count = 1\nwhere = { depht = "deep" }', "where.depht"),
        ('count = 1\nwhere = { depth = "deeep" }', "where.depth"),
        ('count = 1\nwhere = "depth == deep"', "where"),
        ("count = 1\nwhere = { depth = 3 }", "where.depth"),
        ('count = 1\nbetween = { name = ["a", "b"] }', "between.name"),
        ('table = "dated"\ncount = 1\nbetween = { seen = ["2020"] }', "between.seen"),
        ('table = "dated"\nempty = true\nbetween = { seen = ["2020-13", ""] }', "between.seen"),
        ('table = "dated"\nempty = true\nbetween = { seen = ["2021", "2020-12"] }', "between.seen"),
        ('table = "ranges"\nempty = true\nbetween = { value = ["1e3", "2000"] }', "between.value"),
        ('empty = true\nbetween = { year = ["2019.5", "2020"] }', "between.year"),
        ('count = 1\nagrees_on = ["depth"]', "agrees_on"),
        ('by = ["depth"]\ncounts = { deeep = 1 }', "counts.deeep"),
        ('by = ["depth"]\ncounts = { deep = "1" }', "counts.deep"),
        ('by = ["depth", "senses"]\ncounts = { deep = 1 }', "counts.deep"),
        ("counts = { deep = 1 }", "counts"),
        ('by = ["depth"]\ndescending = ["surface", "deeep"]', "descending"),
        ('by = ["depth"]\ndescending = ["rock", "deep", "rock"]', "descending"),
        ("descending = true", "descending"),
        (
            'of = [{ where = { depth = "deep" } }, { where = { depth = "rock" } }]\n'
            "descending = true",
            "descending",
        ),
        ("ratio = 3", "ratio"),
        ('of = [{ table = "ranges" }, { table = "ranges" }]\nvalue_of = ""\nratio = 3', "ratio"),
        (
            'of = [{ table = "ranges" }, { table = "dated" }]\nratio = 3\nvalue_of = "value"',
            "value_of",
        ),
        ('same_keys_as = "nowhere"', "same_keys_as"),
        ('count = 1\nboundry = "typed wrong"', "boundry"),
        ('of = [{ table = "sensors" }]\ncount = 5\ntable = "sensors"', "table"),
        ('count = 5\nof = [{ table = "sensors", count = 5 }]', "of[1].count"),
        ("count = 5\nof = []", "of"),
        ('count = 1\nacknowledged = "why"', "acknowledged"),
        ('count = 1\nmade_in = "abstract"', "made_in"),
    ],
)
def test_each_mistake_is_one_finding_at_its_key(body, place):
    text = claim("count = 5", "valid") + claim(body, "broken")
    book, findings = parsed(text)
    assert [found.id for found in book.claims] == ["valid"]
    line = 6
    if place:
        line = 9 + body.count("\n")
    assert [(f.code, f.line, f.column) for f in findings] == [
        ("C602", line, ".".join(filter(None, ["claims[2]", place])))
    ]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ('by = "senses"\nterms = 4', ["senses"]),
        ("count = 2\nwhere = { year = 2020 }", ["2020"]),
        ("count = 2\nwhere = { year = [2020, 2021] }", ["2020", "2021"]),
    ],
)
def test_one_value_needs_no_list_and_a_year_no_quotation_marks(body, place):
    book, findings = parsed(claim(body))
    assert findings == []
    (found,) = book.claims
    named = [sorted(filter_.named) for part in found.selections for filter_ in part.filters]
    assert (named or [list(found.expectation.by)]) == [place]


def test_every_mistake_of_a_claim_is_reported():
    body = 'where = { depth = "deeep" }\nmade_in = "abstract"\nboundry = "x"\ncount = 1'
    book, findings = parsed(claim(body))
    assert not book.claims
    assert {(f.line, f.column) for f in findings} == {
        (5, "claims[1].where.depth"),
        (6, "claims[1].made_in"),
        (7, "claims[1].boundry"),
    }


def test_ids_are_there_and_unique():
    nameless = '[[claims]]\nstatement = "x"\ncount = 1\n'
    _, findings = parsed(
        claim("count = 5") + claim("count = 5") + nameless + claim("count = 5", "")
    )
    assert [(f.code, f.line, f.column) for f in findings] == [
        ("C602", 7, "claims[2].id"),
        ("C602", 10, "claims[3].id"),
        ("C602", 14, "claims[4].id"),
    ]


def test_wrong_format_and_unknown_sections_are_found():
    _, findings = parse_claims({"format": 2, "claim": []}, BOOK)
    assert {f.column for f in findings} == {"format", "claim"}


@pytest.mark.parametrize("value", ["text", 3, {"a": 1}, ["text"], [[]]])
def test_sections_of_another_type_are_mistakes_and_not_errors(value):
    _, findings = parse_claims({"format": 1, "claims": value, "unchecked": value}, BOOK)
    assert {f.code for f in findings} == {"C602"}


def test_the_line_belongs_to_the_section():
    text = "[[unchecked]]\nid = \"x\"\n[[claims]]\nstatement = \"id = 'x'\"\nid = 'x' # here\n"
    assert claim_lines(text) == {"x": 5}
