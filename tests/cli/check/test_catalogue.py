"""The error catalogue: every rule once, explained with how to fix and how to accept it."""

import json

import pytest

from corpus.cli.check.catalogue import catalogue, explain, is_acceptable
from corpus.curation.check.works.duplicates import SAME_TITLE
from corpus.model.finding import ERROR, WARNING, Rule, UsageProblem
from corpus.traces.checks.validate import CYCLE


def rule(code="C300", severity=WARNING, hint="fix it"):
    return Rule(code, "{value} is wrong", hint, severity)


def test_rules_of_every_package_are_found_and_sorted_by_code():
    found = catalogue()
    assert list(found) == sorted(found)
    assert found["OT101"] is CYCLE
    assert found[SAME_TITLE.code] is SAME_TITLE
    assert [code for code, one in found.items() if not (one.title and one.reason)] == []


def test_an_explanation_has_code_title_and_remedy_in_any_case_of_the_code():
    text = explain("ot101")
    assert text == explain("OT101")
    assert text.splitlines()[0] == "OT101: Causal cycle (warning)"
    assert "To fix it: remove the edge that points back.\n" in text


def test_only_warnings_about_tables_tell_how_to_accept_them():
    assert "corpus accept" in explain("C305")
    assert "corpus accept" not in explain("OT101")
    acceptable = {code: is_acceptable(rule(code)) for code in ("C101", "C200", "C300", "C499")}
    assert acceptable == {"C101": False, "C200": True, "C300": True, "C499": True}
    assert not is_acceptable(rule("C300", ERROR))
    assert not is_acceptable(rule("C500"))


def test_an_unknown_code_is_wrong_usage_that_names_the_known_ones():
    with pytest.raises(UsageProblem) as caught:
        explain("X1")
    assert "C204" in str(caught.value)


def test_an_example_is_shown():
    shown = '"sensors", {"depth": "none"}\nsensors.csv: senses is \'water\', but'
    assert shown in explain("C302")


def test_every_rule_is_in_the_json_catalogue():
    entries = {entry["code"]: entry for entry in json.loads(explain("all", "json"))}
    assert list(entries) == list(catalogue())
    entry = json.loads(explain("C305", "json"))
    assert entry == entries["C305"]
    assert (entry["severity"], entry["acceptable"], "{other}" in entry["message"]) == (
        "warning",
        True,
        True,
    )
