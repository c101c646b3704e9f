"""Workbooks; one sheet, or the one with most bibliographic columns; the others beside it.

openpyxl reads .xlsx with merged cells and links, python-calamine .ods and .xls.
"""

import io
import re
import warnings
import zipfile
from collections.abc import Sequence
from datetime import datetime
from html import unescape
from itertools import zip_longest
from typing import Any, NamedTuple

from openpyxl import load_workbook
from openpyxl.packaging.relationship import get_dependents, get_rels_path
from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries

from corpus.curation.importing.import_summary import identifiers_of
from corpus.curation.importing.readers.delimited import header_place, known_names, read_table
from corpus.curation.importing.readers.records import FIELD_LEFT_OUT, NOT_THE_FORMAT, Records
from corpus.model.finding import CorpusError, Finding, refuse_unknown

#: A workbook is a zip archive; more than this unpacked is an accident or an attack.
MAX_UNPACKED = 1_000_000_000
#: A workbook is XML, which shrinks to a tenth; what shrinks to a thousandth is not a list of works.
MAX_RATIO = 300
_SMALL = 20_000_000
#: Characters of one sheet. Shared strings make a small file of any amount of text.
MAX_TEXT = 200_000_000
#: Cells of one merged range, and of all of them: more is the layout of a page, or an attack.
_MOST_OF_A_RANGE = 20_000
_MOST_MERGED = 1_000_000
#: How a workbook writes an underscore that would begin a character by its number, ``_x0041_``;
#: openpyxl leaves it in texts that are inside their cells.
_ESCAPED = re.compile(r"_x005F_(?=x[0-9A-Fa-f]{4}_)")
# What openpyxl does not tell while it streams a sheet is searched, not parsed: it is behind rows
# that may have 200 MB.
_MERGED = re.compile(r'<mergeCell ref="([A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}[0-9]{1,7})"')
_LINK = re.compile(r"<hyperlink\b([^<>]*)>")
_LINK_CELL = re.compile(r'\bref="([A-Z]{1,3}[0-9]{1,7})"')
_LINK_ID = re.compile(r':id="([^"<>]{1,200})"')
_HYPERLINK = re.compile(
    r'<c r="([A-Z]{1,3}[0-9]{1,7})"[^<>]*><f[^<>]*>=?HYPERLINK\("(https?://[^"]{1,2000})"',
    re.IGNORECASE,
)
_FORMULA = re.compile(r'<c r="([A-Z]{1,3}[0-9]{1,7})"[^<>]*><f\b')
#: The result of a formula may be an empty text, which has a type.
_WITHOUT_RESULT = re.compile(
    r'<c r="([A-Z]{1,3}[0-9]{1,7})"(?![^<>]*t="str")[^<>]*><f[^<>]*>[^<>]*</f>'
    r"(?:<v ?/>|<v></v>|</c>)"
)

_Rows = dict[int, list[str]]


class _Sheet(NamedTuple):
    """The filled rows of a sheet by number, its cells that are formulas, and what is wrong."""

    rows: _Rows
    formulas: Sequence[str]
    findings: Sequence[Finding]


def read_workbook(data: bytes, shown: str, sheet: str | None = None) -> Records:
    """Read one sheet of a workbook: its values, not its formulas.

    Dates become YYYY-MM-DD; whole numbers have no decimal point. In .xlsx the addresses that the
    words of a column link to become a column of their own.

    Raises
    ------
    CorpusError
        I104 where this is not a workbook, or one that unpacks to more than `MAX_UNPACKED` bytes.
    UsageProblem
        Where the named sheet does not exist.
    """
    try:
        with warnings.catch_warnings():
            # openpyxl warns of styles, validation and other parts that are not read here.
            warnings.simplefilter("ignore")
            sheets = _sheets(data, shown)
    except CorpusError:
        raise
    except Exception as error:
        # The readers of zip, XML and cells raise anything: for a number of 5,000 digits, an
        # attribute that openpyxl does not know, a damaged archive.
        raise _bad(shown, str(error)[:200] or type(error).__name__) from None
    refuse_unknown("sheet", [sheet] if sheet else [], sheets)
    records = Records("workbook", shown)
    for title, read in sheets.items():
        try:
            table = read_table("workbook", list(read.rows.items()), shown, [], title)
        except CorpusError:
            if sheet in (None, title):
                raise
            continue
        if table.rows:
            records.sheets[title] = table
            table.findings.extend(read.findings)
            table.formulas = read.formulas
            _count(table, read.rows)
    if not records.sheets or (sheet and sheet not in records.sheets):
        return records
    # The first of the sheets with most bibliographic columns.
    tables = records.sheets
    most = max(tables, key=lambda title: known_names(tables[title].columns))
    return records.of_sheet(sheet or most)


def _count(table: Records, rows: _Rows) -> None:
    """Count the filled rows of a sheet and the identifiers in them, whatever became of them."""
    first = table.rows[0].place
    identifiers: dict[str, int] = {}
    for number, cells in rows.items():
        for name in sorted(identifiers_of(" ".join(cells))):
            identifiers.setdefault(name, number)
    table.counted = (sum(number >= first for number in rows), identifiers)


