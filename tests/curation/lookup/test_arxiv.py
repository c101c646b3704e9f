"""arXiv: what its feed tells of a work, and what it should not send."""

import pytest

from corpus.curation.lookup.services import look_up, parse_feed
from tests.support.imported import findings_of
from tests.support.recorded_answers import (
    BILLION,
    COMMENT,
    ENTITIES,
    INCORRECT,
    NOTHING,
    Web,
    atom,
    offline,
    refusal,
    reply,
)

ARXIV = "https://export.arxiv.org/api/query?id_list=2601.00010&max_results=1"


@pytest.mark.parametrize(
    "text",
    [
        "2601.00010",
        "arXiv:2601.00010v2",
        "https://arxiv.org/pdf/2601.00010v3",
        " 2601.00010 ",
        "10.48550/arXiv.2601.00010",
        "https://doi.org/10.48550/arXiv.2601.00010",
    ],
)
def test_arxiv(text):
    web = Web({ARXIV: atom(extra=COMMENT.format("12 pages"))})
    found = look_up(text, web)
    assert web.asked == [ARXIV]
    assert "mas-rl-corpus/" in web.headers[0]["User-Agent"]
    assert found.title == "Wet Sensors: Reading Soil & Peat"
    assert found.authors == ("Ward, Ann", "de Witt, Christian Schroeder", "Bog Sensing Team")
    assert (found.year, found.first_public, found.evidence) == ("2026", "2026-01-30", "arXiv v1")
    assert (found.arxiv, found.doi) == ("2601.00010", "10.48550/arXiv.2601.00010")
    assert (found.venue, found.url) == ("arXiv", "https://arxiv.org/abs/2601.00010")
    assert found.affiliation == "Mire Institute"
    assert found.remarks == ("comment: 12 pages",)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (ENTITIES.encode(), "C707"),
        (BILLION.encode(), "C707"),
        (b"<feed", "C707"),
        (b"\xff\xfe<", "C707"),
        (b"<!DOCTYPE html><html><body>captive portal</body></html>", "C707"),
        (b"<a>" * 200_000, "C707"),
        (atom("2601.00011"), "C707"),
        (atom().replace(b"2026-01-30T17:59:59Z", b"soon"), "C707"),
        (NOTHING.encode(), "C705"),
        (INCORRECT.encode(), "C705"),
        (reply(301, location="https://evil.example/"), "C702"),
        (TimeoutError(), "C704"),
        (offline(), "C701"),
    ],
)
def test_what_arxiv_should_not_send(answer, expected):
    assert refusal("2601.00010", {ARXIV: answer}) == expected


JOURNAL = '<arxiv:journal_ref xmlns:arxiv="http://arxiv.org/schemas/atom">Mires 7 (2026)</arxiv:journal_ref>'
OWN_DOI = '<arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1234/Mire.7</arxiv:doi>'


def test_a_published_work_has_its_own_doi_and_where_it_came_out_as_a_remark():
    found = parse_feed(atom(extra=JOURNAL + OWN_DOI + COMMENT.format("9 pages")), "2601.00010")
    assert found.doi == "10.1234/Mire.7"
    assert found.remarks == ("journal reference: Mires 7 (2026)", "comment: 9 pages")


def test_an_identifier_of_the_older_form_keeps_its_slash():
    address = "https://export.arxiv.org/api/query?id_list=cs/0701001&max_results=1"
    found = look_up("arXiv:cs/0701001", Web({address: atom("cs/0701001")}))
    assert (found.arxiv, found.url) == ("cs/0701001", "https://arxiv.org/abs/cs/0701001")


def test_the_reason_of_a_withdrawal_is_shown():
    answer = atom(summary="This submission has been withdrawn by arXiv administrators.")
    assert refusal("2601.00010", {ARXIV: answer}) == "C708"
    answer = atom(extra=COMMENT.format("Withdrawn: wrong data"))
    (finding,) = findings_of(parse_feed, answer, "2601.00010")
    assert (finding.code, finding.file, finding.value) == ("C708", "2601.00010", "2601.00010")
    assert "wrong data" in finding.message
