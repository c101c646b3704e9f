"""The keys that the parser takes are those that docs/codebook-format.md describes."""

import re
import tomllib
from copy import deepcopy
from pathlib import Path

import pytest

from corpus.analysis.sparsity.declared import sparsity_plan
from corpus.model.codebook import COLUMN_TYPES
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.finding import CorpusError
from corpus.publishing.figures.figure import figure_plans
from tests.corpora.full import codebook_data

PAGE = (Path(__file__).parents[3] / "docs" / "codebook-format.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^##+ ([a-z_.]+)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
EXAMPLE = tomllib.loads(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0])


def described(section, head="key"):
    """The first column of the section's table whose head is `head`."""
    table = re.search(rf"^\| {head} \|.*?\n((?:\|.*\n)+)", SECTIONS[section], re.MULTILINE)
    assert table is not None, section
    return re.findall(r"^\| `([a-z_]+)` \|", table[1], re.MULTILINE)


def accepted(message):
    """The keys that the message about an unknown one lists."""
    return re.split(r"[Kk]nown: ", message)[1].split(", ")


def with_unknown_key(data, part):
    """A copy of a codebook in which the first item of a part has the key `zzz`."""
    changed = deepcopy(data)
    if part in ("corpus", "venues"):
        changed.setdefault(part, {})["zzz"] = 1
        return changed
    first, _, second = part.partition(".")
    items = changed.setdefault(first, [{}])
    item = items[0] if isinstance(items, list) else next(iter(items.values()))
    if second:
        inner = item.setdefault(second, [{}])
        item = inner[0]
    item["zzz"] = 1
    return changed


PARTS = (
    "corpus", "venues", "tables", "tables.columns", "vocabularies", "vocabularies.terms", "vocabularies.groups",
    "rules", "impossible", "crosstabs",
)  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_documented_keys_are_the_accepted_ones(part):
    with pytest.raises(CorpusError) as caught:
        parse_codebook(with_unknown_key(EXAMPLE, part))
    (message,) = [f.message for f in caught.value.findings if f.column.endswith("zzz")]
    assert sorted(described(part)) == sorted(accepted(message))


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
    assert sorted(described(section)) == accepted(message)


@pytest.mark.parametrize(
    "kind", ["timeline", "heatmap", "bars", "ladder", "grid", "flow", "map", "scatter"]
)
def test_documented_keys_of_figures_are_the_accepted_ones(kind):
    rows = re.findall(r"^\| `([a-z_]+)` \| ([a-z, ]+) \|", SECTIONS["figures"], re.MULTILINE)
    documented = {key for key, kinds in rows if kinds == "all" or kind in kinds.split(", ")}
    with pytest.raises(CorpusError) as caught:
        figure_plans(parse_codebook({**EXAMPLE, "figures": {"x": {"kind": kind, "zzz": 1}}}))
    (message,) = [f.message for f in caught.value.findings if f.column == "figures.x.zzz"]
    only_beside_another = {"reason"}
    assert documented - only_beside_another == set(accepted(message))


def test_every_section_of_the_shipped_codebook_is_described():
    shipped = tomllib.loads(
        (Path(__file__).parents[3] / "data" / "codebook.toml").read_text(encoding="utf-8")
    )
    assert set(shipped) - {"format"} <= set(SECTIONS)


@pytest.mark.parametrize(
    ("toml", "place", "hint"),
    [
        ('[corpus]\ntitel = "x"', "corpus.titel", "title"),
        ("[tables.pool]\nrol = 1", "tables.pool.rol", "role"),
        ("[[tables.pool.columns]]\nrequird = false", "tables.pool.columns[1].requird", "required"),
        (
            "[[vocabularies.a.terms]]\ndefintion = 'x'",
            "vocabularies.a.terms[1].defintion",
            "definition",
        ),
        ("[[rules]]\nif = 'x'", "rules[1].if", "nown: "),
        ("[[crosstabs]]\ncolumn = 'x'", "crosstabs[1].column", "columns"),
    ],
)
def test_a_misspelt_key_is_named_with_the_right_one(toml, place, hint):
    with pytest.raises(CorpusError) as caught:
        parse_codebook(tomllib.loads(toml))
    (finding,) = [f for f in caught.value.findings if f.column == place]
    assert finding.code == "C001"
    assert hint in finding.message


@pytest.mark.parametrize(("table", "key"), [
    ("sensors", ["sensor", "name"]), ("dropped", ["record", "step"]), ("sensors", ["name"]),
])  # fmt: skip
def test_rows_that_others_name_have_one_key_column_by_which_they_are_called(table, key):
    data = codebook_data()
    data["tables"][table]["key"] = key
    with pytest.raises(CorpusError) as caught:
        parse_codebook(data)
    assert [(finding.code, finding.column) for finding in caught.value.findings] == [
        ("C001", f"tables.{table}.key")
    ]


@pytest.mark.parametrize(
    ("section", "place"),
    [("rules", "rules"), ("crosstabs", "crosstabs"), ("groups", "vocabularies.senses.groups")],
)
def test_two_items_of_one_id_are_a_mistake(section, place):
    data = codebook_data()
    data["rules"] = [
        {"id": "dry", "when": {"depth": ["rock"]}, "then": {"senses": ["heat"]}, "reason": "."}
    ]
    items = data["vocabularies"]["senses"]["groups"] if section == "groups" else data[section]
    items.append(items[0])
    with pytest.raises(CorpusError) as caught:
        parse_codebook(data)
    assert [(f.code, f.column) for f in caught.value.findings] == [("C001", place)]


@pytest.mark.parametrize("file", ["sensors.csv", "./sensors.csv", "Sensors.csv"])
def test_two_tables_in_one_file_are_a_mistake(file):
    """On a file system that does not tell capitals apart, too."""
    data = codebook_data()
    data["tables"]["dated"]["file"] = file
    with pytest.raises(CorpusError) as caught:
        parse_codebook(data)
    assert [(f.code, f.column) for f in caught.value.findings] == [("C001", "tables.dated.file")]


def test_every_mistake_of_a_codebook_is_reported_at_once():
    data = codebook_data()
    data["vocabularies"]["depth"]["terms"][0]["id"] = " deep"
    data["tables"]["sensors"]["columns"][0]["type"] = "colour"
    data["tables"]["sensors"]["columns"][1]["required"] = "yes"
    with pytest.raises(CorpusError) as caught:
        parse_codebook(data)
    assert {finding.column for finding in caught.value.findings} == {
        "vocabularies.depth.terms[1].id", "tables.sensors.columns[1].type", "tables.sensors.columns[2].required",
    }  # fmt: skip
