"""A candidate: what a service knows about one work, cleaned, before anybody decides about it."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import NamedTuple

#: Markup that services put into titles (JATS, HTML, MathML); the text inside stays.
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9:]{0,20}(?:\s[^<>]{0,200})?/?>")
_ORGANISATION = re.compile(
    r"\b(team|group|collaboration|consortium|project|labs?|inc\.?|foundation|institute|university|network|staff)$",
    re.IGNORECASE,
)


class Candidate(NamedTuple):
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
    """

    source: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: str = ""
    venue: str = ""
    affiliation: str = ""
    arxiv: str = ""
    doi: str = ""
    url: str = ""
    first_public: str = ""
    evidence: str = ""
    remarks: tuple[str, ...] = ()

    def by_role(self) -> dict[str, str]:
        """Return what is known by the role of a column, or by its type (arxiv, doi, url, names)."""
        cells = {
            "title": self.title,
            "first_author": self.authors[0] if self.authors else "",
            "authors": "; ".join(self.authors),
            "year": self.year,
            "venue": self.venue,
            "affiliation": self.affiliation,
            "arxiv": self.arxiv,
            "doi": self.doi,
            "url": self.url,
            "date": self.first_public,
            "evidence": self.evidence,
        }
        return {role: cell for role, cell in cells.items() if cell}


def clean(text: str, limit: int = 1000) -> str:
    """Make a text one plain line in NFC: no markup, nothing invisible, at most `limit` characters.

    Examples
    --------
    >>> clean("Soil  <i>respiration</i>\\n &amp; moisture\\u202e")
    'Soil respiration & moisture'
    """
    text = unicodedata.normalize("NFC", _TAG.sub("", html.unescape(text)))
    kept = []
    for character in text:
        if character.isspace():
            kept.append(" ")
        elif unicodedata.category(character) not in ("Cc", "Cf", "Cs"):
            kept.append(character)
    return " ".join("".join(kept).split())[:limit].strip()


def author(name: str) -> str:
    """Return ``Family, Given`` of a name in reading order; the name as it is for an organisation.

    Particles go with the family name by BibTeX's rule (lower case: with it), as pybtex reads them.

    Examples
    --------
    >>> author("Christian Schroeder de Witt"), author("Soil Survey Team"), author("Ward, Ann")
    ('de Witt, Christian Schroeder', 'Soil Survey Team', 'Ward, Ann')
    """
    # A semicolon would separate two authors in the cell.
    words = clean(name, 200).replace(";", " ").split()
    name = " ".join(words).strip(" ,")
    if name.count(",") > 1:
        return " ".join(name.replace(",", " ").split())
    if _ORGANISATION.search(name) or " " not in name:
        return name
    from pybtex.database import Person

    person = Person(re.sub(r"[{}~\\\\]", " ", name))
    family = " ".join([*person.prelast_names, *person.last_names, *person.lineage_names])
    given = " ".join([*person.first_names, *person.middle_names])
    return f"{family}, {given}" if given else family


def person(family: str, given: str) -> str:
    """Return ``Family, Given`` of a name that comes in two parts."""
    name, given = clean(family, 200), clean(given, 200)
    if given:
        name = f"{name}, {given}"
    return " ".join(name.replace(";", " ").split())
