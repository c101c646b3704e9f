"""A finding about the codebook stands on the line of what it is about."""

import pytest

from corpus.model.documents.codebook_lines import with_lines
from corpus.model.documents.document_rules import CODEBOOK

TEXT = """\
format = 1
[corpus]
id = "a"
[tables.pool]
columns = [
  { name = "key", type = "key" },
  { name = "kind", type = "trem" },
]
[[tables.log.columns]]
name = "nr"
type = "key"

[[tables.log.columns]]
name = "step"
type = "term" # columns = 3
[[rules]]
id = "dry"
when = { kind = ["wet"] }
[vocabularies."kind"]
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("format", 1),
        ("corpus.id", 3),
        ("corpus.titel", 2),
        ("tables.pool", 4),
        ("tables.pool.columns[2].type", 7),
        ("tables.pool.columns.kind.vocabulary", 7),
        ("tables.pool.columns[9]", 5),
        ("tables.log.columns[2].type", 15),
        ("tables.log.columns.step.type", 15),
        ("tables.log.columns.nr.type", 11),
        ("rules[1]", 16),
        ("rules.dry.when.kind", 18),
        ("vocabularies.kind.terms", 19),
        ("tables", 0),
        ("", 0),
    ],
)
def test_a_place_has_the_line_of_its_key_or_of_the_part_around_it(place, line):
    (found,) = with_lines([CODEBOOK.at("codebook.toml", column=place, problem="x")], TEXT)
    assert found.line == line


NESTED = """\
[[claims]]
id = "a"
[[claims]]
id = "b"
of = [
  { id = "x", table = "pool" },
  { id = "y", table = "log" },
]
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [("claims[2].of[2].table", 7), ("claims[2].of.y.where", 7), ("claims[2].of", 5), ("claims[1].of", 1)],
)  # fmt: skip
def test_an_item_of_an_array_in_another_has_its_own_line(place, line):
    (found,) = with_lines([CODEBOOK.at("claims.toml", column=place, problem="x")], NESTED)
    assert found.line == line


def test_a_line_that_is_known_stays():
    (found,) = with_lines([CODEBOOK.at("codebook.toml", 7, "format", problem="x")], TEXT)
    assert found.line == 7
