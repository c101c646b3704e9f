"""Findings are made from rules, sort by place, and show no character as it is."""

import pytest

from corpus.model.finding import (
    CorpusError,
    Rule,
    UsageProblem,
    closest,
    new_findings,
    printable,
    unknown,
)

RULE = Rule("C000", "{column} of {file}: {value} is {what}", "write {right}")


def test_the_value_is_as_in_the_file_and_printable_in_the_message():
    found = RULE.at("f", 1, "a", "\x1b[31m", what="bad", right="{braces}")
    assert found.value == "\x1b[31m"
    assert found.message == "a of f: '\\x1b[31m' is bad"
    # What fills a place is not filled in turn.
    assert found.hint == "write {braces}"


def test_an_error_has_its_findings_in_the_order_of_their_places():
    def at(file, line):
        return RULE.at(file, line, what="bad", right="x")

    error = CorpusError([at("b.csv", 1), at("a.csv", 10), at("a.csv", 9)])
    assert [(found.file, found.line) for found in error.findings] == [
        ("a.csv", 9), ("a.csv", 10), ("b.csv", 1),
    ]  # fmt: skip
    assert not isinstance(error, UsageProblem)


def test_an_error_names_a_few_findings_of_many():
    many = [RULE.at("f", line, what="bad", right="x") for line in range(1, 100)]
    text = str(CorpusError(many))
    assert text.startswith("f:1: C000 ")
    assert "f:5: " in text
    assert "f:6: " not in text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("fen", "'fen'"), ("Möör", "'Möör'"), ("it's", '"it\'s"'), ("", "''"), ("a\nb", "'a\\nb'"),
        ("a\u202eb", "'a\\u202eb'"), ("é\x07", "'\\xe9\\x07'"), ("x" * 78, "'" + "x" * 78 + "'"),
        ("x" * 79, "'" + "x" * 77 + "…'"), ("'" * 90, '"' + "'" * 77 + '…"'),
    ],
)  # fmt: skip
def test_a_value_is_quoted_escaped_and_cut(value, shown):
    assert printable(value) == shown
    assert len(shown) <= 80


def test_a_moved_line_is_the_same_finding_and_a_second_one_is_new():
    old = RULE.at("pool.csv", 3, "title", "x", what="it", right="y")
    moved, second = old._replace(line=9), old._replace(line=12)
    other = old._replace(column="doi")
    assert new_findings([moved, second, other], [old]) == [second, other]
    assert new_findings([moved], [old, other]) == []


@pytest.mark.parametrize(
    ("word", "found"), [("yaer", ["year"]), ("YEAR", ["year"]), ("yeild", ["Yield"]), ("qqq", []), ("", [])]
)  # fmt: skip
def test_the_nearest_name_is_found_whatever_its_case(word, found):
    assert closest(word, ["title", "year", "venue", "Yield"]) == found


def test_of_many_known_names_a_dozen_are_listed():
    names = [f"Name{number}" for number in range(1400)]
    message = unknown("number", "Nothing", names)
    assert "Name11 and 1,388 more" in message
    assert len(message) < 300
    assert "more" not in unknown("number", "Nothing", names[:12])
