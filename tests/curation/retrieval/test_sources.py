"""What each service is asked, and every field of what it answers."""

import json
from urllib.parse import parse_qsl, urlsplit

import pytest

from corpus.curation.retrieval.searches import Search
from corpus.curation.retrieval.sources import SOURCES, Retrieval
from tests.support.search_answers import (
    arxiv_page,
    crossref_page,
    dblp_page,
    openalex_page,
    openalex_work,
    openreview_page,
    semantic_scholar_page,
)


def search(source, first="", last=""):
    return Search("wet", source, "peat moss", first, last, 2_000)


def asked(source, position="", **days):
    address = urlsplit(SOURCES[source].url(search(source, **days), position))
    return f"{address.scheme}://{address.netloc}{address.path}", dict(parse_qsl(address.query))


DAYS = {"first": "2026-01-02", "last": "2026-03-04"}
ARXIV = "(all:peat AND all:moss) AND submittedDate:"


@pytest.mark.parametrize(
    ("source", "days", "wanted"),
    [
        ("arxiv", DAYS, {"search_query": f"{ARXIV}[202601020000 TO 202603042359]"}),
        ("arxiv", {"first": "2026-01-02"}, {"search_query": f"{ARXIV}[202601020000 TO 299912312359]"}),
        ("arxiv", {"last": "2026-03-04"}, {"search_query": f"{ARXIV}[199101010000 TO 202603042359]"}),
        ("arxiv", {}, {"search_query": "all:peat AND all:moss", "start": "0", "max_results": "100",
                       "sortBy": "submittedDate", "sortOrder": "ascending"}),
        ("openalex", DAYS, {"search": "peat moss", "per-page": "100", "cursor": "*",
                            "filter": "from_publication_date:2026-01-02,to_publication_date:2026-03-04"}),
        ("openalex", {"last": "2026-03-04"}, {"filter": "to_publication_date:2026-03-04"}),
        ("crossref", DAYS, {"query.bibliographic": "peat moss", "rows": "100", "cursor": "*",
                            "filter": "from-pub-date:2026-01-02,until-pub-date:2026-03-04"}),
        ("crossref", {"first": "2026-01-02"}, {"filter": "from-pub-date:2026-01-02"}),
        ("semanticscholar", DAYS, {"query": "peat moss", "publicationDateOrYear": "2026-01-02:2026-03-04",
                                   "fields": "title,abstract,year,authors,externalIds,venue,url"}),
        ("semanticscholar", {"last": "2026-03-04"}, {"publicationDateOrYear": ":2026-03-04"}),
        ("openreview", {}, {"term": "peat moss", "content": "all", "group": "all", "source": "forum",
                            "limit": "100", "offset": "0"}),
        ("dblp", {}, {"q": "peat moss", "format": "json", "h": "500", "f": "0"}),
    ],
)  # fmt: skip
def test_a_service_is_asked_for_the_words_and_the_days(source, days, wanted):
    _, parameters = asked(source, **days)
    assert parameters == {**parameters, **wanted}
    dated = ("submittedDate:[", "filter", "publicationDateOrYear")
    assert any(name in str(parameters) for name in dated) is bool(days)


@pytest.mark.parametrize(("source", "address", "parameter", "following"), [
    ("arxiv", "https://export.arxiv.org/api/query", "start", "200"),
    ("openalex", "https://api.openalex.org/works", "cursor", "IlsxNj"),
    ("crossref", "https://api.crossref.org/works", "cursor", "DnF1=="),
    ("openreview", "https://api2.openreview.net/notes/search", "offset", "200"),
    ("semanticscholar", "https://api.semanticscholar.org/graph/v1/paper/search/bulk", "token", "ABC"),
    ("dblp", "https://dblp.org/search/publ/api", "f", "200"),
])  # fmt: skip
def test_the_next_page_is_asked_for_in_the_terms_of_the_service(
    source, address, parameter, following
):
    place, parameters = asked(source, following)
    assert (place, parameters[parameter]) == (address, following)
    assert place.split("/")[2] in SOURCES[source].service.hosts


