"""The works that the records of a foreign file or a service describe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from corpus.curation.importing.meaning import is_abstract
from corpus.curation.importing.names import filled
from corpus.curation.importing.persons import split_authors
from corpus.curation.importing.plan import plan_columns
from corpus.curation.importing.readers.records import Cells, Records, texts_of
from corpus.curation.lookup.answers import ABSTRACT, clean
from corpus.model.identifiers import find_arxiv, find_doi, split_addresses
from corpus.model.work import Work

#: What a column means is found out from so many records.
_LOOKED_AT = 2_000
#: Roles by which a work is recognised besides its title.
IDENTIFYING = ("arxiv", "doi", "url")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")


def works_of(records: Records, roles: Mapping[str, Sequence[str]]) -> Iterator[Work]:
    """Yield the work of every record, given the columns of each role by :func:`column_roles`."""
    for row in records.rows:
        yield work_of(row.cells, roles)._replace(place=row.place)


def column_roles(records: Records) -> dict[str, list[str]]:
    """Return the columns of the source by what they mean (title, authors, year, doi, ...)."""
    # Judging every cell of a list of a million works would take minutes and change nothing.
    sample = records._replace(rows=records.rows[:_LOOKED_AT])
    roles: dict[str, list[str]] = {}
    for plan in plan_columns(sample):
        if plan.role:
            roles.setdefault(plan.role, []).append(plan.source)
    for column in filter(is_abstract, records.columns):
        roles.setdefault("abstract", []).append(column)
    return roles


def work_of(cells: Cells, roles: Mapping[str, Sequence[str]]) -> Work:
    """Return the work of a record; of several cells of one role the first counts.

    Parameters
    ----------
    cells : mapping of str to str or tuple of str
        The record.
    roles : mapping of str to sequence of str
        Role -> its columns; what the record does not tell is empty.
    """
    found: dict[str, list[str]] = {}
    for role, columns in roles.items():
        for column in columns:
            found.setdefault(role, []).extend(filter(None, texts_of(cells.get(column, ""))))
    first = {role: texts[0] for role, texts in found.items() if texts}
    links: list[str] = []
    for role in IDENTIFYING:
        for text in found.get(role, ()):
            links += filled(split_addresses(text))
    names: list[str] = []
    for column in roles.get("authors", ()):
        names += split_authors(cells.get(column, ()))
    # Lists call the column of years "Date", too, and may have a date there.
    years = _YEAR.findall(f"{first.get('year', '')} {first.get('date', '')}")
    return Work(
        title=clean(first.get("title", "")),
        authors=tuple(names),
        year=next(iter(years), ""),
        venue=clean(first.get("venue", "")),
        arxiv=next(filter(None, map(find_arxiv, links)), ""),
        doi=next(filter(None, map(find_doi, links)), ""),
        url=split_addresses(first.get("url", ""))[0],
        abstract=clean(" ".join(found.get("abstract", ())), ABSTRACT),
        links=tuple(links),
    )
