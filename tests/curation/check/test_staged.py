"""Findings of a temporary copy are shown as those of the user's folder, and only the new ones."""

from corpus.curation.check.check_rules import DOI_FORM, MARKUP
from corpus.curation.check.staged import new_findings


def test_a_moved_line_is_the_same_finding_and_a_second_one_is_new():
    old = MARKUP.at("pool.csv", 3, "title", "x")
    moved = MARKUP.at("pool.csv", 9, "title", "x")
    second = MARKUP.at("pool.csv", 12, "title", "x")
    other = DOI_FORM.at("pool.csv", 3, "doi", "x")
    assert new_findings([moved, second, other], [old]) == [second, other]
    assert new_findings([moved], [old, other]) == []
