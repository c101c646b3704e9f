"""A work that a list has several times, such as once per section, becomes one record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.readers.markdown.markdown_entry import link_column
from corpus.curation.importing.readers.records import Cell, ImportedRecord, LeftOut, texts_of
from corpus.model.identifiers import NormalTitle, identities, normal_title

_SECTIONS = ("section", "subsection", "subsubsection", "tags")
#: A shorter title may be that of two works ("Introduction").
_FEWEST_WORDS = 3


def merge_repeats(rows: Sequence[ImportedRecord]) -> tuple[list[ImportedRecord], list[LeftOut]]:
    """Return each work once, its sections as several values, and the places that were merged.

    Records are of one work where their titles are equal and their identifiers do not differ, or
    where they share an identifier and one title is part of the other. What differs otherwise is
    kept: addresses among the links, texts in the notes.
    """
    works: list[ImportedRecord] = []
    merged: list[LeftOut] = []
    by_title: dict[NormalTitle, int] = {}
    by_name: dict[str, int] = {}
    names: list[set[str]] = []
    for row in rows:
        title = _title_of(row)
        own = set(identities(*_addresses(row)))
        place = by_title.get(title)
        if place is not None and not _agree(names[place], own):
            place = None
        if place is None:
            place = next((by_name[name] for name in sorted(own) if name in by_name), None)
            if place is not None and not _is_part(title, _title_of(works[place])):
                place = None
        if place is None:
            place = len(works)
            works.append(row)
            names.append(set())
        else:
            works[place] = ImportedRecord(works[place].place, _joined(works[place], row))
            merged.append(LeftOut(row.place, row.place + 1, "merged with an earlier line", 1))
        names[place] |= own
        if len(title.split()) >= _FEWEST_WORDS:
            by_title.setdefault(title, place)
        for name in own:
            by_name.setdefault(name, place)
    return works, merged


def _title_of(row: ImportedRecord) -> NormalTitle:
    for name, cell in row.cells.items():
        if name == "title" or field_by_name(name) == "title":
            return normal_title(" ".join(texts_of(cell)))
    return NormalTitle("")


def _addresses(row: ImportedRecord) -> Iterable[str]:
    # Other columns link to other works: data that was used, models that were trained.
    for name, cell in row.cells.items():
        if field_by_name(name) in ("url", "arxiv", "doi") or link_column(name) == "url":
            yield texts_of(cell)[0]


def _agree(first: set[str], second: set[str]) -> bool:
    """Whether no identifier of one kind differs."""
    kinds = {name.partition(":")[0] for name in first} & {n.partition(":")[0] for n in second}
    return bool(first & second) or not kinds


def _is_part(first: str, second: str) -> bool:
    return first in second or second in first


def _joined(first: ImportedRecord, second: ImportedRecord) -> dict[str, Cell]:
    cells = dict(first.cells)
    for name, cell in second.cells.items():
        earlier = texts_of(cells.get(name, ()))
        more = [text for text in texts_of(cell) if text not in earlier]
        if not earlier:
            cells[name] = cell
        elif name in _SECTIONS:
            cells[name] = (*earlier, *more)
        elif field_by_name(name) == "title" and len(more) == 1:
            # The longer title is the whole one; the other is a short name.
            shorter, cells[name] = sorted((earlier[0], more[0]), key=len)
            _add(cells, "notes", [f"also called: {shorter}"])
        elif more:
            links = [text for text in more if text.startswith("http")]
            others = [f"{name}: {text}" for text in more if text not in links]
            _add(cells, "links", links)
            _add(cells, "notes", others)
    return cells


def _add(cells: dict[str, Cell], name: str, texts: Sequence[str]) -> None:
    """Add texts to a column of several values."""
    found = dict.fromkeys((*texts_of(cells.get(name, ())), *texts))
    if found:
        cells[name] = tuple(found)
