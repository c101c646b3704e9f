"""Exports in which each line starts with a tag: Web of Science, PubMed and EndNote.

rispy reads RIS, where a tag has a fixed place. Its reader of Web of Science stops at the first
tag it does not know and tells no line, so the lines are read here; the names of the tags are its.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rispy.config import WOK_LIST_TYPE_TAGS, WOK_TAG_KEY_MAPPING

from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records, gather
from corpus.model.finding import Finding


class TagFormat(NamedTuple):
    """How a format of tagged lines is written.

    Attributes
    ----------
    name : str
        For people.
    line : Pattern of str
        A line with a tag; groups ``tag`` and ``value``.
    more : Pattern of str
        A line that continues the one above; group ``value``.
    first : str
        The tag that starts a record.
    names : mapping of str to str
        Tag -> name of the column; other tags are left out, and a remark names them.
    lists : frozenset of str
        Tags with one value per line.
    ignored : frozenset of str
        Tags of the file, not of a record.
    """

    name: str
    line: re.Pattern[str]
    more: re.Pattern[str]
    first: str
    names: Mapping[str, str]
    lists: frozenset[str]
    ignored: frozenset[str] = frozenset()


WEB_OF_SCIENCE = TagFormat(
    "Web of Science",
    re.compile(r"(?P<tag>[A-Z][A-Z0-9])(?: (?P<value>.*))?"),
    re.compile(r" {2,}(?P<value>.*)"),
    "PT",
    {tag: name.replace("_", " ") for tag, name in WOK_TAG_KEY_MAPPING.items()},
    frozenset(WOK_LIST_TYPE_TAGS),
    frozenset(("FN", "VR", "ER", "EF")),
)
PUBMED = TagFormat(
    "PubMed",
    re.compile(r"(?P<tag>[A-Z][A-Z0-9]{1,3}) *- ?(?P<value>.*)"),
    re.compile(r" {5,}(?P<value>.*)"),
    "PMID",
    {
        "PMID": "PMID",
        "TI": "title",
        "BTI": "book title",
        "FAU": "authors",
        "CN": "corporate authors",
        "AU": "authors short",
        "DP": "date",
        "JT": "journal",
        "TA": "journal abbreviation",
        "AID": "identifiers",
        "LID": "location identifiers",
        "AB": "abstract",
        "OT": "keywords",
        "MH": "MeSH terms",
        "PT": "publication type",
        "LA": "language",
        "VI": "volume",
        "IP": "issue",
        "PG": "pages",
        "PMC": "PMCID",
        "IS": "ISSN",
        "PL": "country",
    },
    frozenset(("FAU", "CN", "AU", "AID", "LID", "OT", "MH", "PT", "IS")),
)
ENDNOTE = TagFormat(
    "EndNote",
    re.compile(r"%(?P<tag>[0-9A-Za-z@!?#$&()*+^<>=~\[\]])(?: (?P<value>.*))?"),
    re.compile(r"(?P<value>[^%].*)"),
    "0",
    {
        "0": "type",
        "A": "authors",
        "T": "title",
        "J": "journal",
        "B": "secondary title",
        "D": "year",
        "8": "date",
        "R": "doi",
        "U": "urls",
        "X": "abstract",
        "K": "keywords",
        "V": "volume",
        "N": "issue",
        "P": "pages",
        "I": "publisher",
        "@": "ISSN or ISBN",
        "G": "language",
        "Z": "notes",
        "E": "editors",
        "C": "place published",
        "M": "accession number",
        "F": "label key",
        "S": "series",
        "9": "type of work",
        "+": "author address",
        "1": "custom 1",
        "2": "custom 2",
        "3": "custom 3",
        "4": "custom 4",
        "<": "research notes",
        "W": "database",
        "~": "name of database",
    },
    frozenset(("A", "E", "U", "K")),
)


def read_web_of_science(text: str, shown: str) -> Records:
    """Read an export of Web of Science as plain text."""
    records = _read(WEB_OF_SCIENCE, text, shown)
    return records._replace(rows=[_with_lists(row) for row in records.rows])


def read_pubmed(text: str, shown: str) -> Records:
    """Read an export of PubMed (.nbib)."""
    # Other databases write the format without the number of PubMed, such as ERIC.
    has_numbers = re.search(r"^PMID *-", text, re.MULTILINE) is not None
    format_ = PUBMED if has_numbers else PUBMED._replace(first="OWN")
    records = _read(format_, text, shown)
    rows = [ImportedRecord(row.place, _with_doi(row.cells)) for row in records.rows]
    return gather(records.format, rows, records.findings, records.remarks)


def read_endnote(text: str, shown: str) -> Records:
    """Read an export of EndNote with tags (.enw)."""
    return _read(ENDNOTE, text, shown)


def _read(format_: TagFormat, text: str, shown: str) -> Records:
    findings: list[Finding] = []
    left_out: dict[str, int] = {}
    records = []
    for line, fields in _records(format_, text, shown, findings):
        cells: dict[str, Cell] = {}
        for tag, values in fields.items():
            if tag not in format_.names:
                left_out[tag] = left_out.get(tag, 0) + 1
                continue
            filled = [value for value in values if value]
            if tag in format_.lists:
                cells[format_.names[tag]] = tuple(filled)
            else:
                cells[format_.names[tag]] = " ".join(filled)
        records.append(ImportedRecord(line, cells))
    remarks = []
    if left_out:
        remarks.append(f"tags that tell nothing of a work are left out: {', '.join(left_out)}")
    return gather(format_.name, records, findings, remarks)


def _records(
    format_: TagFormat, text: str, shown: str, findings: list[Finding]
) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """Yield the line of each record and its values by tag; name the lines outside every record."""
    fields: dict[str, list[str]] = {}
    start = 0
    tag = ""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        match = format_.line.fullmatch(line)
        more = None if match else format_.more.fullmatch(line)
        if match and match["tag"] in format_.ignored:
            tag = ""
        elif match and match["tag"] == format_.first:
            if fields:
                yield start, fields
            start, tag = number, match["tag"]
            fields = {tag: [(match["value"] or "").strip()]}
        elif match and fields:
            tag = match["tag"]
            fields.setdefault(tag, []).append((match["value"] or "").strip())
        elif more and tag:
            value = more["value"].strip()
            # PubMed breaks long lines also in lists; Web of Science and EndNote do not.
            if format_.name == PUBMED.name and tag in format_.lists:
                fields[tag][-1] += f" {value}"
            else:
                fields[tag].append(value)
        else:
            problem = "it is outside any record, or its tag is damaged"
            findings.append(rules.SKIPPED.at(shown, number, value=line[:80], problem=problem))
    if fields:
        yield start, fields


#: Web of Science separates keywords and categories by semicolons.
_WOS_LISTS = ("author keywords", "keywords plus", "wos categories", "research areas")


def _with_lists(row: ImportedRecord) -> ImportedRecord:
    cells = dict(row.cells)
    for name in _WOS_LISTS:
        cell = cells.get(name)
        if isinstance(cell, str):
            cells[name] = tuple(part.strip() for part in cell.split(";") if part.strip())
    return ImportedRecord(row.place, cells)


def _with_doi(cells: Mapping[str, Cell]) -> dict[str, Cell]:
    """Return a record of PubMed with the DOI that its identifiers mark as one."""
    found = dict(cells)
    title = found.get("title")
    if isinstance(title, str):
        found["title"] = title.removesuffix(".")  # PubMed ends each with one
    for name in ("identifiers", "location identifiers"):
        cell = cells.get(name, ())
        for value in cell if isinstance(cell, tuple) else (cell,):
            if value.endswith("[doi]"):
                found.setdefault("doi", value.removesuffix("[doi]").strip())
    found.pop("location identifiers", None)
    if "authors" not in found and "corporate authors" in found:
        found["authors"] = found.pop("corporate authors")
    return found
