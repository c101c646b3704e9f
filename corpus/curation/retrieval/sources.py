"""The sources that a search can ask: the only list of them.

Each names its hosts, builds the address of a page and reads the answer. Nothing is guessed from an
answer: what has another type than documented counts as missing, and a record without a title is
skipped and counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol
from urllib.parse import urlencode
from xml.etree.ElementTree import Element, ParseError

from corpus.curation.lookup import lookup_rules as rules
from corpus.curation.lookup.candidate import Candidate, author, clean
from corpus.curation.lookup.crossref import parse_record
from corpus.curation.lookup.json_answer import items_of, mapping_of, read_object, text_of
from corpus.curation.lookup.openreview import parse_notes
from corpus.curation.lookup.transport import Service
from corpus.curation.retrieval.query import query_for
from corpus.curation.retrieval.record import AnswerPage, Retrieved, abstract_of
from corpus.curation.retrieval.searches import Search
from corpus.model.finding import CorpusError
from corpus.model.identifiers import find_arxiv, find_doi

_JSON = "application/json"
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_HOMONYM = re.compile(r" [0-9]{4}$")
#: An inverted index with a position beyond this is not an abstract.
_MOST_WORDS = 20_000


class SearchSource(Protocol):
    """One source."""

    #: Its name and hosts.
    service: Service
    #: Media type to ask for.
    accept: str
    #: Seconds between two questions, as the source wishes.
    pause: float

    def url(self, search: Search, position: str) -> str:
        """Return the address of the page at a position; an empty one is the first."""

    def page(self, body: bytes, search: Search, position: str) -> AnswerPage:
        """Read an answer; CorpusError (C707) where it is not one."""


def _number(position: str) -> int:
    return int(position) if position.isdecimal() else 0


def _whole(value: Any) -> int | None:
    """Return a count that an answer has as a number or as digits."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,12}", value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return None


def _next_offset(position: str, received: int, hits: int | None) -> str:
    """Return where the next page starts, for sources that count records."""
    end = _number(position) + received
    if not received or (hits is not None and end >= hits):
        return ""
    return str(end)


def _records_of(
    items: Iterable[Any], read: Callable[[Mapping[str, Any]], Retrieved | None]
) -> list[Retrieved]:
    """Return the records of an answer without those that have no title."""
    records = []
    for item in items:
        record = read(mapping_of(item))
        if record is not None:
            records.append(record)
    return records


def _cursor_address(
    address: str, asked: Mapping[str, str], search: Search, position: str, bounds: tuple[str, str]
) -> str:
    """Return the address of a page of a service with cursors; `bounds` are its names for days."""
    parameters = {**asked, "cursor": position or "*"}
    given = []
    for name, day in zip(bounds, (search.first, search.last), strict=True):
        if day:
            given.append(f"{name}:{day}")
    if given:
        parameters["filter"] = ",".join(given)
    return f"{address}?{urlencode(parameters)}"


def _from_candidate(candidate: Candidate, abstract: str) -> Retrieved:
    return Retrieved(
        title=candidate.title,
        authors="; ".join(candidate.authors),
        year=candidate.year,
        venue=candidate.venue,
        arxiv=candidate.arxiv,
        doi=candidate.doi,
        url=candidate.url,
        abstract=abstract,
    )


