"""RIS, as reference managers and screening tools export it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rispy.config import LIST_TYPE_TAGS, TAG_KEY_MAPPING

from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records
from corpus.curation.importing.readers.tagged import TagFormat, read_tagged

#: A known tag with other spaces around its hyphen: damaged, and no part of the text above.
_DAMAGED = rf"(?:{'|'.join(TAG_KEY_MAPPING)})(?: -| {{3,9}}-|-(?= |$))"
RIS = TagFormat(
    "RIS",
    re.compile(r"(?P<tag>[A-Z][A-Z0-9])  -(?P<value>.*)"),
    re.compile(rf"(?!{_DAMAGED})(?P<value>.*)"),
    "TY",
    TAG_KEY_MAPPING,
    frozenset(LIST_TYPE_TAGS),
    end="ER",
    repeats=True,
    unknown="unknown_tag",
)
_START = re.compile(r"^TY  -", re.MULTILINE)
_LOOSE_START = re.compile(r"^TY ?-", re.MULTILINE)
#: Tags with one space or none before the hyphen, as some programs write them. In a file of the
#: usual form such a line is text: "AI - a survey".
_LOOSE_LINE = re.compile(r"(?P<tag>[A-Z][A-Z0-9]) {0,2}-(?P<value>(?: .*)?)")
#: RIS ends a date in a slash, where other information may follow.
_DATED = re.compile(r"year|date")
#: One UR line may have several addresses; a semicolon may also be inside one.
_BETWEEN_ADDRESSES = re.compile(r";\s*(?=https?://|www\.)")


def read_ris(text: str, shown: str) -> Records:
    """Read RIS; lines outside any record and damaged tags are named (I106).

    A record without ER ends where the next one begins. Several values of one tag are all kept.
    """
    format_ = RIS
    if _START.search(text) is None and _LOOSE_START.search(text) is not None:
        format_ = RIS._replace(line=_LOOSE_LINE)
    records = read_tagged(format_, text, shown)
    rows = [ImportedRecord(row.place, _cells(row.cells)) for row in records.rows]
    return records._replace(rows=rows)


def _cells(given: Mapping[str, Cell]) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for name, cell in given.items():
        if isinstance(cell, str) and _DATED.search(name):
            cells[name] = cell.rstrip("/")
        elif isinstance(cell, tuple) and name == TAG_KEY_MAPPING["UR"]:
            cells[name] = _addresses(cell)
        else:
            cells[name] = cell
    return cells


def _addresses(lines: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for line in lines:
        found += _BETWEEN_ADDRESSES.split(line)
    return tuple(found)
