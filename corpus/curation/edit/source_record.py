"""Source records: what a service stated, and what it states when it is asked again."""

import re
from collections.abc import Mapping

from corpus.curation.check.works.source_records import name_letters
from corpus.curation.edit.row_edits import identifier
from corpus.curation.lookup.services import ANTHOLOGY, ARXIV, CROSSREF, OPENREVIEW, RESOLVER
from corpus.model.dates import parse_date
from corpus.model.identifiers import normal_title
from corpus.model.study import Study
from corpus.model.table import LocatedRow
from corpus.model.work import Work

#: Roles of what a source can state.
STATED = ("title", "authors", "first_version", "doi", "venue")
#: Who states what a record stores; a form or a file of somebody is not a source.
SOURCES = {each.name for each in (ARXIV, ANTHOLOGY, CROSSREF, RESOLVER, OPENREVIEW)}
AVAILABLE = "available"


def record_cells(candidate: Work, key: str, today: str) -> dict[str, str]:
    """Return the cells of a source record by role.

    Parameters
    ----------
    candidate : Work
        What the service answered, before anybody changed it.
    key : str
        The entry.
    today : str
        When the service was asked, as YYYY-MM-DD.
    """
    return {
        "key": key,
        "identifier": identifier(candidate),
        "title": candidate.title,
        "authors": "; ".join(candidate.authors),
        "first_version": candidate.first_public,
        "doi": candidate.doi,
        "venue": candidate.venue,
        "status": AVAILABLE,
        "evidence": candidate.source,
        "read_on": today,
    }


def with_source_record(study: Study, candidate: Work, key: str, today: str) -> Study:
    """Return the corpus with the source record of a new entry.

    It is as it was where it has no table of source records, or where no service described the work.
    """
    if candidate.source in SOURCES and identifier(candidate):
        cells = record_cells(candidate, key, today)
        for table in study.by_role("source_records"):
            if table.spec.reference_to(study.pool.spec) is not None:
                study = study.with_more(table.spec.name, table.spec.row(cells))
    return study


#: Role -> what its record has and what the source states otherwise, or beyond it.
Differences = dict[str, tuple[str, str]]


def stored_records(study: Study) -> list[LocatedRow]:
    """Return the source records of entries and excluded records, in the order of their files.

    Raises
    ------
    UsageProblem
        Where the corpus declares no table of them.
    """
    study.table_of("source_records")
    found: list[LocatedRow] = []
    for table in study.by_role("source_records"):
        found += table.placed()
    return found


def differences(stored: Mapping[str, str], candidate: Work) -> Differences:
    """Return what a source states otherwise than its record, given by role, or beyond it.

    Case and punctuation of titles, and the order of the words of a name, do not count: several
    services do not tell family from given names. A date is none where it is as exact as the other
    and overlaps it. What the service leaves out is none either.
    """
    stated = record_cells(candidate, "", "")
    found = {}
    for role in STATED:
        # A corpus need not record everything that a source can state.
        if role not in stored:
            continue
        before, after = stored[role], stated[role]
        # The repository of a preprint is not the venue that a source states.
        if role == "venue" and after.casefold() == "arxiv":
            continue
        if after and not _same(role, before, after):
            found[role] = (before, after)
    return found


def _same(role: str, before: str, after: str) -> bool:
    if role == "authors":
        return _persons(before) == _persons(after)
    if role == "doi":
        return before.casefold() == after.casefold()
    if role != "first_version" or before == after:
        return normal_title(before) == normal_title(after)
    try:
        parse_date(before)
    except ValueError:
        return False
    # The record may have a date within the one that is stated.
    return before.startswith(after)


def _persons(cell: str) -> list[list[str]]:
    """Return the words of each name in comparable form, in the order of the alphabet."""
    names = []
    for name in cell.split(";"):
        words = re.split(r"[\s,.-]+", name)
        names.append(sorted(filter(None, map(name_letters, words))))
    return names


def verified(study: Study, record: LocatedRow, changes: Differences, today: str) -> Study:
    """Return the corpus after a source record was asked for again."""
    table = study.tables[record.table.spec.name]
    new = {role: after for role, (_, after) in changes.items()}
    new["read_on"] = today
    rows = list(table.rows)
    for position, placed in enumerate(table.placed()):
        if (placed.key, placed.identifier) == (record.key, record.identifier):
            rows[position] = table.spec.row(new, placed.row)
    return study.with_rows({table.spec.name: rows})
