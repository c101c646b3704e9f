"""A work that a list has several times, such as once per section, becomes one record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.readers.markdown.markdown_entry import link_column
from corpus.curation.importing.readers.records import Cell, ImportedRecord, LeftOut, texts_of
from corpus.model.identifiers import identities, normal_title

_SECTIONS = ("section", "subsection", "subsubsection", "tags")


def merge_repeats(rows: Iterable[ImportedRecord]) -> tuple[list[ImportedRecord], list[LeftOut]]:
    """Return each work once, its sections as several values, and the places that were merged.

    Records are of one work where they share an identifier or address, and one title is part of the
    other. What differs otherwise is kept: addresses among the links, texts in the notes.
    """
    works: list[ImportedRecord] = []
    merged: list[LeftOut] = []
    titles: list[str] = []
    # Where the work of an identifier ("arxiv:2103.00001") is.
    places: dict[str, int] = {}
    for row in rows:
        title = ""
        addresses: list[str] = []
        for name, cell in row.cells.items():
            field = field_by_name(name)
            if field == "title" and not title:
                title = normal_title(" ".join(texts_of(cell)))
            elif field in ("url", "arxiv", "doi") or link_column(name) == "url":
                # Other columns link to other works: data that was used, models that were trained.
                addresses.append(texts_of(cell)[0])
        names = sorted(identities(*addresses))
        place = next((places[name] for name in names if name in places), len(works))
        if place < len(works) and (title in titles[place] or titles[place] in title):
            works[place] = ImportedRecord(works[place].place, _joined(works[place], row))
            titles[place] = max(title, titles[place], key=len)
            merged.append(LeftOut(row.place, row.place + 1, "merged with an earlier line", 1))
        else:
            place = len(works)
            works.append(row)
            titles.append(title)
        for name in names:
            places.setdefault(name, place)
    return works, merged


def _joined(first: ImportedRecord, second: ImportedRecord) -> dict[str, Cell]:
    cells = dict(first.cells)
    titles = [name for name in cells if field_by_name(name) == "title"]
    for name, cell in second.cells.items():
        if field_by_name(name) == "title" and titles and name not in titles:
            name = titles[0]  # tables and lists call it differently
        earlier = texts_of(cells.get(name, ()))
        more = [text for text in texts_of(cell) if text not in earlier]
        if not earlier:
            cells[name] = cell
        elif name in _SECTIONS:
            cells[name] = (*earlier, *more)
        elif field_by_name(name) == "title" and more:
            # The longer title is the whole one; the other is a short name.
            shorter, cells[name] = sorted((earlier[0], more[0]), key=len)
            _add(cells, "notes", [f"also called: {shorter}"])
        else:
            links = [text for text in more if text.startswith("http")]
            _add(cells, "links", links)
            _add(cells, "notes", [f"{name}: {text}" for text in more if text not in links])
    return cells


def _add(cells: dict[str, Cell], name: str, texts: Sequence[str]) -> None:
    """Add texts to a column of several values."""
    found = dict.fromkeys((*texts_of(cells.get(name, ())), *texts))
    if found:
        cells[name] = tuple(found)
