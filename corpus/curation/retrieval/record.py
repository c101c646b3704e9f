"""A record as a source gives it, cleaned, and one page of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from corpus.curation.lookup.candidate import clean
from corpus.model.identifiers import identities

#: An abstract is cut after so many characters.
ABSTRACT = 6_000


class Retrieved(NamedTuple):
    """One record of a source; what is not known is empty.

    Attributes
    ----------
    title, authors, year, venue, arxiv, doi, url, abstract : str
        In the form that tables want; authors as ``Family, Given; Family, Given``.
    """

    title: str
    authors: str = ""
    year: str = ""
    venue: str = ""
    arxiv: str = ""
    doi: str = ""
    url: str = ""
    abstract: str = ""

    @property
    def identities(self) -> frozenset[str]:
        """Its identifiers in normal form."""
        return identities(self.arxiv, self.doi, self.url)

    def by_role(self) -> Mapping[str, str]:
        """The cells by the role of a column."""
        return self._asdict()


class AnswerPage(NamedTuple):
    """One page of an answer.

    Attributes
    ----------
    records : list of Retrieved
        Its records.
    hits : int or None
        How many records match in all, where the source tells.
    following : str
        Where the next page starts, in the source's own terms; empty after the last.
    skipped : int
        Records without a title, which nobody could screen.
    """

    records: list[Retrieved]
    hits: int | None
    following: str
    skipped: int = 0


def abstract_of(text: str) -> str:
    """Return an abstract as one plain line.

    Examples
    --------
    >>> abstract_of("<jats:p>Peat  is\\n wet.</jats:p>")
    'Peat is wet.'
    """
    return clean(text, ABSTRACT)
