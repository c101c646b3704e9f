"""Somebody else's list of works, as far as it takes to recognise them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from corpus.curation.importing.account import Account, list_account
from corpus.curation.importing.plan import plan_columns
from corpus.curation.importing.readers import import_rules
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.readers.records import Cell, Records
from corpus.model.finding import Finding
from corpus.model.identifiers import NormalTitle, find_arxiv, find_doi, identities, normal_title

#: What a column means is found out from so many records.
_LOOKED_AT = 2_000
_IDENTIFYING = ("arxiv", "doi", "url")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")


class ListedWork(NamedTuple):
    """One record of a list.

    Attributes
    ----------
    place : int
        Its line, row or number in the file.
    title, year, identifier : str
        As the list has them; the identifier is the arXiv id, DOI or address, with its kind.
    identities : frozenset of str
        Every identifier in normal form.
    normal : NormalTitle
        The title, to compare.
    """

    place: int
    title: str
    year: str
    identifier: str
    identities: frozenset[str]
    normal: NormalTitle


class WorkList(NamedTuple):
    """A list: its name and records, what could not be read, remarks, and its account."""

    name: str
    works: tuple[ListedWork, ...]
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()
    account: Account | None = None


def read_list(
    path: str, shown: str, name: str, format_: str | None = None, force: bool = False
) -> WorkList:
    """Read a list of works in any form that `corpus init` reads.

    Records with neither title nor identifier are left out and named (I106): nothing can recognise
    them.

    Parameters
    ----------
    path, shown : str
        The file, and its name in findings.
    name : str
        What the list is called.
    format_ : str, optional
        The format, where the file does not show it.
    force : bool
        Whether to go on where the account of the file does not close.

    Raises
    ------
    CorpusError
        Where the file has nothing to read, or its account does not close (I120).
    """
    records = read_foreign(path, shown, name=format_)
    roles = column_roles(records)
    works: list[ListedWork] = []
    findings = list(records.findings)
    for record in records.rows:
        work = _work(record.place, record.cells, roles)
        if work.normal or work.identities:
            works.append(work)
        else:
            problem = "it has neither a title nor an identifier"
            findings.append(import_rules.SKIPPED.at(shown, record.place, problem=problem))
    columns = {column for role in ("title", *_IDENTIFYING) for column in roles.get(role, ())}
    kept = {work.place for work in works}
    why = "neither title nor identifier"
    account = list_account(records, kept, why, columns, shown, force)
    return WorkList(name, tuple(works), tuple(findings), tuple(records.remarks), account)


def column_roles(records: Records) -> dict[str, list[str]]:
    """Return the columns of the source by what they mean (title, authors, year, doi, ...)."""
    # Judging every cell of a list of a million works would take minutes and change nothing.
    sample = [record.cells for record in records.rows[:_LOOKED_AT]]
    roles: dict[str, list[str]] = {}
    for plan in plan_columns(records.columns, sample):
        if plan.role:
            roles.setdefault(plan.role, []).append(plan.source)
    return roles


def _work(place: int, cells: Mapping[str, Cell], roles: Mapping[str, list[str]]) -> ListedWork:
    found: dict[str, str] = {}
    for role, columns in roles.items():
        found[role] = joined_cell(cells, columns)
    given = [found[role] for role in _IDENTIFYING if found.get(role)]
    title = found.get("title", "")
    return ListedWork(
        place,
        title,
        year_of(found),
        _identifier(given),
        identities(*_parts(given)),
        normal_title(title),
    )


def year_of(cells: Mapping[str, str]) -> str:
    """Return the year of a record, given its cells by role; empty where it has none.

    Lists call the column of years "Date", too, and may have a date there.
    """
    for role in ("year", "date"):
        match = _YEAR.search(cells.get(role, ""))
        if match:
            return match[0]
    return ""


def joined_cell(cells: Mapping[str, Cell], columns: Iterable[str]) -> str:
    """Return the cells of some columns as one text, its parts separated by `` ; ``."""
    parts: list[str] = []
    for column in columns:
        cell = cells.get(column, "")
        if isinstance(cell, str):
            parts.append(cell)
        else:
            parts += cell
    return " ; ".join(filter(None, parts))


def _parts(texts: list[str]) -> list[str]:
    """Return the single addresses: an identifier is looked for in one at a time."""
    parts: list[str] = []
    for text in texts:
        parts += [part.strip() for part in text.split(" ; ")]
    return parts


def _identifier(texts: list[str]) -> str:
    """Return the identifier that tells most: arXiv id, DOI, else the first address."""
    for text in texts:
        arxiv = find_arxiv(text)
        if arxiv:
            return f"arXiv:{arxiv}"
    for text in texts:
        doi = find_doi(text)
        if doi:
            return f"DOI:{doi}"
    parts = _parts(texts)
    for part in parts:
        # A catalogue's own number in the column of identifiers leads nowhere.
        if part.startswith(("https://", "http://")):
            return part
    if parts:
        return parts[0]
    return ""
