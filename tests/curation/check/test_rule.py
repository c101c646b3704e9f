"""The example of each check runs, and gives a finding of its rule."""

import doctest
from functools import partial

import pytest

from corpus.curation.check.check import CHECKS
from tests.support.broken import broken


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.rule.code)
def test_the_example_of_a_rule_gives_its_finding(check):
    assert check.rule.title
    assert check.rule.reason
    assert ".csv: " in check.rule.example
    names = {"broken": partial(broken, check)}
    parsed = doctest.DocTestParser().get_doctest(f"{check.rule.example}\n", names, "", None, None)
    report = []
    assert doctest.DocTestRunner(verbose=False).run(parsed, out=report.append).failed == 0, report


def test_nothing_is_found_in_the_rows_of_the_examples(capsys):
    for check in CHECKS:
        broken(check, "sensors")
    assert capsys.readouterr().out == ""
