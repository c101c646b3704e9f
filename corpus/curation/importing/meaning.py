"""Which bibliographic field a column is, by its name and by its cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from corpus.curation.importing.names import ascii_words
from corpus.model.identifiers import find_arxiv, find_doi


class KnownField(NamedTuple):
    """A bibliographic field of a pool: the column that it becomes, and its names in sources."""

    role: str
    column: str
    type: str
    label: str
    definition: str
    names: tuple[str, ...]


FIELDS = (
    KnownField(
        "key",
        "key",
        "key",
        "Key",
        "Short name of the entry, unique in the pool; it is the BibTeX key as well.",
        (
            "key",
            "id",
            "citation key",
            "cite key",
            "citekey",
            "bibtex key",
            "bibkey",
            "slug",
            "label key",
        ),
    ),
    KnownField(
        "title",
        "title",
        "text",
        "Title",
        "Title of the work.",
        (
            "title",
            "paper title",
            "title of paper",
            "title of the paper",
            "article title",
            "primary title",
            "document title",
            "paper",
            "name",
            "work",
            "ti",
            "titel",
            "titre",
            "titulo",
        ),
    ),
    KnownField(
        "authors",
        "authors",
        "names",
        "Authors",
        "All authors as family name, given name; separated by '; '.",
        (
            "authors",
            "author",
            "author s",
            "author names",
            "creators",
            "creator",
            "au",
            "first authors",
            "by",
            "autor",
            "autoren",
            "autores",
            "auteurs",
        ),
    ),
    KnownField(
        "first_author",
        "first_author",
        "name",
        "First author",
        "Family name, given name of the first author.",
        ("first author", "lead author"),
    ),
    KnownField(
        "affiliation",
        "affiliation",
        "text",
        "Affiliation",
        "Institution of the first author.",
        ("affiliation", "affiliations", "institution", "institutions", "author affiliation"),
    ),
    KnownField(
        "year",
        "year",
        "year",
        "Year",
        "Year of publication.",
        (
            "year",
            "publication year",
            "published year",
            "pub year",
            "year published",
            "yr",
            "py",
            "jahr",
            "annee",
            "ano",
        ),
    ),
    KnownField(
        "date",
        "first_public",
        "date",
        "First public",
        "Day, month or year in which the work was first public; as exact as is known.",
        (
            "date",
            "publication date",
            "date of publication",
            "published",
            "published on",
            "date published",
            "pub date",
            "issued",
            "first public",
            "da",
        ),
    ),
    KnownField(
        "venue",
        "venue",
        "text",
        "Venue",
        "Where the work appeared.",
        (
            "venue",
            "journal",
            "booktitle",
            "book title",
            "publication title",
            "journal name",
            "conference",
            "journal conference",
            "venue name",
            "publication venue",
            "source title",
            "secondary title",
            "jo",
            "t2",
            "container title",
            "publication",
            "published in",
            "journal title",
            "conference journal",
        ),
    ),
    KnownField(
        "doi",
        "doi",
        "doi",
        "DOI",
        "Digital object identifier.",
        ("doi", "digital object identifier", "doi link", "doi url"),
    ),
    KnownField(
        "arxiv",
        "arxiv_id",
        "arxiv",
        "arXiv id",
        "arXiv identifier without version.",
        ("arxiv", "arxiv id", "arxivid", "eprint", "arxiv number", "arxiv link", "arxiv url"),
    ),
    KnownField(
        "url",
        "url",
        "url",
        "URL",
        "Address of the work; several are separated by ' ; '.",
        (
            "url",
            "urls",
            "link",
            "links",
            "web",
            "website",
            "paper link",
            "paper url",
            "pdf",
            "web address",
            "ur",
        ),
    ),
    KnownField(
        "summary",
        "summary",
        "text",
        "Summary",
        "What the work contributes, in one line.",
        (
            "summary",
            "tldr",
            "tl dr",
            "one liner",
            "one line summary",
            "contribution",
            "description",
            "main idea",
        ),
    ),
    KnownField(
        "notes",
        "notes",
        "text",
        "Notes",
        "What a reader of the row must know besides, and what the import could not place.",
        ("notes", "note", "comment", "comments", "remark", "remarks"),
    ),
)
BY_ROLE = {field.role: field for field in FIELDS}
_BY_NAME: dict[str, str] = {}
for _field in FIELDS:
    _BY_NAME.update(dict.fromkeys(_field.names, _field.role))


def field_by_name(column: str) -> str:
    """Return the role of the field that a column's name means, or an empty string.

    Examples
    --------
    >>> field_by_name("Publication Year"), field_by_name("Author(s)"), field_by_name("Soil type")
    ('year', 'authors', '')
    """
    words = ascii_words(re.sub(r"([a-z])([A-Z])", r"\1 \2", column))
    return _BY_NAME.get(" ".join(words)) or _BY_NAME.get("".join(words), "")


def field_by_content(values: Sequence[str]) -> str:
    """Return ``doi``, ``arxiv``, ``url`` or ``year`` where nearly all values are one, else ""."""
    if not values:
        return ""
    tests: dict[str, Callable[[str], bool]] = {
        "doi": lambda text: find_doi(text) is not None and " " not in text,
        "arxiv": lambda text: find_arxiv(text) is not None and " " not in text,
        "url": lambda text: re.match(r"https?://\S+", text) is not None,
        "year": lambda text: re.fullmatch(r"(19|20)[0-9]{2}", text) is not None,
    }
    for role, test in tests.items():
        if sum(map(test, values)) >= 0.9 * len(values):
            return role
    return ""
