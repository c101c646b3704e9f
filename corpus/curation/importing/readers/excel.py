"""Excel workbooks (.xlsx), by openpyxl; one sheet: the one with most bibliographic columns."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from defusedxml.ElementTree import fromstring
from openpyxl import load_workbook
from openpyxl.utils import column_index_from_string

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.lines import lists_of_lines
from corpus.curation.importing.readers.records import ImportedRecord, Records, gather
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.suggestions import unknown

#: A workbook is a zip archive; more than this unpacked is an accident or an attack.
MAX_UNPACKED = 1_000_000_000
#: A workbook is XML, which shrinks to a tenth; what shrinks to a thousandth is not a list of works.
MAX_RATIO = 300
_SMALL = 20_000_000
#: Characters of one sheet. Shared strings make a small file of any amount of text.
MAX_TEXT = 200_000_000
_MOST_MERGED = 10_000
_MOST_MERGED_ROWS = 10_000
_MERGED = re.compile(rb'<mergeCell ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})"')
#: How a workbook writes an underscore that would begin a character by its number, ``_x0041_``;
#: openpyxl leaves it in texts that are inside their cells.
_ESCAPED = re.compile(r"_x005F_(?=x[0-9A-Fa-f]{4}_)")
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


class _Range(NamedTuple):
    """Merged cells, rows and columns counted from 1."""

    first_column: int
    first_row: int
    last_column: int
    last_row: int


class _Table(NamedTuple):
    """What a sheet holds: its records, how many columns are bibliographic, and remarks."""

    records: list[ImportedRecord]
    known: int
    remarks: list[str]


def read_excel(data: bytes, shown: str, sheet: str | None = None) -> Records:
    """Read one sheet of a workbook: its values, not its formulas.

    Dates become YYYY-MM-DD; whole numbers have no decimal point.

    Raises
    ------
    CorpusError
        I104 where this is not a workbook, or one that unpacks to more than `MAX_UNPACKED` bytes.
    UsageProblem
        Where the named sheet does not exist.
    """
    _guard(data, shown)
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except Exception as error:  # openpyxl raises what its XML and zip readers raise
        raise _bad(shown, str(error)[:200] or type(error).__name__) from None
    try:
        if sheet is not None and sheet not in book.sheetnames:
            raise UsageProblem(unknown("sheet", sheet, book.sheetnames))
        names = [sheet] if sheet is not None else book.sheetnames
        merged = _merged_ranges(data, shown)
        found = []
        for name in names:
            try:
                rows = _rows(book[name], merged.get(name, ()), shown)
            except (ValueError, OverflowError, SyntaxError) as error:
                # A number of 5,000 digits, damaged XML.
                raise _bad(shown, str(error)[:200]) from None
            table = _table(rows)
            if table.records:
                found.append((name, table))
        if not found:
            return gather("Excel", [])
        # The first of the sheets with most bibliographic columns.
        name, table = max(found, key=lambda item: item[1].known)
        remarks = [f"read sheet {name!r}", *table.remarks]
        others = [other for other in book.sheetnames if other != name]
        if others:
            listed = ", ".join(map(repr, others))
            remarks.append(f"not read: {listed}; import them with --sheet NAME")
        return gather("Excel", lists_of_lines(table.records), remarks=remarks)
    finally:
        book.close()


def _guard(data: bytes, shown: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
            is_docx = any(name.startswith("word/") for name in archive.namelist())
    except zipfile.BadZipFile:
        raise _bad(shown, "it is not a zip archive; save an old .xls as .xlsx or CSV") from None
    if is_docx:
        raise _bad(shown, "it is a text document; export the references as RIS, BibTeX or CSV")
    if unpacked > MAX_UNPACKED or unpacked > max(MAX_RATIO * len(data), _SMALL):
        raise _bad(shown, f"it unpacks to {unpacked // 1_000_000} MB")


def _bad(shown: str, problem: str) -> CorpusError:
    return CorpusError([rules.NOT_THE_FORMAT.at(shown, format="Excel workbook", problem=problem)])


def _merged_ranges(data: bytes, shown: str) -> dict[str, tuple[_Range, ...]]:
    """Return the merged cells of each sheet, which openpyxl does not tell while it streams."""
    found: dict[str, tuple[_Range, ...]] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        try:
            paths = _sheet_paths(archive)
        except (ValueError, SyntaxError) as error:  # entities, damaged XML
            raise _bad(shown, str(error)[:200]) from None
        for name, path in paths.items():
            if archive.getinfo(path).file_size > MAX_TEXT:
                continue
            ranges = []
            # The ranges are behind the rows; the text is searched, not parsed.
            content = archive.read(path)
            for match in _MERGED.finditer(content):
                first_column, first_row, last_column, last_row = match.groups()
                box = _Range(
                    column_index_from_string(first_column.decode()),
                    int(first_row),
                    column_index_from_string(last_column.decode()),
                    int(last_row),
                )
                if box.last_row - box.first_row < _MOST_MERGED_ROWS:
                    ranges.append(box)
            found[name] = tuple(ranges[:_MOST_MERGED])
    return found


def _sheet_paths(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the part of the archive that holds each sheet."""
    names = set(archive.namelist())
    if not {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= names:
        return {}
    targets = {}
    for relation in fromstring(archive.read("xl/_rels/workbook.xml.rels")):
        target = str(relation.get("Target", "")).removeprefix("/").removeprefix("xl/")
        targets[str(relation.get("Id", ""))] = f"xl/{target}"
    paths = {}
    for node in fromstring(archive.read("xl/workbook.xml")).iter():
        if node.tag.endswith("}sheet"):
            path = targets.get(str(node.get(_RELATION_ID, "")), "")
            if path in names:
                paths[str(node.get("name", ""))] = path
    return paths


def _rows(sheet: Any, merged: Sequence[_Range], shown: str) -> list[tuple[int, list[str]]]:
    """Return the filled rows of a sheet; each cell of a merged range has its value."""
    rows: dict[int, list[str]] = {}
    size = 0
    for number, values in enumerate(sheet.iter_rows(values_only=True), 1):
        cells = [_text(value) for value in values]
        size += sum(map(len, cells))
        if size > MAX_TEXT:
            raise _bad(shown, f"sheet {sheet.title!r} has more than {MAX_TEXT // 1_000_000} MB")
        if any(cells):
            rows[number] = cells
    for box in merged:
        top = rows.get(box.first_row, [])
        value = top[box.first_column - 1] if len(top) >= box.first_column else ""
        if not value:
            continue
        for number in range(box.first_row, box.last_row + 1):
            for column in range(box.first_column - 1, box.last_column):
                if number in rows and column < len(rows[number]) and not rows[number][column]:
                    rows[number][column] = value
    return list(rows.items())


def _table(rows: Sequence[tuple[int, list[str]]]) -> _Table:
    """Return the records below the header: the first row with two different cells, or two lines."""
    # A title has one cell, or is the same in each cell of a merged range.
    places = [place for place, (_, cells) in enumerate(rows) if len({*cells} - {""}) >= 2]
    if not places:
        return _Table([], 0, [])
    place = places[0]
    header, above = rows[place][1], rows[place + 1 :]
    remarks = []
    if above and _is_second_line(header, above[0][1]):
        header = _joined_lines(header, above[0][1])
        above = above[1:]
        remarks.append("the header has two lines; both are in the names of the columns")
    names = _names(header)
    known = sum(bool(field_by_name(name)) for name in names)
    records = []
    for number, cells in above:
        further = [f"column {column + 1}" for column in range(len(names), len(cells))]
        records.append(ImportedRecord(number, dict(zip([*names, *further], cells, strict=False))))
    return _Table(records, known, remarks)


def _is_second_line(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether two rows are one header: groups above, names below.

    Groups repeat where their cells are merged, or leave the cells beside them empty; the second
    line has names where the first has not, and none that looks like a cell of a record.
    """
    below = [cell for cell in second if cell]
    if len(below) < 2 or len(set(below)) < len(below) or any(len(cell) > 40 for cell in below):
        return False
    if any(re.search(r"[0-9]{3}|https?:|;", cell) for cell in below):
        return False
    filled = [cell for cell in first if cell]
    is_grouped = len(set(filled)) < len(filled) or len(filled) < len(first)
    known_above = sum(bool(field_by_name(cell)) for cell in set(filled))
    known_below = sum(bool(field_by_name(cell)) for cell in below)
    return is_grouped and known_below >= max(known_above, 1)


def _joined_lines(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return one name per column: what both lines tell, a known field without its group."""
    names = []
    width = max(len(first), len(second))
    for column in range(width):
        group = first[column] if column < len(first) else ""
        name = second[column] if column < len(second) else ""
        if not name or not group or group == name or field_by_name(name):
            names.append(name or group)
        else:
            names.append(f"{group} {name}")
    return names


def _names(header: Sequence[str]) -> list[str]:
    """Return the names of the columns; empty and duplicate ones get a number."""
    names: list[str] = []
    for number, cell in enumerate(header, 1):
        name = " ".join(cell.split()) or f"column {number}"
        names.append(f"{name} {number}" if name in names else name)
    return names


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        if value.time() == datetime.min.time():
            return value.date().isoformat()
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return _ESCAPED.sub("_", str(value)).strip()