class _Arxiv:
    """arXiv: the Atom feed of its export interface."""

    service = Service("arXiv", frozenset({"export.arxiv.org", "arxiv.org"}))
    accept = "application/atom+xml"
    pause = 3.0
    _size = 100

    def url(self, search: Search, position: str) -> str:
        query = query_for("arxiv", search.query)
        if search.first or search.last:
            first = search.first.replace("-", "") or "19910101"
            last = search.last.replace("-", "") or "29991231"
            query = f"({query}) AND submittedDate:[{first}0000 TO {last}2359]"
        asked = {
            "search_query": query,
            "start": str(_number(position)),
            "max_results": str(self._size),
            "sortBy": "submittedDate",
            "sortOrder": "ascending",
        }
        return f"https://export.arxiv.org/api/query?{urlencode(asked)}"

    def page(self, body: bytes, search: Search, position: str) -> AnswerPage:
        # XML needs a parser of its own, which other sources do not.
        from defusedxml.common import DefusedXmlException
        from defusedxml.ElementTree import fromstring

        try:
            feed = fromstring(body, forbid_dtd=True)
        except DefusedXmlException:
            raise self._bad(search, "it declares a document type or entities") from None
        except (ParseError, ValueError, LookupError) as error:
            raise self._bad(search, f"it is not valid XML ({error})") from None
        hits = _whole(feed.findtext(_TOTAL, "").strip())
        entries = feed.findall(f"{_ATOM}entry")
        if entries and "/api/errors" in entries[0].findtext(f"{_ATOM}id", ""):
            problem = clean(entries[0].findtext(f"{_ATOM}summary", ""), 200)
            raise self._bad(search, f"arXiv reports: {problem}")
        records = []
        for entry in entries:
            record = _arxiv_work(entry)
            if record is not None:
                records.append(record)
        following = _next_offset(position, len(entries), hits)
        return AnswerPage(records, hits, following, len(entries) - len(records))

    def _bad(self, search: Search, problem: str) -> CorpusError:
        finding = rules.BAD_ANSWER.at(search.id, service=self.service.name, problem=problem)
        return CorpusError([finding])


def _arxiv_work(entry: Element) -> Retrieved | None:
    title = clean(entry.findtext(f"{_ATOM}title", ""))
    identifier = find_arxiv(entry.findtext(f"{_ATOM}id", "").strip()) or ""
    if not title or not identifier:
        return None
    names = [author(item.findtext(f"{_ATOM}name", "")) for item in entry.iter(f"{_ATOM}author")]
    return Retrieved(
        title=title,
        authors="; ".join(filter(None, names)),
        year=_year(entry.findtext(f"{_ATOM}published", "")),
        venue="arXiv",
        arxiv=identifier,
        doi=find_doi(clean(entry.findtext(f"{_ARXIV}doi", ""))) or "",
        url=f"https://arxiv.org/abs/{identifier}",
        abstract=abstract_of(entry.findtext(f"{_ATOM}summary", "")),
    )


class _OpenAlex:
    """OpenAlex: works by full-text query, paged by a cursor."""

    service = Service("OpenAlex", frozenset({"api.openalex.org"}))
    accept = _JSON
    pause = 1.0

    def url(self, search: Search, position: str) -> str:
        asked = {"search": query_for("openalex", search.query), "per-page": "100"}
        days = ("from_publication_date", "to_publication_date")
        return _cursor_address("https://api.openalex.org/works", asked, search, position, days)

    def page(self, body: bytes, search: Search, position: str) -> AnswerPage:
        answer = read_object(body, self.service.name, search.id)
        about = mapping_of(answer.get("meta"))
        items = items_of(answer.get("results"))
        records = _records_of(items, _openalex_work)
        following = text_of(about.get("next_cursor")) if items else ""
        return AnswerPage(records, _whole(about.get("count")), following, len(items) - len(records))


def _openalex_work(item: Mapping[str, Any]) -> Retrieved | None:
    title = clean(text_of(item.get("display_name")) or text_of(item.get("title")))
    if not title:
        return None
    names: list[str] = []
    for part in items_of(item.get("authorships")):
        person = mapping_of(mapping_of(part).get("author"))
        names.append(author(text_of(person.get("display_name"))))
    place = mapping_of(item.get("primary_location"))
    addresses = [text_of(place.get("landing_page_url"))]
    for part in items_of(item.get("locations")):
        addresses.append(text_of(mapping_of(part).get("landing_page_url")))
    doi = find_doi(text_of(item.get("doi"))) or ""
    arxiv = ""
    for address in [doi, *addresses]:
        arxiv = arxiv or find_arxiv(address) or ""
    return Retrieved(
        title=title,
        authors="; ".join(filter(None, names)),
        year=_year(str(item.get("publication_year"))),
        venue=clean(text_of(mapping_of(place.get("source")).get("display_name"))),
        arxiv=arxiv,
        doi=doi,
        url=_address(addresses[0] or text_of(item.get("id"))),
        abstract=abstract_of(_uninverted(mapping_of(item.get("abstract_inverted_index")))),
    )


