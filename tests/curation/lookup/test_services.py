"""From what somebody typed to the service that knows the work."""

import pytest

from corpus.curation.lookup.services import look_up
from tests.support.imported import findings_of, refused
from tests.support.recorded_answers import ANTHOLOGY, Web, atom, crossref, openreview


@pytest.mark.parametrize(
    "text", ["", "hello", "https://example.org/paper.pdf", "2601.1", "10.5/x", "file:///etc/passwd"]
)
def test_a_text_that_is_not_an_identifier_causes_no_request(text):
    web = Web({})
    assert refused(look_up, text, web) == ["C709"]
    assert web.asked == []


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("arXiv:2601.00010", "https://export.arxiv.org/api/query?id_list=2601.00010&max_results=1"),
        (
            "10.48550/arXiv.2601.00010",
            "https://export.arxiv.org/api/query?id_list=2601.00010&max_results=1",
        ),
        (
            "https://aclanthology.org/2025.mire-long.7",
            "https://aclanthology.org/2025.mire-long.7.bib",
        ),
        ("10.18653/v1/2025.mire-long.7", "https://aclanthology.org/2025.mire-long.7.bib"),
        (
            "https://openreview.net/forum?id=AbCdEf1234",
            "https://api2.openreview.net/notes?id=AbCdEf1234",
        ),
        ("doi:10.5555/mire.2025.7", "https://api.crossref.org/works/10.5555/mire.2025.7"),
    ],
)
def test_the_service_that_assigned_an_identifier_is_asked(text, asked):
    """A DOI of arXiv or of the Anthology is theirs, not Crossref's."""
    bodies = {"export.arxiv.org": atom(), "aclanthology.org": ANTHOLOGY,
              "api2.openreview.net": openreview(), "api.crossref.org": crossref()}  # fmt: skip
    web = Web({asked: bodies[asked.split("/")[2]]})
    assert look_up(text, web).title.startswith("Wet Sensors")
    assert web.asked == [asked]


def test_a_long_text_is_cut_in_its_finding():
    assert [len(finding.value) for finding in findings_of(look_up, "x" * 5000, Web({}))] == [200]
