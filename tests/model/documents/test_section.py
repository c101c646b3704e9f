"""One table of a TOML document is read key by key, and every mistake is a finding at its place."""

import pytest

from corpus.model.documents.section import Section
from tests.corpora.full import full


def section(data):
    findings = []
    return Section(data, ("top",), findings), findings


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


@pytest.mark.parametrize(
    ("value", "shown"),
    [(3, "not 3"), (True, "not true"), ([1], "not an array"), ({}, "not a table")],
)
def test_the_wrong_value_is_shown(value, shown):
    read, findings = section({"key": value})
    read.text("key")
    assert findings[0].message.endswith(shown)


def test_a_misspelt_key_is_rather_one_that_is_not_given():
    read, findings = section({"title": "Peat", "tables": "x"})
    read.text("title")
    read.text("table", "")
    read.text("tiles", "")
    read.finish()
    assert "did you mean 'table'? Known: table, tiles" in findings[0].message


def test_a_default_is_no_name_in_the_document():
    read, references = referring()
    assert read.table("table", "sensors") is not None
    assert read.columns("columns", read.book.pool, default=("depth",)) == ("depth",)
    assert references == []


def test_keys_of_a_table_that_is_not_known_are_read_all_the_same():
    read = Section({"table": "x", "marked": {"depth": "deep"}}, ("top",), [], book=full().codebook)
    read.filters("marked", read.table("table"))
    read.finish()
    assert places(read.findings) == [("C001", "top.table")]


def test_missing_unknown_and_unlisted_keys_are_named():
    read, findings = section({"kind": "pie", "colour": "red"})
    read.text("title")
    read.one_of("kind", ["bars", "flow"])
    read.finish()
    assert places(findings) == [("C001", "top.title"), ("C001", "top.kind"), ("C001", "top.colour")]


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


def referring(**data):
    """A section that is read with a codebook, and what it refers to."""
    read = Section(data, ("top",), [], book=full().codebook)
    return read, read.references


def test_a_filter_records_its_column_terms_and_rows():
    read, references = referring(where={"sensor": "fen", "depth": ["deep", "surface"]})
    pool = read.book.pool
    assert read.filters("where", pool) == {"sensor": ("fen",), "depth": ("deep", "surface")}
    found = [(reference.kind, reference.name, reference.path[2:]) for reference in references]
    assert found == [
        ("column", "sensor", ("sensor",)),
        ("row", "fen", ("sensor",)),
        ("column", "depth", ("depth",)),
        ("term", "deep", ("depth", 0)),
        ("term", "surface", ("depth", 1)),
    ]


@pytest.mark.parametrize(("data", "place"), [
    ({"where": {"colour": "red"}}, "top.where.colour"),
    ({"where": {"depth": "sky"}}, "top.where.depth"),
    ({"where": {"depth": ["deep", "sky"]}}, "top.where.depth"),
    ({"where": {"depth": 3}}, "top.where.depth"),
    ({"where": "deep"}, "top.where"),
])  # fmt: skip
def test_a_filter_over_what_the_codebook_does_not_declare_is_a_finding(data, place):
    read, _ = referring(**data)
    read.filters("where", read.book.pool)
    assert places(read.findings) == [("C001", place)]