def _uninverted(index: Mapping[str, Any]) -> str:
    """Return the text of an inverted index: word -> positions."""
    words: dict[int, str] = {}
    for word, positions in index.items():
        for position in items_of(positions):
            if isinstance(position, int) and 0 <= position < _MOST_WORDS:
                words[position] = word
    return " ".join(words[position] for position in sorted(words))


class _Crossref:
    """Crossref: works by the words of their bibliographic record, paged by a cursor."""

    service = Service("Crossref", frozenset({"api.crossref.org"}))
    accept = _JSON
    pause = 1.0

    def url(self, search: Search, position: str) -> str:
        asked = {"query.bibliographic": query_for("crossref", search.query), "rows": "100"}
        days = ("from-pub-date", "until-pub-date")
        return _cursor_address("https://api.crossref.org/works", asked, search, position, days)

    def page(self, body: bytes, search: Search, position: str) -> AnswerPage:
        answer = mapping_of(read_object(body, self.service.name, search.id).get("message"))
        items = items_of(answer.get("items"))
        records = _records_of(items, _crossref_work)
        following = text_of(answer.get("next-cursor")) if items else ""
        hits = _whole(answer.get("total-results"))
        return AnswerPage(records, hits, following, len(items) - len(records))


def _crossref_work(item: Mapping[str, Any]) -> Retrieved | None:
    try:
        candidate = parse_record(item, text_of(item.get("DOI")), _Crossref.service.name)
    except CorpusError:  # without a title
        return None
    return _from_candidate(candidate, abstract_of(text_of(item.get("abstract"))))


class _OpenReview:
    """OpenReview: submissions by the words of their notes."""

    service = Service("OpenReview", frozenset({"api2.openreview.net"}))
    accept = _JSON
    pause = 1.0
    _size = 100

    def url(self, search: Search, position: str) -> str:
        asked = {
            "term": query_for("openreview", search.query),
            "content": "all",
            "group": "all",
            "source": "forum",
            "limit": str(self._size),
            "offset": str(_number(position)),
        }
        return f"https://api2.openreview.net/notes/search?{urlencode(asked)}"

    def page(self, body: bytes, search: Search, position: str) -> AnswerPage:
        answer = read_object(body, self.service.name, search.id)
        notes = items_of(answer.get("notes"))
        records = _records_of(notes, _openreview_work)
        hits = _whole(answer.get("count"))
        following = _next_offset(position, len(notes), hits)
        return AnswerPage(records, hits, following, len(notes) - len(records))


def _openreview_work(note: Mapping[str, Any]) -> Retrieved | None:
    try:
        candidate = parse_notes({"notes": [note]}, text_of(note.get("id")))
    except CorpusError:  # without a title
        return None
    # Older notes have plain values, newer ones {"value": ...}.
    abstract = mapping_of(note.get("content")).get("abstract")
    text = text_of(mapping_of(abstract).get("value")) or text_of(abstract)
    return _from_candidate(candidate, abstract_of(text))


