"""One table of a TOML document is read key by key, and every mistake is a finding at its place."""

from __future__ import annotations

import pytest

from corpus.model.documents.section import Section


def section(data):
    findings = []
    return Section(data, "top", findings), findings


def places(findings):
    return [(finding.code, finding.column) for finding in findings]


@pytest.mark.parametrize(
    ("method", "value"),
    [("text", 3), ("number", "3"), ("number", True), ("whole", 2.5), ("strings", "a"),
     ("strings", [1]), ("texts", {"a": 1}), ("sections", {"a": 1})],
)  # fmt: skip
def test_a_value_of_the_wrong_kind_is_a_finding_and_reading_goes_on(method, value):
    read, findings = section({"key": value})
    getattr(read, method)("key")
    assert places(findings) == [("C001", "top.key")]


def test_missing_unknown_and_unlisted_keys_are_named():
    read, findings = section({"kind": "pie", "colour": "red"})
    read.text("title")
    read.one_of("kind", ["bars", "flow"])
    read.finish()
    assert places(findings) == [("C001", "top.title"), ("C001", "top.kind"), ("C001", "top.colour")]


def test_a_key_that_is_allowed_need_not_be_read_and_is_offered_for_a_misspelt_one():
    read, findings = section({"kind": "pie", "colur": "red"})
    read.allow(["kind", "colour"])
    read.finish()
    assert places(findings) == [("C001", "top.colur")]
    assert "did you mean 'colour'" in findings[0].message


def test_a_string_that_is_given_counts_as_read_and_an_empty_one_is_no_default():
    read, findings = section({"kind": ""})
    assert read.text("kind", "pie") == ""
    assert read.text("colour", "red") == "red"
    read.finish()
    assert findings == []


def test_a_value_that_is_not_a_table_is_a_finding():
    assert places(section([1])[1]) == [("C001", "top")]


@pytest.mark.parametrize(
    ("data", "values", "problems"),
    [({"key": ["a"]}, ("a",), 0), ({"key": []}, (), 1), ({}, (), 1), ({"key": "a"}, (), 1), ({"key": [1]}, (), 1)],
)  # fmt: skip
def test_a_list_with_at_least_one_string_is_one_finding_otherwise(data, values, problems):
    read, findings = section(data)
    assert read.some_strings("key") == values
    assert places(findings) == [("C001", "top.key")] * problems
