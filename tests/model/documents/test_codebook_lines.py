"""A finding about the codebook stands on the line of what it is about."""

import pytest

from corpus.model.documents.codebook_lines import with_lines
from corpus.model.documents.section import CODEBOOK

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
        ("tables.pool.columns[2].vocabulary", 7),
        ("tables.pool.columns[9]", 5),
        ("tables.log.columns[2].type", 15),
        ("tables.log.columns[1].type", 11),
        ("rules[1]", 16),
        ("rules[1].when.kind", 18),
        ("vocabularies.kind.terms", 19),
        ("tables", 0),
        ("", 0),
    ],
)
def test_a_place_has_the_line_of_its_key_or_of_the_part_around_it(place, line):
    (found,) = with_lines([CODEBOOK.at("codebook.toml", column=place, problem="x")], TEXT)
    assert found.line == line
