"""Where a preprint was published: what DBLP and Crossref have under its title."""

import re
from dataclasses import replace

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


def preprints(study: Study) -> dict[str, Work]:
    """Return the entries whose venue is that of a preprint, by key."""
    works = {}
    for row in study.pool.placed():
        work = Work.of_row(study.pool, row.row)
        if _PREPRINT.search(work.venue):
            works[row.key] = work
    return works


def published_version(work: Work, client: PoliteClient, today: str) -> Work | None:
    """Ask for the published version of a preprint; None where nobody has one.

    Its venue has the year, and its evidence tells who states it. Only a record that is the same
    work for certain counts; see :func:`~corpus.analysis.bibliography.identity.compare`.
    """
    # The words that are operators of queries do not tell much.
    words = re.findall(r"\b(?!(?:and|or|not)\b)\w+", work.title.casefold())
    for name, asked in _ASKED:
        source = replace(SOURCES[name], asked=asked)
        found = Retrieval(Search("published", name, " ".join(words)), today)
        source.advance(found, client)
        for record in found.records:
            if _PREPRINT.search(record.venue) or compare(work, record).verdict != SAME:
                continue
            venue = record.venue
            if record.year and record.year not in venue:
                venue = f"{venue} {record.year}"
            evidence = f"{source.service.name}: {record.identifier}, read on {today}"
            return record._replace(venue=venue, evidence=evidence)
    return None
