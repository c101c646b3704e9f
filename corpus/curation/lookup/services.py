"""From what somebody typed (an identifier, an address) to the service that knows the work."""

from __future__ import annotations

from corpus.curation.lookup import lookup_rules as rules
from corpus.curation.lookup.arxiv import from_arxiv
from corpus.curation.lookup.bibtex import from_anthology
from corpus.curation.lookup.candidate import Candidate
from corpus.curation.lookup.crossref import from_doi
from corpus.curation.lookup.openreview import from_openreview
from corpus.curation.lookup.transport import Opener
from corpus.model.finding import CorpusError
from corpus.model.identifiers import find_arxiv, find_doi, identities


def look_up(text: str, opener: Opener | None = None) -> Candidate:
    """Return the candidate for an arXiv id, DOI, OpenReview or ACL Anthology address.

    Raises
    ------
    CorpusError
        C709 where the text is none of these; otherwise what the service's function raises.
    """
    text = text.strip()
    known: dict[str, str] = {}
    for identity in sorted(identities(text)):
        kind, _, name = identity.partition(":")
        known[kind] = name
    arxiv = find_arxiv(text)
    if arxiv:
        return from_arxiv(arxiv, opener)
    if "acl" in known:
        return from_anthology(known["acl"], opener)
    if "openreview" in known:
        return from_openreview(known["openreview"], opener)
    doi = find_doi(text)
    if doi:
        return from_doi(doi, opener)
    raise CorpusError([rules.NOT_RECOGNISED.at(text[:200], value=text[:200])])
