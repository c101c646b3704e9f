"""From what somebody typed or wrote to its works: arXiv, Crossref, OpenReview, ACL, BibTeX files.

arXiv answers with an Atom feed. Crossref and, by content negotiation, the resolver of any other DOI
give the same citation record. Notes of OpenReview that are older than version 2 of its interface
hold plain values instead of ``{"value": ...}``. The ACL Anthology has a BibTeX file for each of its
papers.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, ParseError

from corpus.curation.importing.column_plan import work_of
from corpus.curation.importing.names import listed, read_date
from corpus.curation.importing.readers.bibtex import read_bibtex
from corpus.curation.importing.readers.reading import decode_foreign
from corpus.curation.importing.readers.records import Cells
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
from corpus.curation.lookup.transport import Opener, Service, UnknownWork, fetch
from corpus.model.finding import CorpusError, Rule
from corpus.model.identifiers import (
    anthology_page,
    arxiv_doi,
    arxiv_month,
    arxiv_page,
    doi_page,
    find_arxiv,
    find_doi,
    identities,
    openreview_page,
)
from corpus.model.work import Work

WITHDRAWN = Rule(
    "C708",
    "arXiv reports that {value} was withdrawn: {problem}",
    "log it with `corpus exclude`; to retain it, give the cells by hand",
    title="Withdrawn work",
    reason="Somebody has to look at the reason before a withdrawn work enters a pool.",
)
NOT_RECOGNISED = Rule(
    "C709",
    "{value} is not an arXiv id, DOI, OpenReview or ACL Anthology address",
    "give one of these, a BibTeX file with --bibtex, or the cells with --set",
    title="Not an identifier",
    reason="Only these services are asked for metadata.",
)
BAD_BIBTEX = Rule(
    "C710",
    "{problem}",
    "fix the entry, or give the cells by hand",
    title="Invalid BibTeX",
    reason="Nothing is guessed from a damaged entry.",
)


ARXIV = Service("arXiv", ("export.arxiv.org", "arxiv.org"))
CROSSREF = Service("Crossref", ("api.crossref.org",))
_AGENCIES = ("api.crossref.org", "data.crossref.org", "data.crosscite.org", "data.datacite.org")
RESOLVER = Service("doi.org", ("doi.org", *_AGENCIES))
OPENREVIEW = Service(
    "OpenReview",
    ("api2.openreview.net", "api.openreview.net"),
    ("OPENREVIEW_USERNAME", "OPENREVIEW_PASSWORD"),
    login="https://api2.openreview.net/login",
)
ANTHOLOGY = Service("ACL Anthology", ("aclanthology.org",))
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_WITHDRAWN = re.compile(r"\bwithdrawn\b", re.IGNORECASE)
_WITHDRAWN_SUMMARY = re.compile(
    r"\s*(?:this|the) (?:paper|article|submission|manuscript|work) (?:has been|was|is) withdrawn",
    re.IGNORECASE,
)


def parse_feed(body: bytes, identifier: str) -> Work:
    """Read the candidate out of a feed with one entry; entities and document types are refused."""
    entries = _feed(body, identifier).findall(f"{_ATOM}entry")
    # arXiv answers a wrong identifier with status 200 and an entry about the error.
    if not entries or _error(entries):
        raise ARXIV.unknown(identifier)
    named = entries[0].findtext(f"{_ATOM}id", "").strip()
    if not re.search(rf"/abs/{re.escape(identifier)}(?:v[0-9]+)?$", named):
        raise ARXIV.bad_answer(identifier, "it is about another work")
    work = work_of_entry(entries[0])
    # A summary is about the work, so only its first words tell that it was withdrawn.
    comment = clean(entries[0].findtext(f"{_ARXIV}comment", ""))
    if _WITHDRAWN.search(comment) or _WITHDRAWN_SUMMARY.match(work.abstract):
        reason = comment or work.abstract[:200].strip()
        raise WITHDRAWN.error(identifier, value=identifier, problem=reason)
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", work.first_public):
        raise ARXIV.bad_answer(identifier, "its date of publication is missing")
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
        source=ARXIV.name,
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
        raise ARXIV.bad_answer(asked, f"{service.name} reports: {_error(entries)}")
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
    raise ARXIV.bad_answer(asked, problem)


#: When a work was public, the first that is there; `created` is when the record was made and counts
#: last.
_DATES = listed("posted, published, published-online, published-print, issued, created")


def parse_record(record: Any, doi: str, service: Service) -> Work:
    """Read the candidate out of a citation record (Crossref's work, or CSL-JSON).

    Without a DOI that was asked for, it may be about any.

    Raises
    ------
    CorpusError
        Where it has no title, or is about another DOI (C707).
    """
    title = clean(text_at(record, "title"))
    if not title:
        raise service.bad_answer(doi, "it has no title")
    stated = text_at(record, "DOI")
    doi = doi or stated
    # DOIs differ in case between services, and are the same.
    if stated.casefold() not in ("", doi.casefold()):
        raise service.bad_answer(doi, "it is about another DOI")
    subtitle = clean(text_at(record, "subtitle"))
    if subtitle.casefold() not in title.casefold():
        title = f"{title}: {subtitle}"
    dates = {kind: csl_date(value_at(record, kind)) for kind in _DATES}
    created = dates.pop("created")
    known = ((date, kind) for kind, date in dates.items() if date)
    first_public, kind = min(known, default=(created, "created"))
    # The year of the issue is the venue's year.
    year = dates["published-print"] or dates["issued"] or dates["published"] or first_public
    venues = (text_at(record, place) for place in ("container-title", "event.name", "publisher"))
    related = (text_at(each, "id") for each in items_at(record, "relation.has-preprint"))
    preprint = next(filter(None, map(find_arxiv, related)), "")
    return Work(
        source=service.name,
        title=title,
        authors=tuple(filter(None, map(_person, items_at(record, "author")))),
        year=year[:4],
        venue=next(filter(None, map(clean, venues)), ""),
        affiliation=clean(text_at(record, "author.affiliation.name"), 200),
        arxiv=preprint,
        doi=clean(stated) or doi,
        url=doi_page(doi) if doi else "",
        first_public=first_public,
        evidence=first_public and f"{service.name}, date {kind}",
        remarks=(f"preprint: arXiv {preprint}",) if preprint else (),
        abstract=clean(text_at(record, "abstract"), ABSTRACT),
    )


def _person(item: Any) -> str:
    if text_at(item, "family"):
        return person(csl_family(item), text_at(item, "given"))
    return person(text_at(item, "name"), "") or author(text_at(item, "literal"))


def parse_notes(body: bytes, identifier: str) -> Work:
    """Read the candidate out of the notes of a forum; CorpusError C705 where it is not in them."""
    for note in items_at(read_object(body, OPENREVIEW, identifier), "notes"):
        if value_at(note, "id") == identifier:
            return work_of_note(note)
    raise OPENREVIEW.unknown(identifier)


def work_of_note(note: Any) -> Work:
    """Return what a note tells of a work; CorpusError (C707) where it has no title or id."""
    identifier = text_at(note, "id")
    title = clean(_value(note, "title"))
    if not title or not identifier:
        raise OPENREVIEW.bad_answer(identifier, "it has no title or no id")
    # Online, published, created, in milliseconds: the first that is known.
    first_public = ""
    for kind in ("odate", "pdate", "cdate"):
        time = value_at(note, kind)
        # In Python, true is a number, too; 10**14 is in the year 5138: datetime ends soon after.
        if not first_public and type(time) is int and 0 < time < 10**14:
            first_public = f"{datetime.fromtimestamp(time / 1000, UTC):%Y-%m-%d}"
    venue = clean(_value(note, "venue"))
    year = re.search(r"(?<!\S)[0-9]{4}(?!\S)", venue)
    people = []
    for item in items_at(note, "content.authors.value") or items_at(note, "content.authors"):
        name = author(text_at({"name": item}, "name"))
        # Under review, authors are hidden behind this word.
        if name and name.casefold() != "anonymous":
            people.append(name)
    return Work(
        source=OPENREVIEW.name,
        title=title,
        authors=tuple(people),
        year=year[0] if year else first_public[:4],
        venue=venue,
        url=openreview_page(identifier),
        first_public=first_public,
        evidence=first_public and "OpenReview, date of the note",
        abstract=clean(_value(note, "abstract"), ABSTRACT),
    )


def _value(note: Any, name: str) -> str:
    # Version 2 of the interface wraps each value, version 1 does not.
    return text_at(note, f"content.{name}.value") or text_at(note, f"content.{name}")


def _parse_answer(body: bytes, doi: str) -> Work:
    return parse_record(value_at(read_object(body, CROSSREF, doi), "message"), doi, CROSSREF)


def _parse_resolved(body: bytes, doi: str) -> Work:
    return parse_record(read_object(body, RESOLVER, doi), doi, RESOLVER)


def _parse_anthology(body: bytes, identifier: str) -> Work:
    found = bibtex_works(body, ANTHOLOGY.name)
    if len(found) != 1:
        raise ANTHOLOGY.bad_answer(identifier, f"it holds {len(found)} entries")
    return found[0]._replace(url=f"{anthology_page(identifier)}/", source=ANTHOLOGY.name)


_JSON = "application/json"
_CSL = "application/vnd.citationstyles.csl+json"
#: Kind of an identifier, who is asked, at which address, for what, and what reads the answer. Of
#: several rows of one kind each is asked about what those before it do not know: older notes of
#: OpenReview, and DOIs of other agencies than Crossref.
_LOOKUPS: tuple[tuple[str, Service, str, str, Callable[[bytes, str], Work]], ...] = (
    ("arxiv", ARXIV, "https://export.arxiv.org/api/query?id_list={}&max_results=1",
     "application/atom+xml", parse_feed),
    ("acl", ANTHOLOGY, anthology_page("{}.bib"), "text/plain", _parse_anthology),
    ("openreview", OPENREVIEW, "https://api2.openreview.net/notes?id={}", _JSON, parse_notes),
    ("openreview", OPENREVIEW, "https://api.openreview.net/notes?id={}", _JSON, parse_notes),
    ("doi", CROSSREF, "https://api.crossref.org/works/{}", _JSON, _parse_answer),
    ("doi", RESOLVER, "https://doi.org/{}", _CSL, _parse_resolved),
)  # fmt: skip


def look_up(text: str, opener: Opener | None = None) -> Work:
    """Return the candidate for an arXiv id, DOI, OpenReview or ACL Anthology address.

    Raises
    ------
    CorpusError
        C709 where the text is none of these; else see
        :func:`corpus.curation.lookup.transport.fetch`, and what reads the answer.
    """
    known = dict(identity.split(":", 1) for identity in sorted(identities(text.strip())))
    rows = [row for row in _LOOKUPS if row[0] in known]
    problem = NOT_RECOGNISED.error(text[:200], value=text[:200])
    for kind, service, address, accept, parse in rows:
        if kind == rows[0][0]:
            url = address.format(quote(known[kind], safe="/"))
            try:
                return parse(fetch(url, service, accept, opener), known[kind])
            except UnknownWork as error:
                problem = error
    raise problem


def by_hand(reference: str) -> Work:
    """Return what an identifier or an address tells of its work without asking anybody."""
    arxiv = find_arxiv(reference)
    if arxiv:
        month = arxiv_month(arxiv)
        return Work(
            "hand",
            year=f"{month:%Y}",
            venue="arXiv",
            arxiv=arxiv,
            doi=arxiv_doi(arxiv),
            url=arxiv_page(arxiv),
            first_public=f"{month:%Y-%m}",
            evidence="arXiv id month",
        )
    address = reference.strip()
    if not address.startswith("https://"):
        address = ""
    doi = find_doi(reference) or ""
    if doi:
        address = address or doi_page(doi)
    return Work("hand", doi=doi, url=address)


MAX_BYTES = 10_000_000
_ROLES = {
    "title": ("title",),
    "authors": ("authors",),
    "venue": ("venue", "institution", "school"),
    "arxiv": ("eprint", "venue"),
    "doi": ("doi",),
    "url": ("url",),
}


def bibtex_works(data: bytes, shown: str) -> list[Work]:
    """Read every entry of a BibTeX file.

    Raises
    ------
    CorpusError
        C710 with the line where the file is too large, or something in it cannot be read.
    """
    if len(data) > MAX_BYTES:
        raise BAD_BIBTEX.error(shown, problem=f"it has more than {MAX_BYTES // 1_000_000} MB")
    try:
        text, _ = decode_foreign(data, shown, "utf-8")
        records = read_bibtex(text, shown)
        # An import leaves a damaged entry out and reports it; `add` writes all or nothing.
        if records.findings:
            raise CorpusError(records.findings)
    except CorpusError as error:
        first = error.findings[0]
        raise BAD_BIBTEX.error(shown, first.line, problem=first.message) from None
    if not records.rows:
        raise BAD_BIBTEX.error(shown, problem="there is no entry in it")
    works = []
    for record in records.rows:
        works.append(_work_of_cells(record.cells))
        if not works[-1].title:
            raise BAD_BIBTEX.error(shown, record.place, problem="the entry has no title")
    return works


def _work_of_cells(cells: Cells) -> Work:
    work = work_of(cells, _ROLES)
    written = str(cells.get("date", ""))
    # A day that does not exist, such as "2024-02-30", still has its month.
    forms = (written, written[:7], str(cells.get("year", "")))
    date = next(filter(None, map(read_date, forms)), "")
    year, evidence = date[:4], "BibTeX entry" if date else ""
    venue, url = work.venue, work.url
    if not url.startswith(("https://", "http://")):
        url = doi_page(work.doi) if work.doi else ""
    if work.arxiv:
        told = by_hand(work.arxiv)
        venue, url, first = venue or told.venue, url or told.url, told.first_public
        # What arXiv had first was public before its venue printed it, and a year is less exact.
        if first.startswith(date) or first < date[: len(first)]:
            date, evidence = first, "arXiv identifier"
    return work._replace(
        source="BibTeX",
        year=year or date[:4],
        venue=venue,
        url=url,
        first_public=date,
        evidence=evidence,
        links=(),
    )
