"""CSV, TSV and their relatives, as spreadsheets, Covidence, Rayyan and Zotero write them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.lines import lists_of_lines, printed_list
from corpus.curation.importing.readers.records import (
    Cell,
    ImportedRecord,
    LeftOut,
    Records,
    column_names,
    gather,
)
from corpus.curation.importing.readers.tagged import WEB_OF_SCIENCE
from corpus.model.finding import CorpusError, Finding
from corpus.model.identifiers import find_doi
from corpus.model.limits import MAX_COLUMNS
from corpus.publishing.export.tables.spreadsheet import without_guard

#: In the header of a table that Web of Science exports.
_WOS_TAGS = frozenset(("PT", "AU", "TI", "SO"))
_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
#: "Journal of Bogs (2019) 12:3 (1-10). DOI: 10.1234/jb"
_SOURCE = re.compile(r"(?P<venue>[^()]{3,150}?)\.? *\((?P<year>(?:19|20)[0-9]{2})\)")
#: The name of the cells of a row beyond its header.
SURPLUS = "unnamed cells"


def read_delimited(text: str, shown: str, separator: str | None = None) -> Records:
    """Read a table with a header; the separator is the one that splits the first lines most evenly.

    Raises
    ------
    CorpusError
        I104 where a quoted cell never ends, with the line on which its row starts; I108 where the
        header is wider than a table may be.
    """
    if separator is None:
        separator = _separator(text)
    remarks = []
    if separator != ",":
        remarks.append(f"cells are separated by {_SEPARATORS.get(separator, repr(separator))}")
    try:
        rows = list(_rows(text, separator, shown))
    except CorpusError:
        rows = _unquoted_rows(text, separator)
        if not rows:
            raise
        remarks.append("quotation marks are part of the cells")
    if not rows:
        return gather("CSV", [])
    above = _above(rows)
    start, first = rows[above]
    if len(first) > MAX_COLUMNS:
        found, limit = f"{len(first):,}", f"{MAX_COLUMNS:,}"
        raise CorpusError([rules.TOO_WIDE.at(shown, start, found=found, limit=limit)])
    if above:
        remarks.append(f"the header is line {start}; what is above it is left out")
    header = column_names(first)
    if set(header) >= _WOS_TAGS:
        header = column_names(WEB_OF_SCIENCE.names.get(name, name) for name in header)
        remarks.append("the header has the tags of Web of Science")
    if not any(map(field_by_name, header)):
        remarks.append(f"no column has a known name; line {start} is taken for the header")
    findings: list[Finding] = []
    records = []
    for line, cells in rows[above + 1 :]:
        if any(map(_filled, cells)):
            records.append(_record(line, cells, header, shown, findings))
    records = _with_parts_of_sources(records, remarks)
    name = "TSV" if separator == "\t" else "CSV"
    read = gather(name, lists_of_lines(records), findings, remarks)
    return read._replace(left_out=(LeftOut(1, start + 1, "above the header", above),))


def _with_parts_of_sources(
    records: list[ImportedRecord], remarks: list[str]
) -> list[ImportedRecord]:
    """Split the column "Source" of Embase, which has venue, year, pages and DOI in one cell."""
    sources = [str(row.cells.get("Source", "")) for row in records]
    found = [_SOURCE.match(text) for text in sources]
    if not records or sum(map(bool, found)) < 0.5 * len(records):
        return records
    remarks.append("venue, year and DOI are taken out of the column Source")
    rows = []
    for row, text, match in zip(records, sources, found, strict=True):
        cells = dict(row.cells)
        parts = match.groupdict() if match else {}
        parts["doi"] = find_doi(text[text.lower().find("doi") :]) or ""
        for name, part in parts.items():
            if part and not any(field_by_name(column) == name for column in cells):
                cells[name] = part
        rows.append(ImportedRecord(row.place, cells))
    return rows


def _record(
    line: int, cells: list[str], header: list[str], shown: str, findings: list[Finding]
) -> ImportedRecord:
    """Return a row as a record; a row of another length is a finding."""
    surplus = tuple(filter(_filled, cells[len(header) :]))
    values = [printed_list(without_guard(cell)) for cell in cells]
    known: dict[str, Cell] = dict(zip(header, values, strict=False))
    if surplus:
        name = column_names([*header, SURPLUS])[-1]
        findings.append(_uneven(shown, line, cells, header, f"the rest is kept as '{name}'"))
        known[name] = surplus
    elif len(cells) < len(header):
        consequence = "the missing ones are taken as empty"
        findings.append(_uneven(shown, line, cells, header, consequence))
    return ImportedRecord(line, known)


def _unquoted_rows(text: str, separator: str) -> list[tuple[int, list[str]]]:
    """Return rows split at every tab where that gives each the same length, else nothing.

    Web of Science puts no quotation marks around cells, so those that are there belong to them.
    """
    if separator != "\t":
        return []
    lines = enumerate(text.split("\n"), 1)
    rows = [(number, line.split("\t")) for number, line in lines if line.strip()]
    widths = {len(cells) for _, cells in rows}
    if len(widths) > 1:
        return []
    return rows


def read_tab_delimited(text: str, shown: str) -> Records:
    """Read a table whose cells are separated by tabs; see :func:`read_delimited`."""
    return read_delimited(text, shown, "\t")


def _rows(text: str, separator: str, shown: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the line on which it starts."""
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(
        (line + "\n" for line in text.removesuffix("\n").split("\n")),
        delimiter=separator,
        strict=True,
    )
    start = 1
    try:
        for row in reader:
            yield start, row
            start = reader.line_num + 1
    except csv.Error as error:
        problem = str(error)
        if "end of data" in problem:
            problem = "a quoted cell never ends"
        raise CorpusError(
            [rules.NOT_THE_FORMAT.at(shown, start, format="CSV", problem=problem)]
        ) from None


def _separator(text: str) -> str:
    """Return the character that gives the most columns of the same number on the first rows."""
    lines = [line + "\n" for line in text[:100_000].split("\n")[:50]]
    best, most = ",", 0
    for separator in _SEPARATORS:
        try:
            widths = Counter(len(row) for row in csv.reader(lines, delimiter=separator) if row)
        except csv.Error:
            continue
        if not widths:
            continue
        width, rows = widths.most_common(1)[0]
        if width > 1 and rows * width > most:
            best, most = separator, rows * width
    return best


def _above(rows: list[tuple[int, list[str]]]) -> int:
    """Return how many rows precede the header: a title, ``sep=;`` and the like, in one cell."""
    if any(field_by_name(cell) for cell in rows[0][1]):
        return 0
    usual = Counter(len(cells) for _, cells in rows).most_common(1)[0][0]
    for place, (_, cells) in enumerate(rows):
        if sum(map(_filled, cells)) > 1:
            # A row of another length is not the header of what is below it.
            if len(cells) != usual:
                return 0
            return place
    return 0


def _filled(cell: str) -> bool:
    return bool(cell.strip())


def _uneven(
    shown: str, line: int, cells: list[str], header: list[str], consequence: str
) -> Finding:
    return rules.UNEVEN.at(
        shown, line, found=len(cells), expected=len(header), consequence=consequence
    )
