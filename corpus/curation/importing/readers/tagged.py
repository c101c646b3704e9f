"""Exports in which each line starts with a tag: RIS, Web of Science, PubMed and EndNote.

rispy has the names of the tags, but tells no line, takes a record without an end for part of the
one before, keeps only the first of two values and stops at some files. So the lines are read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from rispy.config import WOK_LIST_TYPE_TAGS, WOK_TAG_KEY_MAPPING

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.records import (
    Cell,
    ImportedRecord,
    LeftOut,
    Records,
    gather,
    texts_of,
)
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
        Tag -> name of the column.
    lists : frozenset of str
        Tags with one value per line.
    ignored : frozenset of str
        Tags of the file, not of a record.
    end : str
        The tag that ends a record; empty where the next record ends it.
    wraps_lists : bool
        Whether a line that continues a tag of `lists` is part of its last value, not a further one.
    repeats : bool
        Whether any tag may come several times in a record, each with a value of its own.
    unknown : str
        What the names of columns for other tags begin with; without it such tags are left out, and
        a remark names them.
    """

    name: str
    line: re.Pattern[str]
    more: re.Pattern[str]
    first: str
    names: Mapping[str, str]
    lists: frozenset[str]
    ignored: frozenset[str] = frozenset()
    end: str = ""
    wraps_lists: bool = False
    repeats: bool = False
    unknown: str = ""


WEB_OF_SCIENCE = TagFormat(
    "Web of Science",
    re.compile(r"(?P<tag>[A-Z][A-Z0-9])(?: (?P<value>.*))?"),
    re.compile(r" {2,}(?P<value>.*)"),
    "PT",
    {tag: name.replace("_", " ") for tag, name in WOK_TAG_KEY_MAPPING.items()},
    frozenset(WOK_LIST_TYPE_TAGS),
    ignored=frozenset(("FN", "VR", "EF")),
    end="ER",
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
    # PubMed breaks long lines also in lists; the others begin a new value.
    wraps_lists=True,
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
    records = read_tagged(WEB_OF_SCIENCE, text, shown)
    return records._replace(rows=[_with_lists(row) for row in records.rows])


def read_pubmed(text: str, shown: str) -> Records:
    """Read an export of PubMed (.nbib)."""
    # Other databases write the format without the number of PubMed, such as ERIC.
    has_numbers = re.search(r"^PMID *-", text, re.MULTILINE) is not None
    format_ = PUBMED
    if not has_numbers:
        format_ = PUBMED._replace(first="OWN")
    records = read_tagged(format_, text, shown)
    rows = [ImportedRecord(row.place, _with_doi(row.cells)) for row in records.rows]
    found = gather(records.format, rows, records.findings, records.remarks)
    return found._replace(left_out=records.left_out)


def read_endnote(text: str, shown: str) -> Records:
    """Read an export of EndNote with tags (.enw)."""
    return read_tagged(ENDNOTE, text, shown)


def read_tagged(format_: TagFormat, text: str, shown: str) -> Records:
    """Read an export whose lines start with tags.

    A line, or a record without its first line, that is outside every record is named (I106).
    """
    findings: list[Finding] = []
    left_out: dict[str, list[str]] = {}
    records = []
    for line, fields in _records(format_, text, shown, findings):
        cells: dict[str, Cell] = {}
        for tag, values in fields.items():
            name = format_.names.get(tag, "")
            if not name and format_.unknown:
                name = f"{format_.unknown} {tag}"
            if name:
                cells[name] = _cell(format_, tag, values)
            else:
                left_out.setdefault(tag, []).extend(values)
        records.append(ImportedRecord(line, cells))
    remarks = []
    if left_out:
        remarks.append(f"tags that tell nothing of a work are left out: {', '.join(left_out)}")
    texts = "\n".join(value for values in left_out.values() for value in values)
    passed = LeftOut(0, 0, "tags that tell nothing of a work", 0, texts)
    return gather(format_.name, records, findings, remarks)._replace(left_out=(passed,))


def _cell(format_: TagFormat, tag: str, values: Sequence[str]) -> Cell:
    filled = tuple(value for value in values if value)
    if tag in format_.lists or (format_.repeats and len(filled) > 1):
        return filled
    return " ".join(filled)


_Fields = dict[str, list[str]]


def _records(
    format_: TagFormat, text: str, shown: str, findings: list[Finding]
) -> Iterator[tuple[int, _Fields]]:
    """Yield the line of each record and its values by tag; name what is outside every record."""
    fields: _Fields = {}
    start = 0
    tag = ""
    for paragraph in _paragraphs(text):
        if _is_another_record(format_, paragraph, fields):
            number, line = paragraph[0]
            problem = f"a record without its first line, the one with {format_.first}"
            findings.append(rules.SKIPPED.at(shown, number, value=line[:80], problem=problem))
            # What follows may be of it, and not of the record above.
            yield start, fields
            fields, tag = {}, ""
            continue
        for number, line in paragraph:
            match = format_.line.fullmatch(line)
            more = format_.more.fullmatch(line)
            if match and match["tag"] in format_.ignored:
                tag = ""
            elif match and match["tag"] in (format_.first, format_.end):
                if fields:
                    yield start, fields
                fields, tag = {}, ""
                if match["tag"] == format_.first:
                    start, tag = number, match["tag"]
                    fields = {tag: [_value(match)]}
            elif match and fields:
                tag = match["tag"]
                fields.setdefault(tag, []).append(_value(match))
            elif more and tag:
                if tag in format_.lists and not format_.wraps_lists:
                    fields[tag].append(_value(more))
                else:
                    fields[tag][-1] += f" {_value(more)}"
            else:
                problem = "it is outside any record, or its tag is damaged"
                findings.append(rules.SKIPPED.at(shown, number, value=line[:80], problem=problem))
    if fields:
        yield start, fields


def _paragraphs(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines between empty ones, with their numbers."""
    lines = enumerate(text.split("\n"), 1)
    for is_filled, group in groupby(lines, key=lambda line: bool(line[1].strip())):
        if is_filled:
            yield list(group)


def _is_another_record(
    format_: TagFormat, paragraph: Sequence[tuple[int, str]], fields: Mapping[str, object]
) -> bool:
    """Return whether lines after an empty one are a record that lacks its first line.

    An empty line may be inside a long text. But a record has one title: a second one would mix two
    works.
    """
    for number, (_, line) in enumerate(paragraph):
        match = format_.line.fullmatch(line)
        if match is None:
            if number == 0:
                return False
            continue
        tag = match["tag"]
        if tag == format_.first:
            return False
        if tag in fields and field_by_name(format_.names.get(tag, "")) == "title":
            return not format_.repeats
    return False


def _value(match: re.Match[str]) -> str:
    return (match["value"] or "").strip()


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
        for value in texts_of(cell):
            if value.endswith("[doi]"):
                found.setdefault("doi", value.removesuffix("[doi]").strip())
    found.pop("location identifiers", None)
    # Old records, and those of other databases, have names with initials only.
    for name in ("authors short", "corporate authors"):
        if "authors" not in found and name in found:
            found["authors"] = found.pop(name)
    return found
