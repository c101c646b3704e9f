"""The sources that a search can ask, the only list of them, and how they are asked.

Where a source gives records that can be imported from a file as well, one reader reads both. A
record without a title is skipped and counted. A search runs page by page, and is on disk after
each, so that a kill loses no more than one page.
"""

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec

from corpus.curation.importing.column_plan import work_of
from corpus.curation.importing.readers.structured import record_cells
from corpus.curation.lookup.answers import clean, items_at, read_object, text_at, value_at
from corpus.curation.lookup.services import (
    ARXIV,
    CROSSREF,
    OPENREVIEW,
    feed_entries,
    parse_record,
    work_of_entry,
    work_of_note,
)
from corpus.curation.lookup.transport import GaveUp, PoliteClient, Service, fetch
from corpus.curation.retrieval.searches import Search, query_for
from corpus.model.finding import CorpusError, Rule
from corpus.model.work import Work
from corpus.tables.writing.atomic import write_atomic

GAVE_UP = Rule(
    "S104",
    "{source} still answers with status {status} after {tries} tries{lacking}",
    "run the command again later: it goes on where it stopped",
    title="Service refuses for too long",
    reason="It must be left alone for a while.",
)


#: In the data folder; git ignores it by the file that is written into it, and that stays there.
FOLDER = ".retrieval"


class Retrieval(msgspec.Struct):
    """What a search has retrieved so far, as it is on disk.

    Attributes
    ----------
    search : Search
        The search.
    started : str
        Day on which it began, as YYYY-MM-DD.
    records : list of Work
        What came, in the order of the source.
    hits : int or None
        How many records match in all, where the source tells.
    skipped : int
        Records without a title.
    following : str
        Where the next page starts.
    is_complete : bool
        Whether the last page was read, or the limit reached.
    digest : str
        SHA-256 of the file that the records were read from, if they were.
    unknown : list of str
        Of citations: the entries that no service knows.
    """

    search: Search
    started: str
    records: list[Work] = msgspec.field(default_factory=list)
    hits: int | None = None
    skipped: int = 0
    following: str = ""
    is_complete: bool = False
    digest: str = ""
    unknown: list[str] = msgspec.field(default_factory=list)

    @property
    def run_id(self) -> str:
        """Name of the run in the log: the search, its day, and a digest of what was asked."""
        digest = self.digest or sha256(json.dumps(self.search).encode()).hexdigest()
        return f"{self.search.id}-{self.started}-{digest[:6]}"


@dataclass(frozen=True)
class SearchSource:
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
        given = dict(self.asked)
        if self.query:
            given[self.query] = query_for(self.id, search.query)
        if position or self.start:
            given[self.position] = position or self.start
        if self.days and (search.first or search.last):
            self.days(search, given)
        return f"{self.address}?{urlencode(given)}"

    def advance(self, found: Retrieval, client: PoliteClient) -> None:
        """Ask for the next page of a run."""
        url = self.url(found.search, found.following)
        self.read_page(found, client.answer(partial(fetch, url, self.service, self.accept)))

    def read_page(self, found: Retrieval, body: bytes) -> None:
        """Add a page of an answer to a run; CorpusError (C707) where it is not one."""
        answer = self.decode(body, self.service, found.search.id)
        items = items_at(answer, self.items)
        works = []
        for item in items:
            # A record without a title is an error to some readers, and one has too deep a record.
            with contextlib.suppress(CorpusError, RecursionError):
                work = self.read(item)
                if work.title:
                    works.append(work)
        found.records += works
        found.skipped += len(items) - len(works)
        # A count may be a number or digits.
        hits, count = None, value_at(answer, self.hits)
        if re.fullmatch(r"[0-9]{1,12}", str(count)):
            hits = int(count)
        # Some services count again for every page, and answers may grow meanwhile.
        if found.hits is None:
            found.hits = hits
        position, found.following = found.following, ""
        if items and self.following:
            cursor = value_at(answer, self.following)
            found.following = (
                str(cursor) if isinstance(cursor, int) else text_at(answer, self.following)
            )
        elif items:
            end = len(items)
            if position.isdecimal():
                end += int(position)
            if hits is None or end < hits:
                found.following = str(end)
        # A source that names the same page again would never end.
        is_last = found.following in ("", position)
        found.is_complete = is_last or len(found.records) >= found.search.most
        del found.records[found.search.most :]


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
        "openalex", Service("OpenAlex", ("api.openalex.org",), ("OPENALEX_API_KEY",), "api_key="),
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
        "semanticscholar",
        Service("Semantic Scholar", ("api.semanticscholar.org",),
                ("SEMANTIC_SCHOLAR_API_KEY",), "x-api-key"),
        "https://api.semanticscholar.org/graph/v1/paper/search/bulk",
        {"fields": "title,abstract,year,authors,externalIds,venue,url"}, "query", "token",
        partial(_work_of_record, doi=["externalIds.DOI"], arxiv=["externalIds.ArXiv"]),
        "data", "total", "token", start="", days=_semantic_scholar_days, pause=1.1,
    ),
    SearchSource(
        "dblp", Service("DBLP", ("dblp.org",)), "https://dblp.org/search/publ/api",
        {"format": "json", "h": "500"}, "q", "f",
        partial(_work_of_record, authors=["authors.author"], doi=["doi", "ee"], url=["ee", "url"]),
        "result.hits.hit", "result.hits.@total", pause=2.0,
    ),
)  # fmt: skip
SOURCES: Mapping[str, SearchSource] = {source.id: source for source in _ALL}


def retrieve(
    search: Search,
    data: str,
    client: PoliteClient,
    today: str,
    advance: Callable[[Retrieval, PoliteClient], None] | None = None,
) -> Iterator[Retrieval]:
    """Ask the pages of a search, and go on where an earlier run of the same query stopped.

    Parameters
    ----------
    search : Search
        The search.
    data : str
        Folder of the corpus.
    client : PoliteClient
        Asks.
    today : str
        Day of the run, as YYYY-MM-DD.
    advance : callable, optional
        Asks for the next page; that of the source by default.

    Yields
    ------
    Retrieval
        After each page, and last the complete one. It is kept on disk until :func:`forget`.

    Raises
    ------
    CorpusError
        S104 where the source refuses for too long; see
        :func:`corpus.curation.lookup.transport.fetch` for all else.
    """
    path = _path(data, search)
    found = Retrieval(search, today)
    # What cannot be understood, or asked something else, is not gone on with.
    with contextlib.suppress(OSError, msgspec.DecodeError, RecursionError):
        earlier = msgspec.json.decode(path.read_bytes(), type=Retrieval)
        if earlier.search == search:
            found = earlier
    advance = advance or SOURCES[search.source].advance
    while not found.is_complete:
        try:
            advance(found, client)
        except GaveUp as refusal:
            hosts = {host: each.service for each in _ALL for host in each.service.hosts}
            raise GAVE_UP.error(
                search.id,
                source=hosts[refusal.host].name,
                status=refusal.status,
                tries=refusal.tries,
                lacking=hosts[refusal.host].lacking,
            ) from None
        path.parent.mkdir(exist_ok=True)
        (path.parent / ".gitignore").write_text("*\n", encoding="utf-8")
        write_atomic(str(path), msgspec.json.encode(found).decode())
        yield found
    yield found


def forget(search: Search, data: str) -> None:
    """Remove what an interrupted or finished run left on disk."""
    _path(data, search).unlink(missing_ok=True)


def _path(data: str, search: Search) -> Path:
    return Path(data) / FOLDER / f"{search.id}.json"
