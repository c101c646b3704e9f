"""The bibliographic view of the pool, found by the roles and types of columns.

A corpus keeps authors, DOI and dates in the pool itself or in a table of the role ``bibliography``;
both ways give the same view.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.analysis.bibliography.venues import venue_kind
from corpus.model.dates import PartialDate, parse_date
from corpus.model.study import Study
from corpus.model.table import Table


class PersonName(NamedTuple):
    """A person, or an organisation (or a single-name person), whose `given` is empty."""

    family: str
    given: str = ""

    @property
    def printed(self) -> str:
        """``Family, Given``, or the name of the organisation."""
        return f"{self.family}, {self.given}" if self.given else self.family


class CitedWork(NamedTuple):
    """One entry of the pool as a bibliography sees it; what is not known is empty.

    Attributes
    ----------
    authors : tuple of PersonName
        In printed order.
    complete : bool
        False where only the first author is known.
    kind : str
        ``article``, ``inproceedings``, ``techreport`` or ``misc``.
    year : str
        The year that the pool gives the entry.
    public : PartialDate or None
        When it was first public.
    urls : tuple of str
        Addresses; the first is the main one.
    tags : mapping of str to tuple of str
        Axis -> its terms, without the term for "not applicable".
    """

    key: str
    title: str
    authors: tuple[PersonName, ...]
    complete: bool
    kind: str
    year: str
    public: PartialDate | None
    venue: str
    arxiv: str
    doi: str
    urls: tuple[str, ...]
    affiliation: str
    summary: str
    notes: str
    tags: Mapping[str, tuple[str, ...]]


def parse_name(text: str) -> PersonName:
    """Read ``Family, Given``; a text without comma is the name of an organisation.

    Examples
    --------
    >>> parse_name("de Witt, Christian")
    PersonName(family='de Witt', given='Christian')
    >>> parse_name("Soil Survey Staff")
    PersonName(family='Soil Survey Staff', given='')
    """
    family, _, given = text.partition(",")
    return PersonName(family.strip(), given.strip())


def parse_names(cell: str) -> tuple[PersonName, ...]:
    """Read several names, separated by semicolons."""
    return tuple(parse_name(part) for part in cell.split(";") if part.strip())


def works(study: Study) -> list[CitedWork]:
    """Return the bibliographic view of every entry, in the pool's order."""
    beside = _beside(study)
    pool = study.pool
    found = []
    for row in pool.rows:
        key = "-".join(pool.key_of(row))
        known = {**beside.get(key, {}), **_by_role(pool, row)}
        found.append(_work(study, key, known, dict(zip(pool.spec.header, row, strict=True))))
    return found


def _by_role(table: Table, row: tuple[str, ...]) -> dict[str, str]:
    """Return the filled cells by role; the types arxiv, doi and url are roles, too."""
    known: dict[str, str] = {}
    for column, cell in zip(table.spec.columns, row, strict=True):
        role = column.role or (
            column.type if column.type in ("arxiv", "doi", "url", "year", "names") else ""
        )
        if role == "names":
            role = "authors"
        if cell and role and role not in known:
            known[role] = cell
    return known


def _beside(study: Study) -> dict[str, dict[str, str]]:
    """Return what tables of the role `bibliography` say, by the key of the entry."""
    found: dict[str, dict[str, str]] = {}
    for table in study.by_role("bibliography"):
        key = table.spec.reference_to(study.codebook.pool)
        if key is None:
            continue
        position = table.spec.position(key.name)
        for row in table.rows:
            known = {
                role: cell
                for role, cell in _by_role(table, row).items()
                if role not in ("key", "notes")
            }
            found.setdefault(row[position], {}).update(known)
    return found


def _work(study: Study, key: str, known: Mapping[str, str], record: Mapping[str, str]) -> CitedWork:
    book = study.codebook
    authors = parse_names(known.get("authors", ""))
    venue = known.get("venue", "")
    tags = {}
    for column in book.pool.axes:
        absent = book.vocabulary_of(column).not_applicable
        tags[column.name] = tuple(
            value for value in column.values(record[column.name]) if value != absent
        )
    return CitedWork(
        key=key,
        title=known.get("title", ""),
        authors=authors or parse_names(known.get("first_author", "")),
        complete=bool(authors),
        kind=venue_kind(venue, book.settings.get("venues")),
        year=known.get("year", ""),
        public=_date(known.get("date", "")),
        venue=venue,
        arxiv=known.get("arxiv", ""),
        doi=known.get("doi", ""),
        urls=tuple(part for part in known.get("url", "").split(" ; ") if part),
        affiliation=known.get("affiliation", ""),
        summary=known.get("summary", ""),
        notes=known.get("notes", ""),
        tags=tags,
    )


def _date(cell: str) -> PartialDate | None:
    try:
        return parse_date(cell)
    except ValueError:
        return None  # `corpus check` names the cell