class _SemanticScholar:
    """Semantic Scholar: the bulk search, paged by a token."""

    service = Service("Semantic Scholar", frozenset({"api.semanticscholar.org"}))
    accept = _JSON
    pause = 1.0
    _fields = "title,abstract,year,authors,externalIds,venue,url"

    def url(self, search: Search, position: str) -> str:
        asked = {"query": query_for("semanticscholar", search.query), "fields": self._fields}
        if search.first or search.last:
            asked["publicationDateOrYear"] = f"{search.first}:{search.last}"
        if position:
            asked["token"] = position
        return f"https://api.semanticscholar.org/graph/v1/paper/search/bulk?{urlencode(asked)}"

    def page(self, body: bytes, search: Search, position: str) -> AnswerPage:
        answer = read_object(body, self.service.name, search.id)
        items = items_of(answer.get("data"))
        records = _records_of(items, _semantic_scholar_work)
        following = text_of(answer.get("token")) if items else ""
        hits = _whole(answer.get("total"))
        return AnswerPage(records, hits, following, len(items) - len(records))


def _semantic_scholar_work(item: Mapping[str, Any]) -> Retrieved | None:
    title = clean(text_of(item.get("title")))
    if not title:
        return None
    names: list[str] = []
    for part in items_of(item.get("authors")):
        names.append(author(text_of(mapping_of(part).get("name"))))
    ids = mapping_of(item.get("externalIds"))
    return Retrieved(
        title=title,
        authors="; ".join(filter(None, names)),
        year=_year(str(item.get("year"))),
        venue=clean(text_of(item.get("venue"))),
        arxiv=find_arxiv(text_of(ids.get("ArXiv"))) or "",
        doi=find_doi(text_of(ids.get("DOI"))) or "",
        url=_address(text_of(item.get("url"))),
        abstract=abstract_of(text_of(item.get("abstract"))),
    )


class _Dblp:
    """DBLP: publications by the words of their record; it has no abstracts."""

    service = Service("DBLP", frozenset({"dblp.org"}))
    accept = _JSON
    pause = 2.0
    _size = 500

    def url(self, search: Search, position: str) -> str:
        asked = {
            "q": query_for("dblp", search.query),
            "format": "json",
            "h": str(self._size),
            "f": str(_number(position)),
        }
        return f"https://dblp.org/search/publ/api?{urlencode(asked)}"

    def page(self, body: bytes, search: Search, position: str) -> AnswerPage:
        answer = mapping_of(read_object(body, self.service.name, search.id).get("result"))
        found = mapping_of(answer.get("hits"))
        items = items_of(found.get("hit"))
        records = _records_of(items, _dblp_work)
        hits = _whole(found.get("@total"))
        following = _next_offset(position, len(items), hits)
        return AnswerPage(records, hits, following, len(items) - len(records))


def _dblp_work(hit: Mapping[str, Any]) -> Retrieved | None:
    item = mapping_of(hit.get("info"))
    title = clean(text_of(item.get("title"))).removesuffix(".")
    if not title:
        return None
    # One author is an object, several are a list of them.
    given = mapping_of(item.get("authors")).get("author")
    people = items_of(given) or [given]
    names = []
    for part in people:
        name = text_of(mapping_of(part).get("text"))
        # DBLP numbers people of the same name: "Ann Ward 0001".
        names.append(author(_HOMONYM.sub("", name)))
    address = text_of(item.get("ee"))
    return Retrieved(
        title=title,
        authors="; ".join(filter(None, names)),
        year=_year(text_of(item.get("year"))),
        venue=clean(text_of(item.get("venue"))),
        arxiv=find_arxiv(address) or "",
        doi=find_doi(text_of(item.get("doi")) or address) or "",
        url=_address(address or text_of(item.get("url"))),
    )


def _year(text: str) -> str:
    match = re.match(r"[12][0-9]{3}(?![0-9])", text)
    return match[0] if match else ""


def _address(text: str) -> str:
    """Return an https address; an empty one for anything else that a source may send."""
    text = clean(text, 500)
    return text if re.fullmatch(r"https?://[!-~]+", text) else ""


SOURCES: Mapping[str, SearchSource] = {
    "arxiv": _Arxiv(),
    "openalex": _OpenAlex(),
    "crossref": _Crossref(),
    "openreview": _OpenReview(),
    "semanticscholar": _SemanticScholar(),
    "dblp": _Dblp(),
}
