"""An Atom feed of the entries, newest first: a feed reader shows the ones that were added."""

from __future__ import annotations

from datetime import date
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from corpus.analysis.bibliography.works import CitedWork, works
from corpus.model.codebook import Codebook
from corpus.model.dates import parse_date
from corpus.model.study import Study
from corpus.printing.escape import web_address
from corpus.publishing.export.cells import one_line
from corpus.publishing.export.datasets.publication import deposit, last_day, license_of
from corpus.publishing.export.texts.awesome import address_of

_ATOM = "http://www.w3.org/2005/Atom"
#: The date of what has none; a feed requires one.
_UNKNOWN = date(1970, 1, 1)


def export(study: Study) -> bytes:
    """Return the feed.

    All entries are in it, since the corpus does not know when a row was added: a reader shows those
    whose identifier it has not met. An entry has the date of first publication, or the first day of
    its year; the identifier is made of its key and the corpus, so an edit does not make it new.
    """
    book = study.codebook
    newest_first = sorted(works(study), key=lambda work: (_date(work), work.key), reverse=True)
    feed = _feed(book, last_day(study) or _UNKNOWN)
    for work in newest_first:
        _add_entry(feed, book, work)
    indent(feed)
    written: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _date(work: CitedWork) -> date:
    if work.public is not None:
        return work.public.start
    try:
        return parse_date(work.year).start
    except ValueError:
        return _UNKNOWN  # `corpus check` names the cell


def _feed(book: Codebook, updated: date) -> Element:
    about = book.corpus
    feed = Element("feed", {"xmlns": _ATOM})
    name = about.get("title", "") or about.get("id", "corpus")
    _add_text(feed, "title", name)
    _add_text(feed, "subtitle", about.get("description", ""))
    _add_text(feed, "id", _identifier(book, ""))
    _add_text(feed, "updated", _time(updated))
    for creator in deposit(book).creators:
        _add_text(SubElement(feed, "author"), "name", creator)
    _add_link(feed, about.get("homepage", ""))
    _add_text(feed, "rights", license_of(book).name or license_of(book).id)
    return feed


def _add_entry(feed: Element, book: Codebook, work: CitedWork) -> None:
    entry = SubElement(feed, "entry")
    _add_text(entry, "title", work.title or work.key)
    _add_text(entry, "id", _identifier(book, work.key))
    # Atom requires the second date; when a row was edited last, the corpus does not know.
    published = _time(_date(work))
    _add_text(entry, "published", published)
    _add_text(entry, "updated", published)
    for person in work.authors:
        _add_text(SubElement(entry, "author"), "name", f"{person.given} {person.family}".strip())
    _add_link(entry, address_of(work))
    for word in work.keywords:
        SubElement(entry, "category", {"term": one_line(word)})
    _add_text(entry, "summary", work.summary)


def _add_link(parent: Element, address: str) -> None:
    safe = web_address(address)
    if safe:
        SubElement(parent, "link", {"rel": "alternate", "href": safe})


def _add_text(parent: Element, name: str, text: str) -> None:
    """Add an element with a plain text, which feed readers show without reading markup in it."""
    # Control characters are not XML, even escaped.
    plain = one_line(text)
    if plain:
        SubElement(parent, name).text = plain


def _identifier(book: Codebook, key: str) -> str:
    about = book.corpus
    name = f"{about.get('homepage', '')}#{about.get('id', 'corpus')}/{key}"
    return f"urn:uuid:{uuid5(NAMESPACE_URL, name)}"


def _time(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"
