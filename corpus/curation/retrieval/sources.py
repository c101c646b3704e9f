"""The sources that a search can ask: the only list of them.

Where a source gives records that can be imported from a file as well, one reader reads both. A
record without a title is skipped and counted.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from corpus.curation.importing.plan import work_of
from corpus.curation.importing.readers.structured import record_cells
from corpus.curation.lookup.answers import clean, items_at, read_object, text_at, value_at
from corpus.curation.lookup.archives import (
    ARXIV,
    CROSSREF,
    OPENREVIEW,
    feed_entries,
    parse_record,
    work_of_entry,
    work_of_note,
)
from corpus.curation.lookup.transport import Service
from corpus.curation.retrieval.query import query_for
from corpus.curation.retrieval.searches import Search
from corpus.model.finding import CorpusError
from corpus.model.work import Work


class AnswerPage(NamedTuple):
    """One page of an answer.

    Attributes
    ----------
    records : list of Work
        Its records.
    hits : int or None
        How many records match in all, where the source tells.
    following : str
        Where the next page starts, in the source's own terms; empty after the last.
    skipped : int
        Records without a title, which nobody could screen.
    """

    records: list[Work]
    hits: int | None
    following: str
    skipped: int = 0


class SearchSource(NamedTuple):
    """One source.

    Attributes
    ----------
    id, service : str, Service
        As searches name it, and who answers.
    address, asked : str, mapping of str to str
        Where it is asked, and the parameters that are the same in every question.
    query, position : str
        Parameters of the query and of the page; a page is known by a cursor that the answer gives
        under `following`, or by the number of records before it.
    read : callable
        Returns the record of an item; CorpusError or a record without a title is none.
    items, hits, following : str
        Where an answer has the records, their number in all, and the cursor.
    days : callable or None
        Returns the parameters that bound the days of a search.
    """

    id: str
    service: Service
    address: str
    asked: Mapping[str, str]
    query: str
    position: str
    read: Callable[[Any], Work]
    items: str
    hits: str
    following: str = ""
    days: Callable[[Search, dict[str, str]], None] | None = None
    decode: Callable[[bytes, Service, str], Any] = read_object
    start: str = "0"
    accept: str = "application/json"
    pause: float = 1.0

    def url(self, search: Search, position: str) -> str:
        """Return the address of the page at a position; an empty one is the first."""
        if not self.following and not position.isdecimal():
            position = ""
        given = {**self.asked, self.query: query_for(self.id, search.query)}
        if position or self.start:
            given[self.position] = position or self.start
        if self.days and (search.first or search.last):
            self.days(search, given)
        return f"{self.address}?{urlencode(given)}"

    def page(self, body: bytes, search: Search, position: str) -> AnswerPage:
        """Read an answer; CorpusError (C707) where it is not one."""
        answer = self.decode(body, self.service, search.id)
        items = items_at(answer, self.items)
        found = []
        for item in items:
            # A record without a title is an error to some readers, and one has too deep a record.
            with suppress(CorpusError, RecursionError):
                work = self.read(item)
                if work.title:
                    found.append(work)
        # A count may be a number or digits.
        hits, count = None, value_at(answer, self.hits)
        if re.fullmatch(r"[0-9]{1,12}", str(count)):
            hits = int(count)
        following = ""
        if items and self.following:
            following = text_at(answer, self.following)
        elif items:
            end = len(items)
            if position.isdecimal():
                end += int(position)
            if hits is None or end < hits:
                following = str(end)
        return AnswerPage(found, hits, following, len(items) - len(found))


def _between(first: str, last: str) -> Callable[[Search, dict[str, str]], None]:
    def add(search: Search, given: dict[str, str]) -> None:
        days = {first: search.first, last: search.last}
        given["filter"] = ",".join(f"{name}:{day}" for name, day in days.items() if day)

    return add


def _arxiv_days(search: Search, given: dict[str, str]) -> None:
    first = search.first.replace("-", "") or "19910101"
    last = search.last.replace("-", "") or "29991231"
    query = given["search_query"]
    given["search_query"] = f"({query}) AND submittedDate:[{first}0000 TO {last}2359]"


def _semantic_scholar_days(search: Search, given: dict[str, str]) -> None:
    given["publicationDateOrYear"] = f"{search.first}:{search.last}"


#: Cells of a record that are called like what they tell.
_NAMES = ("title", "authors", "year", "venue", "abstract", "arxiv", "doi", "url")
_COLUMNS = {name: [name] for name in _NAMES}


def _work_of_record(item: Any, **columns: Sequence[str]) -> Work:
    """Return the work of a record as an import reads it.

    `columns` has the cells of a role where they are called otherwise, the first one first.
    """
    work = work_of(record_cells(item), {**_COLUMNS, **columns})
    url = clean(work.url, 500)
    if not re.fullmatch(r"https?://[!-~]+", url):
        url = ""
    return work._replace(url=url, links=())


_ALL = (
    SearchSource(
        "arxiv", ARXIV, "https://export.arxiv.org/api/query",
        {"max_results": "100", "sortBy": "submittedDate", "sortOrder": "ascending"},
        "search_query", "start", work_of_entry, "entries", "total", days=_arxiv_days,
        decode=feed_entries, accept="application/atom+xml", pause=3.0,
    ),
    SearchSource(
        "openalex", Service("OpenAlex", ("api.openalex.org",)),
        "https://api.openalex.org/works", {"per-page": "100"}, "search", "cursor",
        partial(_work_of_record, url=["url", "openalex"]),
        "results", "meta.count", "meta.next_cursor", start="*",
        days=_between("from_publication_date", "to_publication_date"),
    ),
    SearchSource(
        "crossref", CROSSREF, "https://api.crossref.org/works", {"rows": "100"},
        "query.bibliographic", "cursor", partial(parse_record, doi="", service=CROSSREF),
        "message.items", "message.total-results", "message.next-cursor", start="*",
        days=_between("from-pub-date", "until-pub-date"),
    ),
    SearchSource(
        "openreview", OPENREVIEW, "https://api2.openreview.net/notes/search",
        {"content": "all", "group": "all", "source": "forum", "limit": "100"},
        "term", "offset", work_of_note, "notes", "count",
    ),
    SearchSource(
        "semanticscholar", Service("Semantic Scholar", ("api.semanticscholar.org",)),
        "https://api.semanticscholar.org/graph/v1/paper/search/bulk",
        {"fields": "title,abstract,year,authors,externalIds,venue,url"}, "query", "token",
        partial(_work_of_record, doi=["externalIds.DOI"], arxiv=["externalIds.ArXiv"]),
        "data", "total", "token", start="", days=_semantic_scholar_days,
    ),
    SearchSource(
        "dblp", Service("DBLP", ("dblp.org",)), "https://dblp.org/search/publ/api",
        {"format": "json", "h": "500"}, "q", "f",
        partial(_work_of_record, authors=["authors.author"], doi=["doi", "ee"], url=["ee", "url"]),
        "result.hits.hit", "result.hits.@total", pause=2.0,
    ),
)  # fmt: skip
SOURCES: Mapping[str, SearchSource] = {source.id: source for source in _ALL}
