"""From what somebody typed (an identifier, an address) to the service that knows the work."""

from __future__ import annotations

from urllib.parse import quote

from corpus.curation.importing.readers.bibtex.bibtex_works import bibtex_works
from corpus.curation.lookup import lookup_rules as rules
from corpus.curation.lookup.arxiv import from_arxiv
from corpus.curation.lookup.crossref import from_doi
from corpus.curation.lookup.openreview import from_openreview
from corpus.curation.lookup.transport import Opener, Service, fetch
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

ANTHOLOGY = Service("ACL Anthology", ("aclanthology.org",))


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
        problem = f"it holds {len(found)} entries"
        raise rules.BAD_ANSWER.error(identifier, service=ANTHOLOGY.name, problem=problem)
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
