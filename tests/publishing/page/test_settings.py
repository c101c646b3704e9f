"""The section `[page]` of the codebook, and each mistake in it."""

import pytest

from corpus.model.finding import CorpusError, UsageProblem
from corpus.publishing.page.page import site_page
from corpus.publishing.page.settings import left_out, page_settings
from tests.corpora.full import full


def settings(**page):
    return page_settings(full(page=page).codebook)


def test_a_codebook_without_the_section_has_two_years_and_no_questions():
    assert page_settings(full().codebook) == (24, ())
    assert left_out(full().codebook) == ()


def test_a_question_leads_to_a_list_or_to_a_part():
    found = settings(
        months=12,
        leave_out=["uses"],
        questions=[
            {"text": "Deep ones?", "where": {"depth": "deep", "judged.how": "well"}},
            {"text": "What is missing?", "section": "map"},
            {"text": "Both?", "where": {"depth": "none"}},
        ],
    )
    assert found.months == 12
    assert [address for _, address in found.questions] == [
        "#entries?depth=deep&judged.how=well",
        "#map",
        "#entries?depth=none",
    ]


@pytest.mark.parametrize(("page", "place"), [
    ({"months": 0}, "months"),
    ({"months": 121}, "months"),
    ({"month": 3}, "month"),
    ({"leave_out": ["use"]}, "leave_out"),
    ({"questions": [{"text": "?"}]}, "questions[1]"),
    ({"questions": [{"text": "?", "section": "map", "where": {"depth": "deep"}}]}, "questions[1]"),
    ({"questions": [{"section": "map"}]}, "questions[1].text"),
    ({"questions": [{"text": "?", "where": {"colour": "red"}}]}, "questions[1].where.colour"),
    ({"questions": [{"text": "?", "where": {"depth": "sky"}}]}, "questions[1].where.depth"),
    ({"questions": [{"text": "?", "where": {"depth": ["deep", "none"]}}]}, "questions[1].where.depth"),
    ({"questions": [{"text": "?", "section": "map", "to": "x"}]}, "questions[1].to"),
])  # fmt: skip
def test_each_mistake_is_a_finding_at_its_place(page, place):
    with pytest.raises(CorpusError) as caught:
        settings(**page)
    found = [(finding.code, finding.column) for finding in caught.value.findings]
    assert ("C001", f"page.{place}") in found


def test_a_question_to_a_part_that_the_page_does_not_have_is_refused():
    site_page(full(page={"questions": [{"text": "?", "section": "stage-title"}]}))
    with pytest.raises(UsageProblem, match="table-sensor"):
        site_page(full(page={"questions": [{"text": "?", "section": "table-sensor"}]}))
