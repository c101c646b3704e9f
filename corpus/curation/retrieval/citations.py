"""Citation chasing: what the entries of the pool cite, and what cites them.

OpenAlex and Semantic Scholar are asked, entry by entry; a record names as its source the entry that
led to it. A service whose key is not in the environment is left out.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import product
from typing import Any
from urllib.parse import quote

from corpus.analysis.bibliography.same_works import POOL, known_rows
from corpus.curation.lookup.answers import read_object, text_at, value_at
from corpus.curation.lookup.transport import PoliteClient, Service, UnknownWork, fetch
from corpus.curation.retrieval.searches import Search
from corpus.curation.retrieval.sources import SOURCES, Retrieval, SearchSource
from corpus.model.finding import UsageProblem
from corpus.model.identifiers import arxiv_doi
from corpus.model.study import Study
from corpus.model.work import Work

_OPENALEX, _SCHOLAR = SOURCES["openalex"], SOURCES["semanticscholar"]
_PAPER = "https://api.semanticscholar.org/graph/v1/paper"


class CitationChase:
    """Asks for the references of each entry, and for the works that cite it.

    Parameters
    ----------
    study : Study
        The corpus.
    search : Search
        One of the source ``citations``.

    Attributes
    ----------
    search : Search
        The search, whose query tells which entries are asked about.
    services : list of Service
        Who is asked.
    without : list of str
        Entries that cannot be asked about: they have neither DOI nor arXiv id.

    Raises
    ------
    UsageProblem
        Where no service has its key in the environment, or no entry has an identifier.
    """

    def __init__(self, study: Study, search: Search) -> None:
        seeds: dict[str, dict[str, None]] = {key: {} for key in study.entries}
        for row in known_rows(study):
            if row.place == POOL:
                # The bibliography may have a published DOI beside the preprint of the pool.
                dois = [row.work.doi, row.work.arxiv and arxiv_doi(row.work.arxiv)]
                seeds[row.located.key].update(dict.fromkeys(filter(None, dois)))
        self.without = [key for key, dois in seeds.items() if not dois]
        asked = [each for each in (_OPENALEX, _SCHOLAR) if not each.service.lacking]
        self.services: list[Service] = [each.service for each in asked]
        entries = [(key, list(dois)) for key, dois in seeds.items() if dois]
        if not asked or not entries:
            missing = f"{_OPENALEX.service.lacking}{_SCHOLAR.service.lacking}"
            raise UsageProblem(
                f"no citations can be followed: {len(entries)} entries have a DOI or arXiv id"
                + (missing if not asked else "")
            )
        self._questions = list(product(asked, entries))
        digest = sha256(repr(entries).encode()).hexdigest()[:8]
        query = f"references and citing works of {len(entries)} entries ({digest})"
        self.search = search._replace(query=query)

    def advance(self, found: Retrieval, client: PoliteClient) -> None:
        """Ask one service about the next entry of a run."""
        number = int(found.following) if found.following.isdecimal() else 0
        source, (key, dois) = self._questions[number]
        ask = _from_openalex if source is _OPENALEX else _from_semantic_scholar
        is_known = False
        for part in ask(dois, client, found.search):
            is_known = True
            found.records += [record._replace(source=key) for record in part.records]
            found.skipped += part.skipped
        if not is_known:
            found.unknown.append(f"{key} ({source.service.name})")
        found.following = str(number + 1)
        is_last = number + 1 == len(self._questions)
        found.is_complete = is_last or len(found.records) >= found.search.most
        del found.records[found.search.most :]


def _pages(source: SearchSource, client: PoliteClient, search: Search) -> Retrieval:
    """Return all pages that a source has."""
    found = Retrieval(search, "")
    while not found.is_complete:
        source.advance(found, client)
    return found


def _from_openalex(dois: list[str], client: PoliteClient, search: Search) -> Iterator[Retrieval]:
    """Yield both directions for each description that OpenAlex has of a work."""
    works = set()
    for doi in dois:
        url = f"{_OPENALEX.address}/doi:{quote(doi, safe='/')}?select=id"
        try:
            ask = partial(fetch, url, _OPENALEX.service, _OPENALEX.accept)
            answer = read_object(client.answer(ask), _OPENALEX.service, doi)
        except UnknownWork:
            continue
        works.update(re.findall(r"W[0-9]+$", text_at(answer, "id")))
    for work, relation in product(sorted(works), ("cited_by", "cites")):
        asked = {**_OPENALEX.asked, "filter": f"{relation}:{work}"}
        yield _pages(replace(_OPENALEX, asked=asked, query="", days=None), client, search)


def _from_semantic_scholar(
    dois: list[str], client: PoliteClient, search: Search
) -> Iterator[Retrieval]:
    """Yield both directions for a work, by the first identifier that Semantic Scholar knows."""
    for doi in dois:
        try:
            for relation, end in (("references", "citedPaper"), ("citations", "citingPaper")):
                source = replace(
                    _SCHOLAR,
                    address=f"{_PAPER}/DOI:{quote(doi, safe='/')}/{relation}",
                    asked={**_SCHOLAR.asked, "limit": "500"},
                    query="",
                    position="offset",
                    following="next",
                    start="0",
                    days=None,
                    read=partial(_work_at, end),
                )
                yield _pages(source, client, search)
        except UnknownWork:
            continue
        return


def _work_at(end: str, item: Any) -> Work:
    return _SCHOLAR.read(value_at(item, end))
