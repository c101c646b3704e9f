"""The searches of a corpus: `searches.toml`, a document that the codebook declares."""

import re
from datetime import date
from typing import NamedTuple

from corpus.curation.retrieval import retrieval_rules as rules
from corpus.curation.retrieval.query import UNDATED, WRITERS, QueryProblem, query_for
from corpus.model.documents.codebook_lines import with_lines
from corpus.model.documents.section import Section
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study

#: Name under which the codebook's [documents] declares the file.
DOCUMENT = "searches"
_IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
#: So many records a search retrieves at most, where it sets no limit.
MOST = 2_000


class Search(NamedTuple):
    """One search.

    Attributes
    ----------
    id : str
        Its name: lower-case letters, digits, hyphens.
    source : str
        A source with an interface, or the name of a database whose export is read with ``--from``.
    query : str
        As the protocol has it.
    first, last : str
        Days that bound when a work was first public, as YYYY-MM-DD; empty for none.
    most : int
        So many records are retrieved at most.
    """

    id: str
    source: str
    query: str
    first: str
    last: str
    most: int = MOST

    @property
    def has_interface(self) -> bool:
        """Whether the source can be asked by a program."""
        return self.source in WRITERS


def read_searches(study: Study) -> dict[str, Search]:
    """Return the declared searches by their name.

    Raises
    ------
    CorpusError
        With every mistake (S101) and every query that its source would read otherwise (S102).
    UsageProblem
        Where the codebook declares no searches.
    """
    if DOCUMENT not in study.documents:
        raise UsageProblem(
            "the codebook declares no searches; `corpus init --living .` in the folder of the "
            "corpus adds searches.toml and the tables that it fills"
        )
    source = study.sources[DOCUMENT]
    document = Section(study.documents[DOCUMENT], (), [], source.file, rules.SEARCH_MISTAKE)
    searches = read_search_list(document)
    if document.findings:
        raise CorpusError(with_lines(document.findings, source.text))
    return searches


def read_search_list(document: Section) -> dict[str, Search]:
    """Read a searches file; mistakes are in the findings of the section."""
    if document.raw("format") != 1:
        document.mistake("format", "must be 1")
    searches: dict[str, Search] = {}
    for section in document.sections("searches"):
        search = _search(section)
        if search.id in searches:
            section.mistake("id", f"duplicate id {search.id!r}")
        searches[search.id] = search
    document.finish()
    return searches


def _search(section: Section) -> Search:
    days = {"first": _day(section, "from"), "last": _day(section, "to")}
    search = section.record(Search, **days)
    if not _IDENTIFIER.fullmatch(search.id):
        section.mistake("id", "must be lower-case letters, digits and hyphens")
    if search.first and search.last and search.first > search.last:
        section.mistake("to", "is before `from`")
    if search.source in UNDATED and (search.first or search.last):
        section.mistake("from", f"{search.source} takes no dates; leave `from` and `to` out")
    if not 1 <= search.most <= 100_000:
        section.mistake("most", "must be from 1 to 100,000")
    if search.has_interface and search.query:
        try:
            query_for(search.source, search.query)
        except QueryProblem as problem:
            finding = rules.QUERY_SYNTAX.at(
                section.file,
                column=f"{section.place}.query",
                value=search.query,
                search=search.id,
                problem=str(problem),
                source=search.source,
            )
            section.findings.append(finding)
    return search


def _day(section: Section, key: str) -> str:
    text = section.scalar(key, "")
    try:
        date.fromisoformat(text or "2000-01-01")
    except ValueError:
        section.mistake(key, "must be a day, as YYYY-MM-DD")
        return ""
    return text