def _bad(shown: str, problem: str) -> CorpusError:
    return NOT_THE_FORMAT.error(shown, format="workbook", problem=problem)


def _sheets(data: bytes, shown: str) -> dict[str, _Sheet]:
    """Return the sheets: of .xlsx by openpyxl, of .ods, .xls and .xlsb by python-calamine."""
    sheets = {}
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
            if unpacked > MAX_UNPACKED or unpacked > max(MAX_RATIO * len(data), _SMALL):
                raise _bad(shown, f"it unpacks to {unpacked // 1_000_000} MB")
            if "mimetype" not in archive.namelist() and "xl/workbook.bin" not in archive.namelist():
                book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
                for each in book.worksheets:  # not those of charts
                    sheets[each.title] = _read_sheet(each, archive, shown)
                book.close()
                return sheets
    # Commands that read no such file do not wait for this.
    from python_calamine import load_workbook as load_with_calamine

    other = load_with_calamine(io.BytesIO(data))
    for name in other.sheet_names:
        found = other.get_sheet_by_name(name)
        # Rows are counted from that of the first filled cell.
        top, before = found.start or (0, 0)
        rows = {}
        for number, values in enumerate(found.to_python(), top + 1):
            cells = [""] * before + list(map(_cell_text, values))
            if any(cells):
                rows[number] = cells
        sheets[name] = _Sheet(rows, (), ())
    return sheets


def _read_sheet(sheet: Any, archive: zipfile.ZipFile, shown: str) -> _Sheet:
    """Return the filled rows of a sheet; each cell of a merged range has its value."""
    # Some programs declare a sheet of one cell whatever is in it; openpyxl would read no more.
    sheet.reset_dimensions()
    rows = {}
    size = 0
    for number, values in enumerate(sheet.iter_rows(values_only=True), 1):
        cells = list(map(_cell_text, values))
        size += sum(map(len, cells))
        if size > MAX_TEXT:
            raise _bad(shown, f"sheet {sheet.title!r} has more than {MAX_TEXT // 1_000_000} MB")
        if any(cells):
            rows[number] = cells
    path = sheet._worksheet_path
    if archive.getinfo(path).file_size > MAX_TEXT:
        return _Sheet(rows, (), ())
    content = archive.read(path).decode("utf-8", "replace")
    targets = {}
    if get_rels_path(path) in archive.namelist():
        relations = get_dependents(archive, get_rels_path(path))
        targets = {each.Id: each.target for each in relations}
    # A row ends with its last cell that is stored, be it with a colour alone.
    columns = zip_longest(*rows.values(), fillvalue="")
    width = max((number for number, cells in enumerate(columns, 1) if any(cells)), default=0)
    for row in rows.values():
        row[:] = (row + [""] * width)[:width]
    _fill_merged(rows, content)
    links = {}
    for attributes in _LINK.findall(content):
        place, identifier = _LINK_CELL.search(attributes), _LINK_ID.search(attributes)
        if place and identifier:
            links[place[1]] = targets.get(identifier[1], "")
    links.update(_HYPERLINK.findall(unescape(content)))
    _add_links(rows, links)
    findings = []
    without = _WITHOUT_RESULT.findall(content)
    if without:
        # Their cells are empty to every reader.
        problem = f"formulas without a stored result: {len(without)}, the first is {without[0]}"
        cell = f"{shown}:{sheet.title}!{without[0]}"
        findings.append(FIELD_LEFT_OUT.at(cell, value=without[0], problem=problem))
    return _Sheet(rows, _FORMULA.findall(content), findings)


def _cell_text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = _ESCAPED.sub("_", str(value)).strip()
    if isinstance(value, datetime):
        text = text.removesuffix(" 00:00:00")
    return text


def _fill_merged(rows: _Rows, content: str) -> None:
    """Write the value of merged cells, which the first of them has, into all of them."""
    left = _MOST_MERGED
    for merged in _MERGED.findall(content):
        first, top, last, bottom = range_boundaries(merged)
        size = (last - first + 1) * (bottom - top + 1)
        if size > min(left, _MOST_OF_A_RANGE):
            continue
        left -= size
        value = "".join(rows.get(top, [])[first - 1 : first])
        for number in range(top, bottom + 1):
            row = rows.get(number, [])
            for column in range(first - 1, min(last, len(row))):
                row[column] = row[column] or value


def _add_links(rows: _Rows, links: dict[str, str]) -> None:
    """Write addresses that words link to into columns behind the others, one for each column.

    The first row of such a column, where the header is, has the header of the words.
    """
    beside: dict[int, dict[int, str]] = {}
    for cell, address in links.items():
        number, column = coordinate_to_tuple(cell)
        words = "".join(rows.get(number, [])[column - 1 : column])
        if words and words != address and address.startswith(("https://", "http://")):
            beside.setdefault(column, {})[number] = address
    if not beside:
        return
    table = list(rows.items())
    header, names = table[header_place(table)]
    for column in sorted(beside):
        beside[column][header] = f"{names[column - 1]} link"
        for number, row in table:
            row.append(beside[column].get(number, ""))
