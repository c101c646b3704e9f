"""arXiv: the Atom feed of its export interface."""

from __future__ import annotations

import re
from urllib.parse import quote
from xml.etree.ElementTree import Element, ParseError

from corpus.curation.lookup import lookup_rules as rules
from corpus.curation.lookup.candidate import Candidate, author, clean
from corpus.curation.lookup.transport import Opener, Service, fetch
from corpus.model.finding import CorpusError

SERVICE = Service("arXiv", frozenset({"export.arxiv.org", "arxiv.org"}))
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_WITHDRAWN = re.compile(r"\bwithdrawn\b", re.IGNORECASE)
_WITHDRAWN_SUMMARY = re.compile(
    r"\s*(?:this|the) (?:paper|article|submission|manuscript|work) (?:has been|was|is) withdrawn",
    re.IGNORECASE,
)


def from_arxiv(identifier: str, opener: Opener | None = None) -> Candidate:
    """Ask arXiv for one work by its identifier.

    Raises
    ------
    CorpusError
        See :func:`corpus.curation.lookup.transport.fetch`; C708 for a withdrawn work.
    """
    url = f"https://export.arxiv.org/api/query?id_list={quote(identifier)}&max_results=1"
    return parse_feed(fetch(url, SERVICE, "application/atom+xml", opener), identifier)


def parse_feed(body: bytes, identifier: str) -> Candidate:
    """Read the candidate out of a feed with one entry; entities and document types are refused."""
    entry = _entry(body, identifier)
    # A summary is about the work, so only its first words tell that it was withdrawn.
    comment = clean(entry.findtext(f"{_ARXIV}comment", ""))
    summary = entry.findtext(f"{_ATOM}summary", "")
    if _WITHDRAWN.search(comment) or _WITHDRAWN_SUMMARY.match(summary):
        reason = comment or clean(summary, 200)
        raise CorpusError([rules.WITHDRAWN.at(identifier, value=identifier, problem=reason)])
    published = entry.findtext(f"{_ATOM}published", "")[:10]
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", published):
        raise _bad(identifier, "its date of publication is missing")
    people = []
    for item in entry.iter(f"{_ATOM}author"):
        name = author(item.findtext(f"{_ATOM}name", ""))
        if name:
            people.append(name)
    affiliation = entry.findtext(f"{_ATOM}author/{_ARXIV}affiliation", "")
    journal = clean(entry.findtext(f"{_ARXIV}journal_ref", ""))
    remarks = []
    if journal:
        remarks.append(f"journal reference: {journal}")
    if comment:
        remarks.append(f"comment: {comment}")
    return Candidate(
        source=SERVICE.name,
        title=clean(entry.findtext(f"{_ATOM}title", "")),
        authors=tuple(people),
        year=published[:4],
        venue="arXiv",
        affiliation=clean(affiliation),
        arxiv=identifier,
        doi=clean(entry.findtext(f"{_ARXIV}doi", "")) or f"10.48550/arXiv.{identifier}",
        url=f"https://arxiv.org/abs/{identifier}",
        first_public=published,
        evidence="arXiv v1",
        remarks=tuple(remarks),
    )


def _entry(body: bytes, identifier: str) -> Element:
    # XML needs a parser of its own, which other services do not.
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        feed: Element = fromstring(body, forbid_dtd=True)
    except DefusedXmlException:
        raise _bad(identifier, "it declares a document type or entities") from None
    except (ParseError, ValueError, LookupError) as error:
        raise _bad(identifier, f"it is not valid XML ({error})") from None
    entry = feed.find(f"{_ATOM}entry")
    if entry is None or "/api/errors" in entry.findtext(f"{_ATOM}id", ""):
        # arXiv answers a wrong identifier with status 200 and an entry about the error.
        finding = rules.UNKNOWN_WORK.at(identifier, value=identifier, service=SERVICE.name)
        raise CorpusError([finding])
    named = entry.findtext(f"{_ATOM}id", "").strip()
    if not re.search(rf"/abs/{re.escape(identifier)}(?:v[0-9]+)?$", named):
        raise _bad(identifier, "it is about another work")
    return entry


def _bad(identifier: str, problem: str) -> CorpusError:
    return CorpusError([rules.BAD_ANSWER.at(identifier, service=SERVICE.name, problem=problem)])
