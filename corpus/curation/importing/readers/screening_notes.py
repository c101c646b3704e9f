"""Screening decisions that Rayyan and Covidence write into the notes of records, as columns."""

from __future__ import annotations

import re
from collections.abc import Mapping

from corpus.curation.importing.readers.records import (
    Cell,
    ImportedRecord,
    Records,
    add_cell,
    gather,
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
    remarks: dict[str, None] = {}
    rows = []
    for row in records.rows:
        cells: dict[str, Cell] = {}
        for column, cell in row.cells.items():
            for name, part in _parts(column, cell, remarks).items():
                add_cell(cells, name, part)
        rows.append(ImportedRecord(row.place, cells))
    if not remarks:
        return records
    found = gather(records.format, rows, None, [*records.remarks, *remarks])
    return records._replace(columns=found.columns, rows=found.rows, remarks=found.remarks)


def _parts(column: str, cell: Cell, remarks: dict[str, None]) -> Mapping[str, Cell]:
    """Return the cells that a cell is made of, by the names of their columns."""
    if not isinstance(cell, str):
        return {column: cell}
    reason = _COVIDENCE.search(cell)
    if column == "Notes" and reason:
        remarks["the exclusion reason in the notes of Covidence became a column"] = None
        rest = f"{cell[: reason.start()]}{cell[reason.end() :]}".strip()
        return {column: rest, "exclusion reason": reason["reason"].strip()}
    before, *parts = _PART.split(cell)
    if not parts:
        return {column: cell}
    remarks["the notes of Rayyan were split into columns"] = None
    cells: dict[str, Cell] = {column: before.strip(" |")}
    for name, value in zip(parts[::2], parts[1::2], strict=True):
        text = value.strip(" |")
        label = name.removeprefix("RAYYAN-").replace("-", " ").lower()
        decisions = _BY_READER.findall(text)
        if decisions:
            cells[label] = tuple(dict.fromkeys(decisions))
        elif name == "USER-NOTES":
            cells[label] = text
        else:
            cells[label] = tuple(text.split(","))
    return cells
