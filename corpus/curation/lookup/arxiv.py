"""arXiv: the Atom feed of its export interface."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, ParseError

from corpus.curation.lookup import lookup_rules as rules
from corpus.curation.lookup.answers import ABSTRACT, author, clean
from corpus.curation.lookup.transport import Opener, Service, fetch
from corpus.model.identifiers import arxiv_doi, arxiv_page, find_arxiv
from corpus.model.work import Work

SERVICE = Service("arXiv", ("export.arxiv.org", "arxiv.org"))
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_WITHDRAWN = re.compile(r"\bwithdrawn\b", re.IGNORECASE)
_WITHDRAWN_SUMMARY = re.compile(
    r"\s*(?:this|the) (?:paper|article|submission|manuscript|work) (?:has been|was|is) withdrawn",
    re.IGNORECASE,
)


def from_arxiv(identifier: str, opener: Opener | None = None) -> Work:
    """Ask arXiv for one work by its identifier.

    Raises
    ------
    CorpusError
        See :func:`corpus.curation.lookup.transport.fetch`; C708 for a withdrawn work.
    """
    url = f"https://export.arxiv.org/api/query?id_list={quote(identifier)}&max_results=1"
    return parse_feed(fetch(url, SERVICE, "application/atom+xml", opener), identifier)


def parse_feed(body: bytes, identifier: str) -> Work:
    """Read the candidate out of a feed with one entry; entities and document types are refused."""
    entries = _feed(body, identifier).findall(f"{_ATOM}entry")
    # arXiv answers a wrong identifier with status 200 and an entry about the error.
    if not entries or _error(entries):
        raise SERVICE.unknown(identifier)
    named = entries[0].findtext(f"{_ATOM}id", "").strip()
    if not re.search(rf"/abs/{re.escape(identifier)}(?:v[0-9]+)?$", named):
        raise SERVICE.bad_answer(identifier, "it is about another work")
    work = work_of_entry(entries[0])
    # A summary is about the work, so only its first words tell that it was withdrawn.
    comment = clean(entries[0].findtext(f"{_ARXIV}comment", ""))
    if _WITHDRAWN.search(comment) or _WITHDRAWN_SUMMARY.match(work.abstract):
        reason = comment or work.abstract[:200].strip()
        raise rules.WITHDRAWN.error(identifier, value=identifier, problem=reason)
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", work.first_public):
        raise SERVICE.bad_answer(identifier, "its date of publication is missing")
    return work._replace(arxiv=identifier, doi=work.doi or arxiv_doi(identifier))


def work_of_entry(entry: Element) -> Work:
    """Return what an entry of a feed tells of a work."""
    identifier = find_arxiv(entry.findtext(f"{_ATOM}id", "").strip()) or ""
    published = entry.findtext(f"{_ATOM}published", "")[:10]
    names = [author(item.findtext(f"{_ATOM}name", "")) for item in entry.iter(f"{_ATOM}author")]
    remarks = []
    for label, name in (("journal reference", "journal_ref"), ("comment", "comment")):
        text = clean(entry.findtext(_ARXIV + name, ""))
        if text:
            remarks.append(f"{label}: {text}")
    return Work(
        source=SERVICE.name,
        title=clean(entry.findtext(f"{_ATOM}title", "")),
        authors=tuple(filter(None, names)),
        year=published[:4],
        venue="arXiv",
        affiliation=clean(entry.findtext(f"{_ATOM}author/{_ARXIV}affiliation", "")),
        arxiv=identifier,
        doi=clean(entry.findtext(f"{_ARXIV}doi", "")),
        url=arxiv_page(identifier),
        first_public=published,
        evidence="arXiv v1",
        remarks=tuple(remarks),
        abstract=clean(entry.findtext(f"{_ATOM}summary", ""), ABSTRACT),
    )


def feed_entries(body: bytes, service: Service, asked: str) -> dict[str, Any]:
    """Return the entries of a feed and their number in all; CorpusError (C707) for no feed."""
    feed = _feed(body, asked)
    entries = feed.findall(f"{_ATOM}entry")
    if _error(entries):
        raise SERVICE.bad_answer(asked, f"{service.name} reports: {_error(entries)}")
    return {"entries": entries, "total": feed.findtext(_TOTAL, "").strip()}


def _error(entries: list[Element]) -> str:
    if not entries or "/api/errors" not in entries[0].findtext(f"{_ATOM}id", ""):
        return ""
    return clean(entries[0].findtext(f"{_ATOM}summary", ""), 200) or "an error"


def _feed(body: bytes, asked: str) -> Element:
    # XML needs a parser of its own, which other services do not.
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        return fromstring(body, forbid_dtd=True)  # type: ignore[no-any-return]
    except DefusedXmlException:
        problem = "it declares a document type or entities"
    except (ParseError, ValueError, LookupError) as error:
        problem = f"it is not valid XML ({error})"
    raise SERVICE.bad_answer(asked, problem)