PAGES = {
    "arxiv": (
        arxiv_page(("2601.00001v2", "Peat that listens")).replace(
            b"<title>",
            b'<arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1234/x</arxiv:doi><title>',
        ),
        ("Peat that listens", "Ward, Ann", "2026", "arXiv", "2601.00001", "10.1234/x",
                  "https://arxiv.org/abs/2601.00001", "It is wet."),
    ),
    "openalex": (
        openalex_page(openalex_work()),
        ("Peat that listens", "Ward, Ann; Li, Bo", "2025", "Mires", "2501.00001",
                  "10.1234/peat", "https://doi.org/10.1234/peat", "Peat is wet, is it"),
    ),
    "crossref": (
        crossref_page(),
        ("A bog", "Ward, Ann", "2024", "Mires", "", "10.1234/bog",
                  "https://doi.org/10.1234/bog", "It is wet."),
    ),
    "openreview": (
        openreview_page(),
        ("A fen", "Ward, Ann", "2026", "MIRE 2026", "", "",
                  "https://openreview.net/forum?id=abcdefghij", "It is low."),
    ),
    "semanticscholar": (
        semantic_scholar_page(),
        ("A carr", "Ward, Ann", "2023", "Mires", "2301.00001", "10.1234/carr",
                  "https://www.semanticscholar.org/paper/x", "Trees."),
    ),
    "dblp": (
        dblp_page(),
        ("A mire", "Ward, Ann", "2022", "Mires", "", "10.1234/mire",
                  "https://doi.org/10.1234/mire", ""),
    ),
}  # fmt: skip


def cells(work):
    """Return what a candidate has of a work."""
    about = (work.title, "; ".join(work.authors), work.year, work.venue)
    return (*about, work.arxiv, work.doi, work.url, work.abstract)


def page(source, body, position=""):
    found = Retrieval(search(source), "", following=position)
    SOURCES[source].read_page(found, body)
    return found


@pytest.mark.parametrize("source", PAGES)
def test_every_field_of_a_record_is_read(source):
    body, record = PAGES[source]
    assert cells(page(source, body).records[0]) == record


def test_records_without_a_title_are_counted():
    found = page("crossref", crossref_page())
    assert (len(found.records), found.skipped, found.hits) == (1, 1, 2)
    found = page("openalex", openalex_page(openalex_work(), openalex_work(display_name=" ")))
    assert (len(found.records), found.skipped, found.hits) == (1, 1, 2)


def test_a_service_with_marks_is_asked_until_it_gives_none_or_no_record():
    assert page("openalex", openalex_page(openalex_work(), cursor="two")).following == "two"
    assert page("openalex", openalex_page(openalex_work())).following == ""
    assert page("openalex", openalex_page(cursor="two")).following == ""
    assert page("semanticscholar", semantic_scholar_page("two")).following == "two"


@pytest.mark.parametrize(
    ("address", "kept"),
    [("https://a.example/x", True), ("http://a.example", True), ("ftp://a.example", False),
     ("javascript:alert(1)", False), ("https://a.example/\u202e", True), ("https://a b", False)],
)  # fmt: skip
def test_only_addresses_of_the_web_are_kept(address, kept):
    work = openalex_work(doi=None, locations=[], primary_location={"landing_page_url": address})
    (record,) = page("openalex", openalex_page(work)).records
    assert bool(record.url) is kept
    assert "\u202e" not in record.url


def test_half_a_character_of_an_answer_reaches_no_address_and_no_file():
    """JSON can spell it, and neither can hold it."""
    work = openalex_work(display_name="Peat\ud800")
    found = page("openalex", openalex_page(work, cursor="a\udfffb"))
    assert (found.following, found.records[0].title) == ("ab", "Peat")
    item = {"title": ["A bog"], "DOI": "10.1234/bog\ud800"}
    body = json.dumps({"message": {"items": [item], "next-cursor": "\ud800"}}).encode()
    found = page("crossref", body)
    assert (found.following, found.records[0].doi) == ("", "10.1234/bog")
    assert found.records[0].url == "https://doi.org/10.1234/bog"


@pytest.mark.parametrize(
    "source", ["openalex", "crossref", "openreview", "semanticscholar", "dblp"]
)
@pytest.mark.parametrize(
    "odd", [None, 7, "x", [], {}, {"title": [], "display_name": [], "info": [], "content": 1}]
)
def test_what_is_no_record_is_counted_as_skipped(source, odd):
    name = {
        "openalex": "results",
        "crossref": "items",
        "openreview": "notes",
        "semanticscholar": "data",
        "dblp": "hit",
    }
    answer = {name[source]: [odd]}
    bodies = {"crossref": {"message": answer}, "dblp": {"result": {"hits": answer}}}
    found = page(source, json.dumps(bodies.get(source, answer)).encode())
    assert (found.records, found.skipped, found.hits) == ([], 1, None)


@pytest.mark.parametrize(
    ("total", "hits"),
    [("12", 12), (0, 0), (True, None), (-1, None), ("1e3", None), (None, None), (1.5, None)],
)
def test_a_count_is_a_whole_number(total, hits):
    answer = json.dumps({"total": total, "data": []}).encode()
    assert page("semanticscholar", answer).hits == hits
