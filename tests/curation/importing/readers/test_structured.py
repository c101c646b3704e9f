"""JSON, JSON Lines and YAML: what is a record, and values as they are written."""

import json

import pytest

from corpus.curation.importing.readers.structured import read_json, read_json_lines, read_yaml
from corpus.model.finding import CorpusError
from tests.support.imported import cells

PAPERS = [
    {
        "title": "Peat",
        "authors": ["Ward, Ann", "Moor, Bo"],
        "year": 2019,
        "open": True,
        "where": {"lat": 5},
        "x": None,
    },
    {"title": "Bog", "authors": [{"family": "Fen", "given": "Di"}, {"literal": "Bog Trust"}]},
]


EXPECTED = [
    {
        "title": "Peat",
        "authors": ("Ward, Ann", "Moor, Bo"),
        "year": "2019",
        "open": "yes",
        "where.lat": "5",
    },
    {"title": "Bog", "authors": ("Fen, Di", "{Bog Trust}")},
]


@pytest.mark.parametrize("content", [PAPERS, {"version": 1, "papers": PAPERS}])
def test_json_lists_and_objects_around_them(content):
    assert cells(read_json(json.dumps(content), "f")) == EXPECTED


def test_an_object_of_objects_keeps_its_names():
    assert cells(read_json('{"peat": {"y": 1}, "bog": {"y": 2}}', "f")) == [
        {"key": "peat", "y": "1"},
        {"key": "bog", "y": "2"},
    ]


def test_json_lines_skip_what_cannot_be_read():
    records = read_json_lines('{"a": 1}\n{"a": \n\n{"a": 3}\n', "f")
    assert cells(records) == [{"a": "1"}, {"a": "3"}]
    assert [(f.code, f.line) for f in records.findings] == [("I106", 2)]


def test_yaml_keeps_texts_as_they_are():
    text = "- title: Peat\n  country: no\n  id: 2508.03680\n  date: 2020-05-01\n  tags: [a, b]\n"
    assert cells(read_yaml(text, "f")) == [
        {
            "title": "Peat",
            "country": "no",
            "id": "2508.03680",
            "date": "2020-05-01",
            "tags": ("a", "b"),
        }
    ]


@pytest.mark.parametrize(
    ("read", "text", "line"),
    [
        (read_json, '{\n "a": ', 2),
        (read_json, "3", 0),
        (read_json, "[" * 100_000, 0),
        (read_yaml, "a: [1\nb: 2\n", 2),
        (read_yaml, "a: &x [1]\nb: [*x, *x]\n", 0),
    ],
)
def test_what_is_not_the_format_is_a_finding(read, text, line):
    with pytest.raises(CorpusError) as caught:
        read(text, "f")
    assert [(f.code, f.line) for f in caught.value.findings] == [("I104", line)]


def test_a_yaml_tag_makes_no_object():
    assert cells(read_yaml("!!python/object/apply:os.system ['true']", "f")) == [{"value": "true"}]
