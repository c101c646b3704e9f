"""A work as a row, a service, a database or a list describes it."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from corpus.model.codebook import TableSpec, Texts
from corpus.model.identifiers import NormalTitle, arxiv_page, doi_page, identities, normal_title
from corpus.model.table import Row, Table

#: Fields that are called like the role of their column.
_SAME_NAME = (
    "title", "year", "venue", "affiliation", "arxiv", "doi", "url", "evidence", "abstract",
)  # fmt: skip

#: What a list of names may have beside names: the end of one that is cut.
_NOBODY = ("", "et al.")


class Work(NamedTuple):
    """One work as its source describes it; what is not known is empty.

    Attributes
    ----------
    source : str
        Where it comes from, for messages and for the evidence of the date.
    title, venue, affiliation, arxiv, doi, url : str
        Cells in the form that the tables want.
    authors : tuple of str
        ``Family, Given``; an organisation as it is called.
    first_public : str
        YYYY, YYYY-MM or YYYY-MM-DD.
    year : str
        Year of publication, else of the preprint.
    evidence : str
        Where the first public date was read.
    remarks : tuple of str
        What else a curator should know (a journal reference, a newer version).
    abstract : str
        As one plain line.
    links : tuple of str
        Further addresses and identifiers, as the source has them.
    place : int
        Line, row or number in a file; 0 elsewhere.
    """

    source: str = ""
    title: str = ""
    authors: Texts = ()
    year: str = ""
    venue: str = ""
    affiliation: str = ""
    arxiv: str = ""
    doi: str = ""
    url: str = ""
    first_public: str = ""
    evidence: str = ""
    remarks: Texts = ()
    abstract: str = ""
    links: Texts = ()
    place: int = 0

    @classmethod
    def of(cls, cells: Mapping[str, str], source: str = "") -> Work:
        """Return the work that cells by role describe: the reverse of :meth:`by_role`."""
        people = cells.get("authors") or cells.get("first_author", "")
        authors = tuple(name for name in map(str.strip, people.split(";")) if name not in _NOBODY)
        same: dict[str, Any] = {name: cells.get(name, "") for name in _SAME_NAME}
        return cls(source, authors=authors, first_public=cells.get("date", ""), **same)

    @classmethod
    def of_row(cls, table: Table, row: Row) -> Work:
        """Return the work that a row describes; it is recognised by every identifier in the row."""
        return cls.of_cells(table.spec, row)

    @classmethod
    def of_cells(cls, spec: TableSpec, row: Row) -> Work:
        """Return the work that the cells of a table's row describe."""
        work = cls.of(spec.by_role_cells(row))
        if spec.role not in ("pool", "bibliography"):
            # Elsewhere the date is the day on which the row was written.
            work = work._replace(first_public="")
        return work._replace(links=tuple(spec.identifying_cells(row)))

    @property
    def identities(self) -> frozenset[str]:
        """Its identifiers in normal form."""
        return identities(*{self.arxiv, self.doi, self.url, *self.links})

    @property
    def normal(self) -> NormalTitle:
        """Its title, to compare."""
        return normal_title(self.title)

    @property
    def marks(self) -> frozenset[str]:
        """What it is recognised by for certain: its identifiers and its title."""
        return self.identities | ({self.normal} - {""})

    @property
    def identifier(self) -> str:
        """The identifier that tells most, with its kind: arXiv id, DOI, else an address."""
        if self.arxiv:
            return f"arXiv:{self.arxiv}"
        if self.doi:
            return f"DOI:{self.doi}"
        # A catalogue's own number in the column of identifiers leads nowhere.
        given = list(filter(None, (self.url, *self.links)))
        addresses = [each for each in given if each.startswith(("https://", "http://"))]
        return next(iter(addresses or given), "")

    @property
    def address(self) -> str:
        """Where it can be read: its address, or the one that its identifier has."""
        if self.arxiv and not self.url:
            return arxiv_page(self.arxiv)
        if self.doi and not self.url:
            return doi_page(self.doi)
        return self.url

    @property
    def digest(self) -> str:
        """SHA-256 of its first identifier, else of its title: the same on every branch."""
        identity = min(self.identities, default=self.normal)
        return sha256(identity.encode()).hexdigest()

    def by_role(self) -> dict[str, str]:
        """Return what is known by the role of a column, or by its type (arxiv, doi, url, names)."""
        cells = {name: getattr(self, name) for name in _SAME_NAME}
        cells["first_author"] = next(iter(self.authors), "")
        cells["authors"] = "; ".join(self.authors)
        cells["date"] = self.first_public
        return {role: cell for role, cell in cells.items() if cell}
