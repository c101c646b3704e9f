"""Citation chasing: what the entries of the pool cite, and what cites them.

OpenAlex and Semantic Scholar are asked, entry by entry; a record names as its source the entry that
led to it. A service whose key is not in the environment is left out.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import product
from typing import Any
from urllib.parse import quote

from corpus.analysis.bibliography.same_works import POOL, known_rows
from corpus.curation.lookup.answers import read_object, text_at, value_at
from corpus.curation.lookup.transport import PoliteClient, UnknownWork, fetch
from corpus.curation.retrieval.searches import Search
from corpus.curation.retrieval.sources import SOURCES, Retrieval, SearchSource
from corpus.model.finding import UsageProblem
from corpus.model.identifiers import arxiv_doi, find_arxiv
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
    services : list of str
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
        self.services = [each.service.name for each in asked]
        entries = [(key, list(dois)) for key, dois in seeds.items() if dois]
        self._questions = list(product(asked, entries))
        if not self._questions:
            lacking = [each.service.lacking for each in (_OPENALEX, _SCHOLAR)]
            raise UsageProblem(
                f"no citations can be followed: {len(entries)} entries have a DOI or arXiv id"
                f"{''.join(lacking)}"
            )
        digest = sha256(repr(entries).encode()).hexdigest()[:8]
        query = f"references and citing works of {len(entries)} entries ({digest})"
        self.search = search._replace(query=query)

    def advance(self, found: Retrieval, client: PoliteClient) -> None:
        """Ask one service about the next entry of a run."""
        number = int(found.following) if found.following.isdecimal() else 0
        source, (key, dois) = self._questions[number]
        is_known = False
        for doi in dois:
            # OpenAlex may have preprint and publication as two works, Semantic Scholar has one.
            if is_known and source is _SCHOLAR:
                break
            with contextlib.suppress(UnknownWork):
                for way in _ways(source, quote(doi, safe="/"), client):
                    part = Retrieval(found.search, "")
                    while not part.is_complete:
                        way.advance(part, client)
                    is_known = True
                    found.records += [record._replace(source=key) for record in part.records]
                    found.skipped += part.skipped
        if not is_known:
            found.unknown.append(f"{key} ({source.service.name})")
        found.following = str(number + 1)
        is_last = number + 1 == len(self._questions)
        found.is_complete = is_last or len(found.records) >= found.search.most
        del found.records[found.search.most :]


def _ways(source: SearchSource, doi: str, client: PoliteClient) -> Iterator[SearchSource]:
    """Yield what is asked for the references of a work, and for the works that cite it."""
    if source is _OPENALEX:
        url = f"{source.address}/doi:{doi}?select=id"
        body = client.answer(partial(fetch, url, source.service, source.accept))
        work = text_at(read_object(body, source.service, doi), "id").rpartition("/")[2]
        for relation in ("cited_by", "cites"):
            asked = {**source.asked, "filter": f"{relation}:{work}"}
            yield replace(source, asked=asked, query="")
        return
    arxiv = find_arxiv(doi)
    paper = f"ARXIV:{arxiv}" if arxiv else f"DOI:{doi}"
    for relation, end in (("references", "citedPaper"), ("citations", "citingPaper")):
        address = f"{_PAPER}/{paper}/{relation}"
        asked = {**source.asked, "limit": "500"}
        read = partial(_work_at, end)
        yield replace(
            source, address=address, asked=asked, read=read, query="", position="offset",
            following="next", start="0",
        )  # fmt: skip


def _work_at(end: str, item: Any) -> Work:
    return _SCHOLAR.read(value_at(item, end))
