"""The bibliographic view of the pool, found by the roles and types of columns.

A corpus keeps authors, DOI and dates in the pool itself or in a table of the role ``bibliography``;
both ways give the same view.

The kind of publication is known from the name of the venue. A corpus adds its own names in the
optional section ``[venues]`` of codebook.toml, which maps a kind to venue names, for what the
name alone does not show (a journal called by its acronym)::

    [venues]
    article = ["TMLR", "Nature"]
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from corpus.model.codebook import Codebook
from corpus.model.dates import PartialDate, parse_date
from corpus.model.identifiers import split_addresses
from corpus.model.study import Study
from corpus.model.table import LocatedRow

ARTICLE = "article"
PROCEEDINGS = "inproceedings"
REPORT = "techreport"
OTHER = "misc"
BOOK, CHAPTER, THESIS, MASTERS = "book", "incollection", "phdthesis", "mastersthesis"
KINDS = (ARTICLE, PROCEEDINGS, REPORT, OTHER, BOOK, CHAPTER, THESIS, MASTERS)
#: What programs call a kind of publication, without spaces, hyphens and case.
_TYPES = {
    ARTICLE: "article journalarticle articlejournal jour mgzn news ejour jfull magazinearticle"
    " review",
    PROCEEDINGS: "inproceedings conference conferencepaper paperconference conf cpaper cp"
    " conferenceproceedings proceedingspaper",
    REPORT: "techreport report rprt technicalreport workingpaper",
    BOOK: "book books monograph editedbook wholebook mvbook edbook collection ebook",
    CHAPTER: "incollection inbook chapter chap bookchapter booksection bookitinbook echap",
    THESIS: "phdthesis thesis thes dissertation phdthesisdissertation",
    MASTERS: "mastersthesis masterthesis",
}
_KIND_OF_TYPE = {name: kind for kind, names in _TYPES.items() for name in names.split()}
#: Columns of what a work has besides, by the words of their names; importers call them so.
_DETAILS = {
    "type": "type, type of reference, publication type, document type, entry type, item type",
    "volume": "volume, vol",
    "number": "number, issue, journal issue",
    "pages": "pages, page, pp, page range",
    "first page": "start page, first page, beginning page, page start",
    "last page": "end page, last page, ending page, page end",
    "abstract": "abstract, notes abstract, abstract note",
    "publisher": "publisher",
    "school": "school",
    "institution": "institution",
    "editor": "editor, editors, secondary authors",
    "isbn": "isbn",
    "issn": "issn",
    "edition": "edition",
    "series": "series, book series title",
    "keywords": "keywords, author keywords",
}
_DETAIL_OF = {name: key for key, names in _DETAILS.items() for name in names.split(", ")}

#: The first kind whose words are in the name is taken: a submission to a journal is not an article
#: yet.
_VENUE_WORDS = (
    (
        OTHER,
        r"\barxiv\b|preprint|submission|submitted|under review|openreview"
        r"|blog|documentation|web ?site|\bdocs\b",
    ),
    (REPORT, r"\btech(?:nical)?\.? report\b|white ?paper|working paper"),
    (PROCEEDINGS, r"proceedings|\bproc\.|conference|workshop|symposium|findings|meeting"),
    (ARTICLE, r"journal|transactions|letters|annals|magazine|\breview"),
)
#: ``NeurIPS 2024`` and the like: after an acronym, a year means the proceedings of that year.
_ACRONYM_AND_YEAR = re.compile(
    r"(?:[A-Za-z&]+ )*(?=\w*[A-Z]\w*[A-Z])[A-Za-z&-]+,? ['’]?(?:19|20)?[0-9]{2}\b.*"
)
#: The first year and what follows it on its line. A run of whitespace is tried from its first
#: character only, or a cell of whitespace would be searched once for each of its characters.
_FROM_YEAR_ON = re.compile(r"(?<![\s,])[\s,]*+\b(?:19|20)[0-9]{2}\b.*")


def venue_kind(venue: str, settings: Mapping[str, Any] | None = None) -> str:
    """Return one of :data:`KINDS`; ``misc`` where neither the codebook nor the name shows another.

    `settings` is the codebook's section ``venues``; its names match the whole venue, or the venue
    before a year.

    Examples
    --------
    >>> venue_kind("ICML 2018"), venue_kind("Journal of Wetlands")
    ('inproceedings', 'article')
    >>> venue_kind("arXiv"), venue_kind("")
    ('misc', 'misc')
    >>> venue_kind("Nature 2025", {"article": ["Nature"]})
    'article'
    """
    # "NeurIPS 2024 D&B" and "NeurIPS 2025" are the declared venue "NeurIPS".
    before_year = _FROM_YEAR_ON.sub("", venue).strip().casefold()
    spellings = (before_year, venue.casefold())
    for kind, names in (settings or {}).items():
        if kind in KINDS and any(str(name).casefold() in spellings for name in names):
            return kind
    return kind_by_name(venue) or OTHER


def kind_by_name(venue: str) -> str:
    """Return the kind that the name of a venue shows by itself, or an empty string.

    Examples
    --------
    >>> kind_by_name("Soil Letters"), kind_by_name("Peat and Moss")
    ('article', '')
    """
    for kind, words in _VENUE_WORDS:
        if re.search(words, venue, re.IGNORECASE):
            return kind
    if _ACRONYM_AND_YEAR.fullmatch(venue):
        return PROCEEDINGS
    return ""


@dataclass(frozen=True)
class PersonName:
    """A person, or an organisation (or a single-name person), whose `given` is empty."""

    family: str
    given: str = ""

    @property
    def printed(self) -> str:
        """``Family, Given``, or the name of the organisation."""
        if not self.given:
            return self.family
        return f"{self.family}, {self.given}"

    @property
    def full_name(self) -> str:
        """``Given Family``, or the name of the organisation."""
        return f"{self.given} {self.family}".strip()


#: What ends a list of names that is cut.
AND_OTHERS = "et al."
#: What a work has under the name of a role, as it is in the table.
_TEXTS = ("title", "year", "venue", "arxiv", "doi", "affiliation", "summary", "notes")


@dataclass(frozen=True)
class CitedWork:
    """The bibliographic view of one entry of the pool; what is not known is empty.

    Attributes
    ----------
    authors : tuple of PersonName
        In printed order.
    complete : bool
        False where only the first author is known, or the list of authors is cut.
    kind : str
        One of :data:`KINDS`.
    year : str
        The year that the pool gives the entry.
    public : PartialDate or None
        When it was first public.
    urls : tuple of str
        Addresses; the first is the main one.
    tags : mapping of str to tuple of str
        Axis -> its terms, without the term for "not applicable".
    details : mapping of str to str
        What else the pool has of it in columns that are called so: volume, number, pages, abstract,
        publisher, school, institution, editor, isbn, issn, edition, series, keywords.
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
    details: Mapping[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The main address; empty where none is known."""
        return next(iter(self.urls), "")

    @property
    def year_beside_venue(self) -> str:
        """The year; empty where the name of the venue has it, as in "NeurIPS 2025"."""
        if self.year in self.venue:
            return ""
        return self.year

    @property
    def keywords(self) -> list[str]:
        """The tags as ``axis: term``, for formats with a list of keywords.

        What has a field of its own, such as the type or the publisher, is not among them.
        """
        found = []
        for axis, terms in self.tags.items():
            if not _detail_of(axis):
                found += [f"{axis}: {term}" for term in terms]
        return found


def parse_name(text: str) -> PersonName:
    """Read ``Family, Given``; a text without comma, or in braces, is that of an organisation.

    Examples
    --------
    >>> parse_name("de Witt, Christian")
    PersonName(family='de Witt', given='Christian')
    >>> parse_name("Soil Survey Staff")
    PersonName(family='Soil Survey Staff', given='')
    >>> parse_name("{Institute of Fens, Bogs and Mires}").printed
    'Institute of Fens, Bogs and Mires'
    """
    if text.strip().startswith("{") and text.strip().endswith("}"):
        return PersonName(text.strip()[1:-1])
    family, _, given = text.partition(",")
    return PersonName(family.strip(), given.strip())


def parse_names(cell: str) -> tuple[PersonName, ...]:
    """Read several names, separated by semicolons; :data:`AND_OTHERS` at the end is none."""
    names = [name for name in map(str.strip, cell.split(";")) if name not in ("", AND_OTHERS)]
    return tuple(map(parse_name, names))


def works(study: Study) -> list[CitedWork]:
    """Return the bibliographic view of every entry, in the pool's order."""
    book = study.codebook
    # The cells by role in tables of the role `bibliography`, by the key of the entry.
    bibliography: dict[str, dict[str, str]] = {}
    for key, table, row in study.bibliography():
        cells = _filled(table.spec.by_role_cells(row))
        # These are about the row of the bibliography, not about the work.
        cells.pop("key", None)
        cells.pop("notes", None)
        bibliography.setdefault(key, {}).update(cells)
    found = []
    for entry in study.pool.placed():
        # What the pool itself has goes before what the bibliography has.
        known = {**bibliography.get(entry.key, {}), **_filled(entry.by_role)}
        authors = parse_names(known.get("authors", ""))
        texts = {name: known.get(name, "") for name in _TEXTS}
        public = None
        with suppress(ValueError):  # `corpus check` names the cell
            public = parse_date(known.get("date", ""))
        tags = {}
        for axis in book.pool.axes:
            absent = book.vocabulary_of(axis).not_applicable
            tags[axis.name] = tuple(term for term in entry.terms(axis.name) if term != absent)
        details = _details(entry, book)
        kind = _KIND_OF_TYPE.get(re.sub(r"[\W_]", "", details.pop("type", "").casefold()), "")
        work = CitedWork(
            key=entry.key,
            authors=authors or parse_names(known.get("first_author", "")),
            complete=bool(authors) and not known["authors"].endswith(AND_OTHERS),
            kind=kind or venue_kind(texts["venue"], book.settings.get("venues")),
            public=public,
            urls=tuple(filter(None, split_addresses(known.get("url", "")))),
            tags=tags,
            details=details,
            **texts,
        )
        found.append(work)
    return found


def _detail_of(column: str) -> str:
    """Return which detail a column has by its name, or an empty string."""
    return _DETAIL_OF.get(" ".join(re.findall("[a-z]+", column.lower())), "")


def _details(entry: LocatedRow, book: Codebook) -> dict[str, str]:
    """Return what an entry has in columns of bibliographic details, terms by their labels."""
    found: dict[str, str] = {}
    for column in book.pool.columns:
        name = _detail_of(column.name)
        if not name or column.role not in ("", "abstract", "group"):
            continue
        cell = entry.cells[column.name]
        if column.type == "term":
            labels = book.vocabulary_of(column).labels
            cell = "; ".join(labels.get(term, term) for term in entry.terms(column.name))
        if cell:
            found.setdefault(name, cell)
    first, last = found.pop("first page", ""), found.pop("last page", "")
    if first:
        found.setdefault("pages", "–".join(dict.fromkeys(filter(None, (first, last)))))
    return found


def _filled(cells: Mapping[str, str]) -> dict[str, str]:
    """Return the cells that are not empty, by role."""
    return {role: cell for role, cell in cells.items() if cell}
