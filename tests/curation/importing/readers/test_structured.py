"""JSON and JSON Lines: what is a record, and values as they are written."""

import json

import pytest

from corpus.curation.importing.readers.structured import read_json, read_json_lines
from tests.support.imported import cells, places, refused_at


def test_json_lines_skip_what_cannot_be_read():
    records = read_json_lines('{"a": 1}\n{"a": \n\n{"a": 3}\n', "f")
    assert cells(records) == [{"a": "1"}, {"a": "3"}]
    assert places(records.findings) == [("I106", 2)]


@pytest.mark.parametrize(("text", "line"), [('{\n "a": ', 2), ("3", 0), ("[" * 100_000, 0)])
def test_what_is_not_the_format_is_a_finding(text, line):
    assert refused_at(read_json, text, "f") == [("I104", line)]


def test_numbers_stay_as_they_are_written_and_what_is_not_known_is_empty():
    text = '[{"title": "A", "arxiv": 2101.01230, "n": 1e400, "m": 1.0, "x": NaN, "y": [NaN, 2.50]}]'
    assert cells(read_json(text, "f")) == [
        {"title": "A", "arxiv": "2101.01230", "n": "1e400", "m": "1.0", "y": ("2.50",)}
    ]


def test_the_longest_list_is_read_and_the_others_are_named():
    content = {
        "version": "1",
        "found": {"kept": [{"title": "A"}, {"title": "B"}], "out": [{"title": "C"}]},
    }
    records = read_json(json.dumps(content), "f")
    assert cells(records) == [{"title": "A"}, {"title": "B"}]
    (remark,) = records.remarks
    assert "found.kept" in remark
    assert "found.out (1)" in remark


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"title": "Peat", "refs": [{"title": "x"}, {"title": "y"}]}, [{"title": "Peat", "refs": ("x", "y")}]),
        ([{"node": {"title": "Peat"}, "id": "7"}], [{"id": "7", "title": "Peat"}]),
        ([{"@score": "1", "info": {"title": "Peat."}}], [{"@score": "1", "title": "Peat"}]),
        ([{"title": "Peat", "by": {"@pid": "1", "text": "Ann Ward"}}], [{"title": "Peat", "authors": "Ann Ward"}]),
        ([{"title": "Peat", "issued": {"date-parts": [[2020, 5]]}}], [{"title": "Peat", "issued": "2020-05"}]),
        ([{"title": "Peat", "issued": {"date-parts": [[None]]}}], [{"title": "Peat", "issued.date-parts": ("[null]",)}]),
        ([{"title": "Peat", "author": [{"family": "Moor", "non-dropping-particle": "de", "given": "Bo"}]}],
         [{"title": "Peat", "authors": ("de Moor, Bo",)}]),
        ([{"title": "Peat", "author": [{"family": "Bog Trust"}, {"name": "Ann Ward"}]}],
         [{"title": "Peat", "authors": ("{Bog Trust}", "Ann Ward")}]),
        ([{"title": "Peat", "where": [{"lat": "5"}]}], [{"title": "Peat", "where": ('{"lat": "5"}',)}]),
        ({"peat": {"y": 1}, "bog": {"y": 2}}, [{"key": "peat", "y": "1"}, {"key": "bog", "y": "2"}]),
        ({"version": 1, "papers": [{"title": "Peat", "open": True, "where": {"lat": 5}, "x": None}]},
         [{"title": "Peat", "open": "yes", "where.lat": "5"}]),
        (["Peat", 5], [{"value": "Peat"}, {"value": "5"}]),
        ({"a": 1}, [{"a": "1"}]),
        ([], []),
        ({}, []),
    ],
)  # fmt: skip
def test_what_is_a_record_and_what_is_its_text(content, expected):
    assert cells(read_json(json.dumps(content), "f")) == expected


def test_every_value_of_a_name_that_is_given_twice_is_kept():
    text = '[{"title": "A", "tag": "x", "tag": "y"}]'
    assert cells(read_json(text, "f")) == [{"title": "A", "tag": ("x", "y")}]
