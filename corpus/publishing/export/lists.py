"""The entries as a list to read: Markdown as "awesome" lists have it, and an Atom feed."""

from __future__ import annotations

import re
from collections import Counter
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from corpus.analysis.bibliography.works import CitedWork, works
from corpus.model.identifiers import arxiv_page, doi_page
from corpus.model.study import Study
from corpus.printing.escape import web_address
from corpus.printing.templates import environment
from corpus.publishing.export.cells import one_line
from corpus.publishing.export.publication import deposit, first_day, last_day, license_of

_DOT_END = (".", "!", "?")
#: The date of what has none; a feed requires one.
_UNKNOWN = "1970-01-01"


def awesome(study: Study) -> str:
    """Return a Markdown list, grouped by the column of role ``group``, else by the first axis.

    Terms are in the order of the codebook, entries in that of the pool; one with several terms is
    below each of them. Groups without entries are left out. `corpus init` reads such a list.
    """
    about, pool = study.codebook.corpus, study.codebook.pool
    column = pool.by_role("group")
    if column is None or column.type != "term":
        column = next(iter(pool.axes), None)
    headings = [("", "Entries", "")]
    if column is not None:
        terms = study.codebook.vocabulary_of(column).terms
        headings = [(term.id, one_line(term.label or term.id), term.definition) for term in terms]
        headings.append(("", "Without a group", ""))
    lines: dict[str, list[dict[str, str]]] = {}
    for work in works(study):
        carried: tuple[str, ...] = ()
        if column is not None:
            carried = study.entries[work.key].terms(column.name)
        for term in carried or ("",):
            lines.setdefault(term, []).append(list_line(work))
    anchors: Counter[str] = Counter()
    sections = []
    for id_, title, definition in headings:
        if id_ in lines:
            heading = {"title": title, "anchor": _anchor(title, anchors), "definition": definition}
            sections.append({**heading, "lines": lines[id_]})
    template = environment("md", "corpus.publishing.export").get_template("awesome.md.j2")
    return template.render(
        title=about.get("title", "") or about.get("id", "corpus"),
        description=about.get("description", ""),
        homepage=web_address(about.get("homepage", "")),
        sections=sections,
    )


def _anchor(title: str, taken: Counter[str]) -> str:
    """Return the anchor that GitHub gives a heading; a repeated one has a number."""
    # As GitHub makes them: other marks go, each space becomes a hyphen, hyphens are not joined.
    words = re.sub(r"[^\w\- ]", "", title.lower())
    anchor = words.replace(" ", "-")
    number = taken[anchor]
    taken[anchor] += 1
    return f"{anchor}-{number}" if number else anchor


def list_line(work: CitedWork) -> dict[str, str]:
    """Return what the list shows of one entry; unknown parts are empty.

    They are `title`, `address`, `about` (authors, venue, year) and `summary`.
    """
    # An incomplete list of authors must not look like a complete one.
    by = ", ".join(name.family for name in work.authors[:3])
    if by and (len(work.authors) > 3 or not work.complete):
        by = f"{work.authors[0].family} et al."
    about = one_line(", ".join(filter(None, (by, work.venue, work.year_beside_venue))))
    if about and not about.endswith(_DOT_END):
        about += "."
    return {
        "title": one_line(work.title or work.key),
        "address": _address(work),
        "about": about,
        "summary": one_line(work.summary),
    }


def _address(work: CitedWork) -> str:
    """Return where to read a work, safe in every output: its first address, its DOI, arXiv."""
    address = work.address
    if not address and work.doi:
        address = doi_page(work.doi)
    elif not address and work.arxiv:
        address = arxiv_page(work.arxiv)
    return web_address(address)


def atom(study: Study) -> bytes:
    """Return an Atom feed, newest first: a feed reader shows the entries that were added.

    All entries are in it, since the corpus does not know when a row was added: a reader shows those
    whose identifier it has not met. An entry has the date of first publication, or the first day of
    its year; the identifier is made of its key and the corpus, so an edit does not make it new.
    """
    about = study.codebook.corpus
    place = f"{about.get('homepage', '')}#{about.get('id', 'corpus')}/"
    feed = Element("feed", {"xmlns": "http://www.w3.org/2005/Atom"})
    _add_text(feed, "title", about.get("title", "") or about.get("id", "corpus"))
    _add_text(feed, "subtitle", about.get("description", ""))
    _add_text(feed, "id", f"urn:uuid:{uuid5(NAMESPACE_URL, place)}")
    _add_text(feed, "updated", f"{last_day(study) or _UNKNOWN}T00:00:00Z")
    for creator in deposit(study.codebook).creators:
        _add_text(SubElement(feed, "author"), "name", creator)
    _add_link(feed, about.get("homepage", ""))
    _add_text(feed, "rights", license_of(study.codebook).name or license_of(study.codebook).id)
    dated = []
    for work in works(study):
        day = first_day(work.year)
        if work.public is not None:
            day = work.public.start.isoformat()
        dated.append((day or _UNKNOWN, work.key, work))
    for day, key, work in sorted(dated, key=lambda found: found[:2], reverse=True):
        entry = SubElement(feed, "entry")
        _add_text(entry, "title", work.title or key)
        _add_text(entry, "id", f"urn:uuid:{uuid5(NAMESPACE_URL, place + key)}")
        # Atom requires the second date; when a row was edited last, the corpus does not know.
        _add_text(entry, "published", f"{day}T00:00:00Z")
        _add_text(entry, "updated", f"{day}T00:00:00Z")
        for person in work.authors:
            _add_text(SubElement(entry, "author"), "name", person.full_name)
        _add_link(entry, _address(work))
        for word in work.keywords:
            SubElement(entry, "category", {"term": one_line(word)})
        _add_text(entry, "summary", work.summary)
    indent(feed)
    written: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


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
