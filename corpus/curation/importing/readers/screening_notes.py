"""Screening decisions that Rayyan writes into the notes of each record, as columns."""

from __future__ import annotations

import re

from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records, gather

_PART = re.compile(r"(?<!\s)\s*+(RAYYAN-[A-Z-]{1,40}|USER-NOTES)\s*+:\s*+")


def split_screening_notes(records: Records) -> Records:
    """Split Rayyan's notes into ``inclusion``, ``labels``, ``exclusion reasons`` and the rest.

    Records of other programs come back as they are.
    """
    if not any(
        _PART.search(cell)
        for row in records.rows
        for cell in row.cells.values()
        if isinstance(cell, str)
    ):
        return records
    rows = [ImportedRecord(row.place, _split(row)) for row in records.rows]
    return gather(
        records.format,
        rows,
        records.findings,
        [*records.remarks, "notes of Rayyan were taken apart"],
    )


def _split(row: ImportedRecord) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for column, cell in row.cells.items():
        if not isinstance(cell, str) or not _PART.search(cell):
            cells[column] = cell
            continue
        before, *parts = _PART.split(cell)
        cells[column] = before.strip(" |")
        for name, value in zip(parts[::2], parts[1::2], strict=True):
            cells[name.removeprefix("RAYYAN-").replace("-", " ").lower()] = _value(
                name, value.strip(" |")
            )
    return cells


def _value(name: str, text: str) -> Cell:
    decisions = re.findall(r'"[^"]*"\s*=>\s*"([^"]*)"', text)
    if decisions:
        return tuple(dict.fromkeys(decisions))
    return tuple(part.strip() for part in text.split(",")) if name != "USER-NOTES" else text
