"""Crossref, and any other DOI by content negotiation: the same citation record either way."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from corpus.curation.importing.names import listed
from corpus.curation.lookup import lookup_rules as rules
from corpus.curation.lookup.answers import (
    ABSTRACT,
    author,
    clean,
    csl_date,
    csl_family,
    items_at,
    person,
    read_object,
    text_at,
    value_at,
)
from corpus.curation.lookup.transport import Opener, Service, fetch
from corpus.model.finding import CorpusError
from corpus.model.identifiers import doi_page, find_arxiv
from corpus.model.work import Work

SERVICE = Service("Crossref", ("api.crossref.org",))
_AGENCIES = ("api.crossref.org", "data.crossref.org", "data.crosscite.org", "data.datacite.org")
RESOLVER = Service("doi.org", ("doi.org", *_AGENCIES))
_CSL = "application/vnd.citationstyles.csl+json"
#: When a work was public, the first that is there; `created` is when the record was made and counts
#: last.
_DATES = listed("posted, published, published-online, published-print, issued, created")


def from_doi(doi: str, opener: Opener | None = None) -> Work:
    """Ask Crossref for a DOI.

    Where Crossref has none (another agency), ask doi.org for the citation record.

    Raises
    ------
    CorpusError
        See :func:`corpus.curation.lookup.transport.fetch`.
    """
    place = quote(doi, safe="/")
    try:
        body = fetch(f"https://api.crossref.org/works/{place}", SERVICE, "application/json", opener)
    except CorpusError as error:
        if error.findings[0].code != rules.UNKNOWN_WORK.code:
            raise
        body = fetch(doi_page(place), RESOLVER, _CSL, opener)
        return parse_record(read_object(body, RESOLVER, doi), doi, RESOLVER)
    message = value_at(read_object(body, SERVICE, doi), "message")
    return parse_record(message, doi, SERVICE)


def parse_record(record: Any, doi: str, service: Service) -> Work:
    """Read the candidate out of a citation record (Crossref's work, or CSL-JSON).

    Raises
    ------
    CorpusError
        Where it has no title, or is about another DOI (C707).
    """
    title = clean(text_at(record, "title"))
    if not title:
        raise service.bad_answer(doi, "it has no title")
    # DOIs differ in case between services, and are the same.
    stated = text_at(record, "DOI")
    if stated.casefold() not in ("", doi.casefold()):
        raise service.bad_answer(doi, "it is about another DOI")
    subtitle = clean(text_at(record, "subtitle"))
    if subtitle.casefold() not in title.casefold():
        title = f"{title}: {subtitle}"
    dates = {kind: csl_date(value_at(record, kind)) for kind in _DATES}
    created = dates.pop("created")
    known = sorted((date, kind) for kind, date in dates.items() if date)
    first_public, kind = next(iter(known), (created, "created"))
    evidence = ""
    if first_public:
        evidence = f"{service.name}, date {kind}"
    # The year of the issue is the venue's year.
    year = dates["published-print"] or dates["issued"] or dates["published"] or first_public
    venue = ""
    for place in ("container-title", "event.name", "publisher"):
        venue = venue or clean(text_at(record, place))
    preprint = ""
    for related in items_at(record, "relation.has-preprint"):
        preprint = preprint or find_arxiv(text_at(related, "id")) or ""
    remarks = []
    if preprint:
        remarks.append(f"preprint: arXiv {preprint}")
    return Work(
        source=service.name,
        title=title,
        authors=tuple(filter(None, map(_name, items_at(record, "author")))),
        year=year[:4],
        venue=venue,
        affiliation=clean(text_at(record, "author.affiliation.name"), 200),
        arxiv=preprint,
        doi=clean(stated) or doi,
        url=doi_page(doi) if doi else "",
        first_public=first_public,
        evidence=evidence,
        remarks=tuple(remarks),
        abstract=clean(text_at(record, "abstract"), ABSTRACT),
    )


def _name(item: Any) -> str:
    if text_at(item, "family"):
        return person(csl_family(item), text_at(item, "given"))
    return person(text_at(item, "name"), "") or author(text_at(item, "literal"))
