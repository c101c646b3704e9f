"""Every service's recorded answer gives a candidate; every hostile variant gives one clear finding."""

import json
import tracemalloc

import pytest

from corpus.curation.lookup.bibtex import parse_bibtex
from corpus.curation.lookup.candidate import Candidate, author, clean
from corpus.curation.lookup.openreview import parse_notes
from corpus.curation.lookup.services import look_up
from corpus.curation.lookup.transport import MAX_BYTES, Unreachable
from corpus.model.finding import CorpusError
from tests.support.recorded_answers import (
    ANTHOLOGY,
    BILLION,
    COMMENT,
    ENTITIES,
    INCORRECT,
    NOTHING,
    Web,
    atom,
    crossref,
    csl,
    offline,
    openreview,
    openreview_v1,
    reply,
)

ARXIV = "https://export.arxiv.org/api/query?id_list=2601.00010&max_results=1"
DOI = "10.5555/mire.2025.7"
CROSSREF = f"https://api.crossref.org/works/{DOI}"
REVIEW = "https://api2.openreview.net/notes?id=AbCdEf1234"
REVIEW_V1 = "https://api.openreview.net/notes?id=AbCdEf1234"
ACL = "https://aclanthology.org/2025.mire-long.7.bib"


def code(text, answers):
    with pytest.raises(CorpusError) as error:
        look_up(text, Web(answers))
    (finding,) = error.value.findings
    assert finding.hint
    return finding.code


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
    "answer",
    [
        atom(
            extra=COMMENT.format(
                "This paper has been withdrawn by the authors due to an error in Theorem 2"
            )
        ),
        atom(summary="This submission has been withdrawn by arXiv administrators."),
    ],
)
def test_a_withdrawn_paper(answer):
    assert code("2601.00010", {ARXIV: answer}) == "C708"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (ENTITIES.encode(), "C707"),
        (BILLION.encode(), "C707"),
        (b"<feed", "C707"),
        (b"", "C707"),
        (b"\xff\xfe<", "C707"),
        (b"<!DOCTYPE html><html><body>captive portal</body></html>", "C707"),
        (b"<a>" * 200_000, "C707"),
        (atom("2601.00011"), "C707"),
        (atom().replace(b"2026-01-30T17:59:59Z", b"soon"), "C707"),
        (NOTHING.encode(), "C705"),
        (INCORRECT.encode(), "C705"),
        (reply(404), "C705"),
        (reply(503), "C706"),
        (reply(302, location="http://export.arxiv.org/api/query"), "C702"),
        (reply(301, location="https://evil.example/"), "C702"),
        (reply(301, location="https://export.arxiv.org@evil.example/"), "C702"),
        (reply(301, location="https://export.arxiv.org:8443/"), "C702"),
        (reply(301, location="https://[::1"), "C702"),
        (reply(301), "C707"),
        (reply(200, [b"\x1f\x8b"], content_encoding="gzip"), "C707"),
        (TimeoutError(), "C704"),
        (offline(), "C701"),
    ],
)
def test_what_arxiv_should_not_send(answer, expected):
    assert code("2601.00010", {ARXIV: answer}) == expected


def test_without_a_connection_the_error_has_its_own_type():
    with pytest.raises(Unreachable):
        look_up("2601.00010", Web({ARXIV: offline()}))


def test_an_answer_of_50_mb_is_cut_off_early():
    piece = b"x" * 65536
    sent = []

    def pieces():
        for _ in range(50_000_000 // len(piece)):
            sent.append(len(piece))
            yield piece

    tracemalloc.start()
    assert code(DOI, {CROSSREF: reply(200, pieces())}) == "C703"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(sent) <= MAX_BYTES + len(piece)
    assert peak < 4 * MAX_BYTES


def test_a_slow_answer_is_given_up(monkeypatch):
    clock = iter(range(0, 1000, 15))
    monkeypatch.setattr("corpus.curation.lookup.transport.time.monotonic", lambda: next(clock))
    assert code(DOI, {CROSSREF: reply(200, [b"{", b"}"])}) == "C704"


def test_crossref():
    found = look_up(f"https://doi.org/{DOI}", Web({CROSSREF: crossref()}))
    assert found.title == "Wet Sensors in situ: Reading & Weighing Peat"
    assert found.authors == ("Ward, Ann", "de Groot, Zoë", "Bog Sensing Team")
    assert found.affiliation == "Mire Institute"
    assert (found.year, found.first_public) == ("2026", "2025-11-04")
    assert (found.venue, found.doi, found.arxiv) == (
        "Proceedings of the 7th Mire Meeting",
        DOI,
        "2601.00010",
    )


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"[]", "C707"),
        (b'{"message": []}', "C707"),
        (b'{"message": {"title": [null]}}', "C707"),
        (b'{"message": NaN}', "C707"),
        (b'{"message":' + b"[" * 100_000, "C707"),
        (crossref(DOI="10.5555/other"), "C707"),
        (crossref(title=[]), "C707"),
        (reply(403), "C706"),
    ],
)
def test_what_crossref_should_not_send(answer, expected):
    assert code(DOI, {CROSSREF: answer}) == expected


