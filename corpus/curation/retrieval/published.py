"""Where a preprint was published: what DBLP and Crossref have under its title."""

import re
from dataclasses import dataclass, replace

from corpus.analysis.bibliography.identity import SAME, compare
from corpus.curation.lookup.transport import PoliteClient
from corpus.curation.retrieval.searches import Search
from corpus.curation.retrieval.sources import SOURCES, Retrieval
from corpus.model.study import Study
from corpus.model.work import Work

#: A venue that is a server of preprints, or that a manuscript was only sent to.
_PREPRINT = re.compile(r"(?i)^$|\b(?:arxiv|corr|openreview|preprints?|submi\w+|ssrn|\w+rxiv)\b")
#: The services that are asked, in this order, and how many records each gives.
_ASKED = (("dblp", {"format": "json", "h": "20"}), ("crossref", {"rows": "20"}))


@dataclass(frozen=True)
class PublishedVersion:
    """The published version of an entry: its venue with the year, its DOI, and who states it."""

    key: str
    before: str
    venue: str
    doi: str
    evidence: str

    def changes(self, study: Study) -> dict[str, dict[str, str]]:
        """Return the cells of the pool that change: the venue, and a DOI that is not there yet."""
        pool = study.codebook.pool
        cells = {}
        for role, cell in (("venue", self.venue), ("doi", self.doi)):
            column = pool.by_role(role)
            if column is not None and cell:
                cells[column.name] = cell
        return {pool.name: cells}


def preprints(study: Study) -> dict[str, Work]:
    """Return the entries whose venue is that of a preprint, by key."""
    works = {}
    for row in study.pool.placed():
        work = Work.of_row(study.pool, row.row)
        if _PREPRINT.search(work.venue):
            works[row.key] = work
    return works


def published_version(
    key: str, work: Work, client: PoliteClient, today: str
) -> PublishedVersion | None:
    """Ask for the published version of a preprint; None where nobody has one.

    Only a record that is the same work for certain counts; see
    :func:`~corpus.analysis.bibliography.identity.compare`.
    """
    words = re.findall(r"\w+", work.title.casefold())
    for name, asked in _ASKED:
        source = replace(SOURCES[name], asked=asked)
        found = Retrieval(Search(key, name, " ".join(words)), today)
        source.advance(found, client)
        for record in found.records:
            if _PREPRINT.search(record.venue) or compare(work, record).verdict != SAME:
                continue
            venue = record.venue
            if record.year and record.year not in venue:
                venue = f"{venue} {record.year}"
            evidence = f"{source.service.name}: {record.identifier}, read on {today}"
            return PublishedVersion(key, work.venue, venue, record.doi, evidence)
    return None
