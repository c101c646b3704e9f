"""Screening decisions that Rayyan writes into the notes of each record, as columns."""

from __future__ import annotations

import re

from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records, gather

_PART = re.compile(r"(?<!\s)\s*+(RAYYAN-[A-Z-]{1,40}|USER-NOTES)\s*+:\s*+")


def split_screening_notes(records: Records) -> Records:
    """Split Rayyan's notes into ``inclusion``, ``labels``, ``exclusion reasons`` and the rest.

    Records of other programs come back as they are.
    """
    if not any(_has_notes(row) for row in records.rows):
        return records
    rows = [ImportedRecord(row.place, _split(row)) for row in records.rows]
    remarks = [*records.remarks, "the notes of Rayyan were split into columns"]
    return gather(records.format, rows, records.findings, remarks)


def _has_notes(row: ImportedRecord) -> bool:
    return any(isinstance(cell, str) and _PART.search(cell) for cell in row.cells.values())


def _split(row: ImportedRecord) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for column, cell in row.cells.items():
        if not isinstance(cell, str) or not _PART.search(cell):
            cells[column] = cell
            continue
        before, *parts = _PART.split(cell)
        cells[column] = before.strip(" |")
        for name, value in zip(parts[::2], parts[1::2], strict=True):
            label = name.removeprefix("RAYYAN-").replace("-", " ").lower()
            cells[label] = _value(name, value.strip(" |"))
    return cells


def _value(name: str, text: str) -> Cell:
    # Decisions are written by reader: {"Ann"=>"Included"}.
    decisions = re.findall(r'"[^"]*"\s*=>\s*"([^"]*)"', text)
    if decisions:
        return tuple(dict.fromkeys(decisions))
    if name == "USER-NOTES":
        return text
    return tuple(part.strip() for part in text.split(","))