@pytest.mark.parametrize(
    "changes",
    [
        {"author": "nobody"},
        {"author": [None, 7, {"family": 3}, {}]},
        {
            "published-print": {"date-parts": [[None]]},
            "published-online": {"date-parts": 7},
            "issued": [],
        },
        {
            "relation": {"has-preprint": {"id": 1}},
            "container-title": {},
            "publisher": 3,
            "event": [],
        },
    ],
)
def test_odd_fields_of_crossref_are_left_empty(changes):
    found = look_up(DOI, Web({CROSSREF: crossref(**changes)}))
    assert found.title.startswith("Wet Sensors")
    assert not found.first_public or found.first_public[:2] == "20"


def test_a_doi_of_another_agency_is_resolved_by_content_negotiation():
    record = reply(302, location="https://data.crosscite.org/10.5281%2Fzenodo.1")
    web = Web(
        {
            "https://doi.org/10.5281/zenodo.1": record,
            "https://data.crosscite.org/10.5281%2Fzenodo.1": csl(),
        }
    )
    found = look_up("10.5281/zenodo.1", web)
    assert found.title == "Peat Data"
    assert found.authors == ("Ward, Ann", "Trust, Bog")  # a literal name is read like any other
    assert found.first_public == "2024-05-06"


def test_a_doi_that_leads_to_another_host():
    away = reply(302, location="https://publisher.example/article/1")
    assert code("10.5281/zenodo.1", {"https://doi.org/10.5281/zenodo.1": away}) == "C702"


def test_openreview():
    found = look_up("https://openreview.net/forum?id=AbCdEf1234", Web({REVIEW: openreview()}))
    assert (found.title, found.authors) == (
        "Wet Sensors: Reading Soil",
        ("Ward, Ann", "de Groot, Zoë"),
    )
    assert (found.venue, found.year, found.first_public) == (
        "MIRES 2025 poster",
        "2025",
        "2025-10-28",
    )


def test_openreview_of_older_venues():
    empty = json.dumps({"notes": [], "count": 0}).encode()
    found = look_up(
        "https://openreview.net/pdf?id=AbCdEf1234", Web({REVIEW: empty, REVIEW_V1: openreview_v1()})
    )
    assert (found.authors, found.venue, found.first_public) == (
        ("Ward, Ann",),
        "MIRES 2021 Oral",
        "2020-09-28",
    )


def test_an_anonymous_submission_has_no_authors():
    content = {"title": {"value": "T"}, "authors": {"value": ["Anonymous"]}}
    found = look_up("openreview:AbCdEf1234", Web({REVIEW: openreview(content=content)}))
    assert found.authors == ()


def test_openreview_refuses_programs():
    assert code("openreview:AbCdEf1234", {REVIEW: reply(403)}) == "C706"


def test_anthology():
    found = look_up("https://aclanthology.org/2025.mire-long.7/", Web({ACL: ANTHOLOGY}))
    assert found.title == "Wet Sensors: Reading Soil & Études of Peat"
    assert found.authors == ("Ward, Ann", "de Groot, Zoë", "Bog Sensing Team")
    assert (found.year, found.first_public) == ("2025", "2025-07")
    assert found.doi == "10.18653/v1/2025.mire-long.7"
    assert found.url == "https://aclanthology.org/2025.mire-long.7/"


def test_anthology_sends_a_page_instead():
    assert code("acl:2025.mire-long.7", {ACL: b"<html>not here</html>"}) == "C710"


@pytest.mark.parametrize(
    "text", ["", "hello", "https://example.org/paper.pdf", "2601.1", "10.5/x", "file:///etc/passwd"]
)
def test_a_text_that_is_not_an_identifier_causes_no_request(text):
    web = Web({})
    with pytest.raises(CorpusError) as error:
        look_up(text, web)
    assert [finding.code for finding in error.value.findings] == ["C709"]
    assert web.asked == []


