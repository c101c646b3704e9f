"""Screening decisions that Rayyan and Covidence write into the notes of records, as columns."""

from __future__ import annotations

import re

from corpus.curation.importing.readers.records import (
    Cell,
    ImportedRecord,
    Records,
    gather,
    texts_of,
)

_PART = re.compile(r"(?<!\s)\s*+(RAYYAN-[A-Z-]{1,40}|USER-NOTES)\s*+:\s*+")
#: Decisions are written by reader: {"Ann"=>"Included"}.
_BY_READER = re.compile(r'"[^"]*"\s*=>\s*"([^"]*)"')
_COVIDENCE = re.compile(r"\bExclusion reason: (?P<reason>[^;|]{1,200})[;|]? *", re.IGNORECASE)


def split_screening_notes(records: Records) -> Records:
    """Split Rayyan's notes into ``inclusion``, ``labels``, ``exclusion reasons`` and the rest.

    Of Covidence's notes the exclusion reason becomes a column. Records of other programs come back
    as they are.
    """
    rows, remarks = list(records.rows), list(records.remarks)
    if any(_has_notes(row) for row in rows):
        rows = [ImportedRecord(row.place, _split(row)) for row in rows]
        remarks.append("the notes of Rayyan were split into columns")
    if any(_covidence_reason(row) for row in rows):
        rows = [ImportedRecord(row.place, _with_reason(row)) for row in rows]
        remarks.append("the exclusion reason in the notes of Covidence became a column")
    if len(remarks) == len(records.remarks):
        return records
    found = gather(records.format, rows, records.findings, remarks)
    return found._replace(left_out=records.left_out, source=records.source)


def _covidence_reason(row: ImportedRecord) -> re.Match[str] | None:
    notes = row.cells.get("Notes")
    if not isinstance(notes, str):
        return None
    return _COVIDENCE.search(notes)


def _with_reason(row: ImportedRecord) -> dict[str, Cell]:
    cells = dict(row.cells)
    found = _covidence_reason(row)
    if found is not None and "exclusion reason" not in cells:
        notes = str(cells["Notes"])
        cells["Notes"] = f"{notes[: found.start()]}{notes[found.end() :]}".strip()
        cells["exclusion reason"] = found["reason"].strip()
    return cells


def _has_notes(row: ImportedRecord) -> bool:
    return any(isinstance(cell, str) and _PART.search(cell) for cell in row.cells.values())


def _split(row: ImportedRecord) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for column, cell in row.cells.items():
        if not isinstance(cell, str) or not _PART.search(cell):
            _add(cells, column, cell)
            continue
        before, *parts = _PART.split(cell)
        _add(cells, column, before.strip(" |"))
        for name, value in zip(parts[::2], parts[1::2], strict=True):
            label = name.removeprefix("RAYYAN-").replace("-", " ").lower()
            _add(cells, label, _value(name, value.strip(" |")))
    return cells


def _add(cells: dict[str, Cell], column: str, cell: Cell) -> None:
    """Add a cell; one that is there already, under the same name, is kept before it."""
    earlier = cells.get(column)
    if not earlier:
        cells[column] = cell
    elif cell:
        cells[column] = (*texts_of(earlier), *texts_of(cell))


def _value(name: str, text: str) -> Cell:
    decisions = _BY_READER.findall(text)
    if decisions:
        return tuple(dict.fromkeys(decisions))
    if name == "USER-NOTES":
        return text
    return tuple(part.strip() for part in text.split(","))
