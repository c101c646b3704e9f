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


def referring(**data):
    """A section that is read with a codebook, and what it refers to."""
    read = Section(data, ("top",), [], book=full().codebook)
    return read, read.references


def test_names_are_looked_up_in_the_codebook_and_recorded_with_their_place():
    read, references = referring(table="uses", of="use", depth=["deep"], labels={"fen": "Fen"})
    table = read.table("table")
    column = read.column("of", table)
    read.terms("depth", read.book.pool.column("depth"))
    read.reference("row", "fen", "labels", "fen", of="sensors", is_key=True)
    assert read.findings == []
    assert (table.name, column.name) == ("uses", "use")
    assert [
        (found.kind, found.of, found.name, found.path, found.is_key) for found in references
    ] == [
        ("table", "", "uses", ("top", "table"), False),
        ("column", "uses", "use", ("top", "of"), False),
        ("term", "depth", "deep", ("top", "depth", 0), False),
        ("row", "sensors", "fen", ("top", "labels", "fen"), True),
    ]


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


def test_an_open_section_reports_only_keys_that_look_misspelt():
    read, findings = section({"stagess": [], "country": "NL"})
    read.strings("stages", ())
    read.finish(is_open=True)
    assert places(findings) == [("C001", "top.stagess")]
