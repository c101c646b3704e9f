"""Works of OpenAlex, whose JSON has some fifty fields, many of them nested, for each work."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from corpus.curation.importing.persons import whole_name
from corpus.curation.importing.readers.records import Cell
from corpus.curation.lookup.json_answer import items_at, text_at, value_at
from corpus.model.identifiers import find_arxiv

REMARK = (
    "of OpenAlex's fields these are read: identifiers, title, authors, year, date, venue, type, "
    "language, keywords, topic, abstract, citations and address"
)
#: Words of an abstract; an index with a position beyond this is not one.
_MAX_WORDS = 20_000
#: Columns, and where a work has what is in them.
_FIELDS = {
    "openalex": "id",
    "title": "title",
    "year": "publication_year",
    "date": "publication_date",
    "venue": "primary_location.source.display_name",
    "doi": "doi",
    "url": "primary_location.landing_page_url",
    "type": "type",
    "language": "language",
    "topic": "primary_topic.display_name",
    "cited by": "cited_by_count",
}
_READ = frozenset(("id", "doi", "title", "display_name", "authorships", "locations"))
#: A consortium among the authors; it has no given name.
_GROUP = re.compile(r"\b(?:group|team|consortium)\b", re.IGNORECASE)


def is_openalex(item: Any) -> bool:
    """Whether an object of a JSON file is a work of OpenAlex."""
    return isinstance(item, Mapping) and "authorships" in item and "publication_year" in item


def openalex_cells(work: Mapping[str, Any]) -> dict[str, Cell]:
    """Return the fields of a work that describe it."""
    cells: dict[str, Cell] = {}
    for name, path in _FIELDS.items():
        value = value_at(work, path)
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            cells[name] = str(value)
    if not cells.get("title"):
        cells["title"] = text_at(work, "display_name")
    names = []
    for item in items_at(work, "authorships"):
        # Somebody whom OpenAlex has not recognised has the name as it is printed.
        name = text_at(item, "author.display_name") or text_at(item, "raw_author_name")
        if _GROUP.search(name):
            name = whole_name(name)
        names.append(name)
    cells["authors"] = tuple(filter(None, names))
    # Where else a work can be read: its preprint, a repository.
    addresses = []
    for item in items_at(work, "locations"):
        addresses += [text_at(item, "landing_page_url"), text_at(item, "pdf_url")]
    cells["places"] = tuple(filter(None, dict.fromkeys(addresses)))
    cells["arxiv"] = next(filter(None, map(find_arxiv, addresses)), "")
    keywords = [text_at(item, "display_name") for item in items_at(work, "keywords")]
    cells["keywords"] = tuple(filter(None, keywords))
    cells["abstract"] = _abstract(work.get("abstract_inverted_index"))
    return {name: cell for name, cell in cells.items() if cell}


def openalex_rest(work: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a work that are not read."""
    return {name: value for name, value in work.items() if name not in _READ}


def _abstract(index: Any) -> str:
    """Return the abstract whose words OpenAlex gives with their positions."""
    words: dict[int, str] = {}
    for word, positions in index.items() if isinstance(index, dict) else ():
        for position in positions if isinstance(positions, list) else ():
            if re.fullmatch(r"[0-9]{1,5}", str(position)) and int(position) < _MAX_WORDS:
                words[int(position)] = str(word)
    return " ".join(words[position] for position in sorted(words))
