"""Excel workbooks (.xlsx), by openpyxl; one sheet: the one with most bibliographic columns."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from itertools import zip_longest
from typing import Any, NamedTuple

from openpyxl import load_workbook

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.lines import lists_of_lines
from corpus.curation.importing.readers.records import (
    ImportedRecord,
    LeftOut,
    Records,
    column_names,
    gather,
)
from corpus.curation.importing.readers.sheet_parts import (
    NO_PARTS,
    MergedRange,
    SheetParts,
    read_sheet_parts,
)
from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.model.suggestions import unknown

#: A workbook is a zip archive; more than this unpacked is an accident or an attack.
MAX_UNPACKED = 1_000_000_000
#: A workbook is XML, which shrinks to a tenth; what shrinks to a thousandth is not a list of works.
MAX_RATIO = 300
_SMALL = 20_000_000
#: Characters of one sheet. Shared strings make a small file of any amount of text.
MAX_TEXT = 200_000_000
#: How a workbook writes an underscore that would begin a character by its number, ``_x0041_``;
#: openpyxl leaves it in texts that are inside their cells.
_ESCAPED = re.compile(r"_x005F_(?=x[0-9A-Fa-f]{4}_)")
#: Longer than the name of a column.
_LONGEST_NAME = 40


class _Table(NamedTuple):
    """What a sheet holds: its records, how many columns are bibliographic, and remarks."""

    records: list[ImportedRecord]
    known: int
    remarks: list[str]


def read_excel(data: bytes, shown: str, sheet: str | None = None) -> Records:
    """Read one sheet of a workbook: its values, not its formulas.

    Dates become YYYY-MM-DD; whole numbers have no decimal point. The addresses that the words of a
    column link to become a column of their own.

    Raises
    ------
    CorpusError
        I104 where this is not a workbook, or one that unpacks to more than `MAX_UNPACKED` bytes.
    UsageProblem
        Where the named sheet does not exist.
    """
    _guard(data, shown)
    with warnings.catch_warnings():
        # openpyxl warns of styles, validation and other parts that are not read here.
        warnings.simplefilter("ignore")
        with _refused(shown):
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            parts = read_sheet_parts(data, MAX_TEXT)
        try:
            sheets = {each.title: each for each in book.worksheets}  # not those of charts
            if sheet is not None and sheet not in sheets:
                raise UsageProblem(unknown("sheet", sheet, list(sheets)))
            found = []
            texts: dict[str, list[str]] = {}
            for name in sheets:
                with _refused(shown):
                    rows = _rows(sheets[name], parts.get(name, NO_PARTS), shown)
                texts[name] = [" ".join(cells) for _, cells in rows]
                table = _table(rows)
                if table.records and name == (sheet or name):
                    found.append((name, table))
        finally:
            book.close()
    if not found:
        return gather("Excel", [])
    # The first of the sheets with most bibliographic columns.
    name, table = max(found, key=lambda item: item[1].known)
    remarks = [f"read sheet {name!r}", *table.remarks]
    others = [other for other in sheets if other != name]
    if others:
        listed = ", ".join(map(repr, others))
        remarks.append(f"not read: {listed}; import them with --sheet NAME")
    findings = _findings(parts.get(name, NO_PARTS), shown)
    # Rows above the header are in the text, too.
    del texts[name][len(texts[name]) - len(table.records) :]
    rows_beside = [row for rows in texts.values() for row in rows]
    beside = LeftOut(0, 0, "other sheets", len(rows_beside), "\n".join(rows_beside))
    records = gather("Excel", lists_of_lines(table.records), findings, remarks)
    return records._replace(left_out=(beside,))


@contextmanager
def _refused(shown: str) -> Iterator[None]:
    """Turn what the readers of zip, XML and cells raise into a finding; they raise anything.

    Such as a number of 5,000 digits, an attribute that openpyxl does not know, a damaged archive.
    """
    try:
        yield
    except CorpusError:
        raise
    except Exception as error:
        raise _bad(shown, str(error)[:200] or type(error).__name__) from None


def _findings(parts: SheetParts, shown: str) -> list[Finding]:
    """Find the formulas of a sheet without a result: their cells are empty to every reader."""
    if not parts.open_formulas:
        return []
    cell, row = parts.open_formulas[0]
    number = len(parts.open_formulas)
    problem = f"formulas without a stored result: {number}, the first is {cell}"
    return [rules.FIELD_LEFT_OUT.at(shown, row, value=cell, problem=problem)]


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


def _rows(sheet: Any, parts: SheetParts, shown: str) -> list[tuple[int, list[str]]]:
    """Return the filled rows of a sheet; each cell of a merged range has its value."""
    # Some programs declare a sheet of one cell whatever is in it; openpyxl would read no more.
    sheet.reset_dimensions()
    rows: dict[int, list[str]] = {}
    size = 0
    for number, values in enumerate(sheet.iter_rows(values_only=True), 1):
        cells = [_text(value) for value in values]
        size += sum(map(len, cells))
        if size > MAX_TEXT:
            raise _bad(shown, f"sheet {sheet.title!r} has more than {MAX_TEXT // 1_000_000} MB")
        if any(cells):
            rows[number] = cells
    for box in parts.merged:
        _fill(rows, box)
    _add_links(rows, parts.links)
    return list(rows.items())


def _fill(rows: dict[int, list[str]], box: MergedRange) -> None:
    """Write the value of merged cells, which the first of them has, into all of them."""
    top = rows.get(box.first_row, [])
    if len(top) < box.first_column or not top[box.first_column - 1]:
        return
    value = top[box.first_column - 1]
    for number in range(box.first_row, box.last_row + 1):
        row = rows.get(number)
        if row is None:
            continue
        row += [""] * (box.last_column - len(row))  # a row ends with its last cell that is stored
        for column in range(box.first_column - 1, box.last_column):
            row[column] = row[column] or value


def _add_links(rows: dict[int, list[str]], links: Mapping[tuple[int, int], str]) -> None:
    """Write addresses that words link to into columns behind the others, one for each column.

    The first row of such a column, where the header is, has the header of the words.
    """
    beside: dict[int, dict[int, str]] = {}
    for (number, column), address in links.items():
        row = rows.get(number, [])
        if column <= len(row) and row[column - 1] and row[column - 1] != address:
            beside.setdefault(column, {})[number] = address
    for column in sorted(beside):
        place = max(map(len, rows.values()))
        header = _header_place(list(rows.values()))
        for index, (number, row) in enumerate(rows.items()):
            address = beside[column].get(number, "")
            if index == header and column <= len(row):
                address = f"{row[column - 1]} link"
            if address:
                row += [""] * (place - len(row))
                row.append(address)


def _header_place(rows: Sequence[Sequence[str]]) -> int:
    """Return which row is the header: the first with two different cells; -1 where none is.

    A title has one cell, or is the same in each cell of a merged range.
    """
    for place, cells in enumerate(rows):
        if len({*cells} - {""}) >= 2:
            return place
    return -1


def _table(rows: Sequence[tuple[int, list[str]]]) -> _Table:
    """Return the records below the header, which may have two lines."""
    place = _header_place([cells for _, cells in rows])
    if place < 0:
        return _Table([], 0, [])
    header, below = rows[place][1], rows[place + 1 :]
    remarks = []
    if below and _is_second_line(header, below[0][1]):
        header = _joined_lines(header, below[0][1])
        below = below[1:]
        remarks.append("the header has two lines; both are in the names of the columns")
    # Cells beyond the header have columns without a name.
    width = max([len(header), *(len(cells) for _, cells in below)])
    names = column_names([*header, *[""] * (width - len(header))])
    known = sum(bool(field_by_name(name)) for name in names)
    if not known:
        remarks.append(f"no column has a known name; row {rows[place][0]} is taken for the header")
    records = []
    for number, cells in below:
        records.append(ImportedRecord(number, dict(zip(names, cells, strict=False))))
    return _Table(records, known, remarks)


def _is_second_line(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether two rows are one header: groups above, names below.

    Groups repeat where their cells are merged, or leave the cells beside them empty; the second
    line has names where the first has not, and none that looks like a cell of a record.
    """
    below = [cell for cell in second if cell]
    if len(below) < 2 or len(set(below)) < len(below) or max(map(len, below)) > _LONGEST_NAME:
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
    for group, name in zip_longest(first, second, fillvalue=""):
        if not name or not group or group == name or field_by_name(name):
            names.append(name or group)
        else:
            names.append(f"{group} {name}")
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
