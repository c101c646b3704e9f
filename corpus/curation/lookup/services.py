"""From what somebody typed or wrote (an identifier, an address, a BibTeX file) to its works."""

from urllib.parse import quote

from corpus.curation.importing.names import read_date
from corpus.curation.importing.plan import work_of
from corpus.curation.importing.readers.bibtex import read_bibtex
from corpus.curation.importing.readers.reading import decode_foreign
from corpus.curation.importing.readers.records import Cells
from corpus.curation.lookup import lookup_rules as rules
from corpus.curation.lookup.archives import ANTHOLOGY, from_arxiv, from_doi, from_openreview
from corpus.curation.lookup.transport import Opener, fetch
from corpus.model.finding import CorpusError
from corpus.model.identifiers import (
    anthology_page,
    arxiv_doi,
    arxiv_month,
    arxiv_page,
    doi_page,
    find_arxiv,
    find_doi,
    identities,
)
from corpus.model.work import Work


def look_up(text: str, opener: Opener | None = None) -> Work:
    """Return the candidate for an arXiv id, DOI, OpenReview or ACL Anthology address.

    Raises
    ------
    CorpusError
        C709 where the text is none of these; otherwise what the service's function raises.
    """
    known = dict(identity.split(":", 1) for identity in sorted(identities(text.strip())))
    services = {
        "arxiv": from_arxiv,
        "acl": _from_anthology,
        "openreview": from_openreview,
        "doi": from_doi,
    }
    for kind, ask in services.items():
        if kind in known:
            return ask(known[kind], opener)
    raise rules.NOT_RECOGNISED.error(text[:200], value=text[:200])


def _from_anthology(identifier: str, opener: Opener | None = None) -> Work:
    """Ask the ACL Anthology, which has a BibTeX file for each of its papers."""
    url = anthology_page(quote(identifier))
    found = bibtex_works(fetch(f"{url}.bib", ANTHOLOGY, "text/plain", opener), ANTHOLOGY.name)
    if len(found) != 1:
        raise ANTHOLOGY.bad_answer(identifier, f"it holds {len(found)} entries")
    return found[0]._replace(url=f"{url}/", source=ANTHOLOGY.name)


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
_JOURNAL = ("journal", "journaltitle")
_ROLES = {
    "title": ("title",),
    "authors": ("author",),
    "venue": ("booktitle", *_JOURNAL, "howpublished", "institution", "school"),
    "arxiv": ("eprint", *_JOURNAL),
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
        raise rules.BAD_BIBTEX.error(shown, problem=f"it has more than {MAX_BYTES // 1_000_000} MB")
    try:
        text, _ = decode_foreign(data, shown, "utf-8")
        records = read_bibtex(text, shown)
        # An import leaves a damaged entry out and reports it; `add` writes all or nothing.
        if records.findings:
            raise CorpusError(records.findings)
    except CorpusError as error:
        first = error.findings[0]
        raise rules.BAD_BIBTEX.error(shown, first.line, problem=first.message) from None
    if not records.rows:
        raise rules.BAD_BIBTEX.error(shown, problem="there is no entry in it")
    works = []
    keys: set[str] = set()
    for record in records.rows:
        key = str(record.cells.get("key", ""))
        work = _work_of_cells(record.cells)
        problem = ""
        if key in keys - {""}:
            problem = f"two entries have the key {key[:60]!r}"
        elif not work.title:
            problem = f"entry {key[:60]!r} has no title"
        if problem:
            raise rules.BAD_BIBTEX.error(shown, record.place, problem=problem)
        keys.add(key)
        works.append(work)
    return works


def _work_of_cells(cells: Cells) -> Work:
    work = work_of(cells, _ROLES)
    # What follows a day, such as the end of a range, is left out, and a day that does not exist.
    day, year, month = (str(cells.get(name, "")) for name in ("date", "year", "month"))
    day = day.partition("/")[0]
    forms = (day[:10], day[:7], day[:4], f"{month} {year}", f"{year}-{month}", year)
    date = next(filter(None, map(read_date, forms)), "")
    year = date[:4]
    evidence = "BibTeX entry" if date else ""
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