@pytest.mark.parametrize(
    "data",
    [
        b"@article{a, title = " + b"{" * 20_000,
        b"@article{a, title = " + b"{" * 20_000 + b"x" + b"}" * 20_000 + b"}",
        b"@article{a, title = {x",
        b"@article{a, title = }",
        b"@article{a, author = {Ward, Ann}}",
        b"@article{a, title = {x}}\n@article{a, title = {y}}",
        b"@article{a, title = undefinedstring}",
        b"",
        b"no bibtex at all",
        b"\xff\xfe@",
        b"@comment{x" * 10,
        b"x" * 5_000_001,
    ],
    ids=[
        "open",
        "deep",
        "cut",
        "empty",
        "untitled",
        "twice",
        "macro",
        "nothing",
        "prose",
        "utf16",
        "comment",
        "large",
    ],
)
def test_bibtex_that_cannot_be_read(data):
    with pytest.raises(CorpusError) as error:
        parse_bibtex(data, "x.bib")
    assert [(finding.code, finding.file) for finding in error.value.findings] == [("C710", "x.bib")]


def test_bibtex_of_several_kinds():
    first, second = parse_bibtex(
        b"@misc{a, title={A}, author={Ann Ward and others}, eprint={2601.00010}, archivePrefix={arXiv}, year=2026}\n"
        b"@Article{b, Title={B}, Author={Bo Fen}, Journal={J. Peat}, Date={2024-02-03}, DOI={https://doi.org/10.5555/B}}\n",
        "x.bib",
    )
    assert (first.arxiv, first.url, first.authors) == (
        "2601.00010",
        "https://arxiv.org/abs/2601.00010",
        ("Ward, Ann",),
    )
    assert (second.doi, second.venue, second.first_public) == ("10.5555/b", "J. Peat", "2024-02-03")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x00b\x1b[31mc", "ab[31mc"),
        ("a\u202eb\u200bc\ufeff", "abc"),
        ("a\n\t b", "a b"),
        ("cafe\u0301", "café"),
        ("x < y and z > w", "x < y and z > w"),
        ("<script>alert(1)</script>", "alert(1)"),
        ("&lt;b&gt;bold&lt;/b&gt;", "bold"),
        ("x" * 5000, "x" * 1000),
    ],
)
def test_text_becomes_one_plain_line(text, expected):
    assert clean(text) == expected


@pytest.mark.parametrize(
    "name", ["", ",", ",,,", "a,b,c,d", "{}", "{{{", "\\", "~", "von", "O'Neil", "李 明", "a" * 500]
)
def test_no_name_breaks_anything(name):
    assert ";" not in author(name)


def test_a_byte_that_is_not_utf_8_has_its_line():
    with pytest.raises(CorpusError) as error:
        parse_bibtex(b"@misc{a,\n title = {x}}\n\xff", "a.bib")
    assert [(finding.code, finding.line) for finding in error.value.findings] == [("C710", 3)]


def test_letters_are_composed_and_other_characters_kept():
    assert clean("Cafe\u0301: m² in ½ a ﬁeld") == "Café: m² in ½ a ﬁeld"


@pytest.mark.parametrize(
    ("fields", "venue", "url"),
    [
        ("", "", ""),
        (
            ", eprint = {2601.00010}, archiveprefix = {arXiv}",
            "arXiv",
            "https://arxiv.org/abs/2601.00010",
        ),
        (", journal = {Mires}, doi = {10.1234/x}", "Mires", "https://doi.org/10.1234/x"),
        (", url = {ftp://a.example}", "", ""),
        (", url = {http://a.example}", "", "http://a.example"),
    ],
)
def test_a_bibtex_entry_has_the_venue_and_the_address_that_it_states(fields, venue, url):
    (found,) = parse_bibtex(
        f"@misc{{a, title = {{Peat}}, year = {{2020}}{fields}}}".encode(), "a.bib"
    )
    assert (found.venue, found.url, found.year) == (venue, url, "2020")


def test_everything_that_is_known_has_its_role():
    known = Candidate("x", "Peat", ("Ward, Ann", "Li, Bo"), "2020", "Mires", "Bog Trust", "2001.00001", "10.1234/x",
                      "https://a.example", "2020-01-02", "arXiv v1")  # fmt: skip
    assert known.by_role() == {
        "title": "Peat", "first_author": "Ward, Ann", "authors": "Ward, Ann; Li, Bo", "year": "2020", "venue": "Mires",
        "affiliation": "Bog Trust", "arxiv": "2001.00001", "doi": "10.1234/x", "url": "https://a.example",
        "date": "2020-01-02", "evidence": "arXiv v1",
    }  # fmt: skip


def test_a_note_without_a_title_is_a_bad_answer():
    with pytest.raises(CorpusError) as error:
        parse_notes({"notes": [{"id": "AbCdEf1234", "content": {}}]}, "AbCdEf1234")
    assert [finding.code for finding in error.value.findings] == ["C707"]


def test_braces_that_are_nested_too_deeply_have_their_line():
    with pytest.raises(CorpusError) as error:
        parse_bibtex(b"@misc{a,\n title =\n" + b"{" * 100_000, "a.bib")
    assert [(finding.code, finding.line) for finding in error.value.findings] == [("C710", 3)]
