"""Findings for people, programs and GitHub."""

import re

import pytest

from corpus.model.finding import Rule
from corpus.printing.findings import ANNOTATIONS, findings_github, findings_text
from tests.support.hostile import HOSTILE

RULE = Rule("X001", "{value} is dry", "water it")
OTHER = Rule("X002", "{value} is wet", "water it")
MILD = Rule("X003", "{value} is damp", "", "warning")


def test_a_hint_that_several_in_a_row_share_is_printed_once_after_them():
    found = [RULE.at("a.csv", line, "bed", str(line)) for line in (3, 2)]
    found.append(OTHER.at("a.csv", 4, "bed", "4"))
    lines = findings_text(found).splitlines()
    assert [line.startswith(" ") for line in lines] == [False, False, True, False, True]
    assert findings_text([]) == ""


def test_github_shows_errors_first_and_counts_the_rest():
    found = [MILD.at("a.csv", line) for line in range(1, 12)] + [RULE.at("b.csv", 1)]
    lines = findings_github(found).splitlines()
    assert len(lines) == ANNOTATIONS + 1
    assert lines[0].startswith("::error file=b.csv,line=1,")
    assert "+2 more" in lines[-1]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_finding_is_one_command_and_one_line(text):
    found = [RULE.at(text or "a.csv", 1, text, text)]
    [line] = findings_github(found).splitlines()
    assert re.match("::error file=[^:]*::", line)
    assert len(findings_text(found).splitlines()) == 2


def test_nothing_is_left_over_where_all_are_annotated():
    found = [RULE.at("a.csv", line) for line in range(1, ANNOTATIONS + 1)]
    assert len(findings_github(found).splitlines()) == ANNOTATIONS
