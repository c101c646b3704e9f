"""RIS, as reference managers and screening tools export it, by rispy."""

from __future__ import annotations

import re
from typing import Any

import rispy
from rispy.parser import ParseError

from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records, gather

#: RIS ends a date in a slash, where other information may follow.
_DATED = re.compile(r"year|date")


def read_ris(text: str, shown: str) -> Records:
    """Read RIS by rispy; lines outside any record are named (I106), the records are read."""
    findings = []
    for line, part in enumerate(text.split("\n"), 1):
        if re.match(r"[A-Z][A-Z0-9]  ?-(?! |$)", part):
            problem = "the tag needs '  - ' after it"
            findings.append(rules.SKIPPED.at(shown, line, value=part[:80], problem=problem))
    try:
        entries = rispy.loads(text)
    except (
        OSError,
        ParseError,
    ) as error:  # which of them for text outside a record depends on rispy's version
        problem = " ".join(str(error).split())[:200]
        findings.append(rules.SKIPPED.at(shown, 0, problem=problem))
        entries = rispy.loads(_records_only(text))
    places = _lines_of_records(text, len(entries))
    records = [
        ImportedRecord(place, _cells(entry)) for place, entry in zip(places, entries, strict=True)
    ]
    return gather("RIS", records, findings)


def _lines_of_records(text: str, count: int) -> list[int]:
    """Return the line of each record, which rispy does not tell; their numbers where in doubt."""
    starts = [line for line, part in enumerate(text.split("\n"), 1) if part.startswith("TY  -")]
    if len(starts) == count:
        return starts
    return list(range(1, count + 1))


def _cells(entry: dict[str, Any]) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for name, value in entry.items():
        if isinstance(value, list):
            cells[name] = tuple(map(str, value))
        elif isinstance(value, dict):  # tags that rispy does not know
            for tag, texts in value.items():
                cells[f"{name} {tag}"] = " ".join(map(str, texts))
        elif _DATED.search(name):
            cells[name] = str(value).rstrip("/")
        else:
            cells[name] = str(value)
    return cells


def _records_only(text: str) -> str:
    """Return the lines from each TY to the ER line after it; a record without ER is left out."""
    kept: list[str] = []
    record: list[str] = []
    for line in text.split("\n"):
        if record or line.startswith("TY  - "):
            record.append(line)
        if record and line.startswith("ER  -"):
            kept += record
            record = []
    return "\n".join(kept) + "\n"
