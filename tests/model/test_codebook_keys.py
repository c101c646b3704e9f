"""The keys that the parser takes are those that docs/codebook-format.md describes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from corpus.analysis.sparsity.plan import sparsity_plan
from corpus.model.codebook import COLUMN_TYPES
from corpus.model.codebook_keys import KEYS
from corpus.model.codebook_parser import parse_codebook
from corpus.model.finding import CorpusError
from corpus.publishing.figures.parser import figure_plans

PAGE = (Path(__file__).parents[2] / "docs" / "codebook-format.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^##+ ([a-z.]+)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
EXAMPLE = tomllib.loads(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0])


def described(section: str, head: str = "key") -> list[str]:
    """The first column of the section's table whose head is `head`."""
    table = re.search(rf"^\| {head} \|.*?\n((?:\|.*\n)+)", SECTIONS[section], re.MULTILINE)
    assert table is not None, section
    return re.findall(r"^\| `([a-z_]+)` \|", table[1], re.MULTILINE)


@pytest.mark.parametrize("part", KEYS)
def test_documented_keys_are_the_accepted_ones(part):
    assert sorted(described(part)) == sorted(KEYS[part])


def test_every_column_type_is_described():
    assert described("tables.columns", "type") == list(COLUMN_TYPES)


@pytest.mark.parametrize(
    ("section", "settings"),
    [
        ("sparsity", {"zzz": 1}),
        ("sparsity.readings", {"readings": [{"zzz": 1}]}),
        ("sparsity.anchors", {"anchors": [{"zzz": 1}]}),
        ("sparsity.related", {"related": [{"zzz": 1}]}),
    ],
)
def test_documented_keys_of_sparsity_are_the_accepted_ones(section, settings):
    with pytest.raises(CorpusError) as caught:
        sparsity_plan(parse_codebook({**EXAMPLE, "sparsity": settings}))
    (message,) = [f.message for f in caught.value.findings if f.column.endswith("zzz")]
    assert sorted(described(section)) == message.rpartition("known are ")[2].split(", ")


@pytest.mark.parametrize("kind", ["timeline", "heatmap", "bars", "ladder", "grid", "flow", "ranges"])
def test_documented_keys_of_figures_are_the_accepted_ones(kind):
    rows = re.findall(r"^\| `([a-z_]+)` \| ([a-z, ]+) \|", SECTIONS["figures"], re.MULTILINE)
    documented = {key for key, kinds in rows if kinds == "all" or kind in kinds.split(", ")}
    with pytest.raises(CorpusError) as caught:
        figure_plans(parse_codebook({**EXAMPLE, "figures": {"x": {"kind": kind, "zzz": 1}}}))
    (message,) = [f.message for f in caught.value.findings if f.column == "figures.x.zzz"]
    only_beside_another = {"reason", "bound"}
    assert documented - only_beside_another == set(message.rpartition("known are ")[2].split(", "))


def test_every_section_of_the_shipped_codebook_is_described():
    shipped = tomllib.loads((Path(__file__).parents[2] / "data" / "codebook.toml").read_text(encoding="utf-8"))
    assert set(shipped) - {"format"} <= set(SECTIONS)


def test_the_example_is_a_codebook():
    book = parse_codebook(EXAMPLE)
    assert [column.name for column in book.pool.axes] == ["principle", "measures"]


@pytest.mark.parametrize(
    ("toml", "place", "hint"),
    [
        ('[corpus]\ntitel = "x"', "corpus.titel", "title"),
        ("[tables.pool]\nrol = 1", "tables.pool.rol", "role"),
        ("[[tables.pool.columns]]\nrequird = false", "tables.pool.columns[1].requird", "required"),
        ("[[vocabularies.a.terms]]\ndefintion = 'x'", "vocabularies.a.terms[1].defintion", "definition"),
        ("[[rules]]\nif = 'x'", "rules[1].if", "known are"),
        ("[[crosstabs]]\ncolumn = 'x'", "crosstabs[1].column", "columns"),
    ],
)
def test_a_misspelt_key_is_named_with_the_right_one(toml, place, hint):
    with pytest.raises(CorpusError) as caught:
        parse_codebook(tomllib.loads(toml))
    (finding,) = [f for f in caught.value.findings if f.column == place]
    assert finding.code == "C001"
    assert hint in finding.message
