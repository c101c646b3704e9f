"""An Excel workbook: one sheet per table, terms chosen from dropdowns; `corpus init` reads it."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.xml.functions import tostring

from corpus.model.codebook import Codebook, Column
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.model.study import Study
from corpus.model.table import Table

NOT_FOR_WORKBOOK = Rule(
    "X106",
    "an Excel workbook cannot hold this: {problem}",
    "shorten or clean the cell, or export sqlite or json",
    title="Does not fit a workbook",
    reason="Excel cuts long texts and drops control characters.",
)


#: Characters of a cell and rows of a sheet, by Excel's specification. openpyxl cuts a longer text.
MAX_CELL = 32_767
MAX_ROWS = 1_048_576
#: More digits than this lose the last ones, since Excel keeps 15.
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,8})\.([0-9]{1,6})")
#: Characters that XML cannot hold, besides tab and line feed; a carriage return would come back as
#: a line feed.
_NOT_XML = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")
#: How a workbook writes a character by its number; as a text it needs an escape of its own.
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
#: Cells of this format stay text when a person edits them: ``2508.10`` keeps its zero.
_TEXT = "@"
_TERMS = "vocabularies"
_WIDTHS = {"key": 24, "year": 8, "integer": 10, "number": 10, "date": 12, "term": 18}
_WIDE = 40
#: The same time in every file, so that the same corpus gives the same bytes; the first that a zip
#: archive can hold.
_TIME = datetime(1980, 1, 1)


def workbook(study: Study) -> bytes:
    """Return a workbook: the pool first, every other table, and ``vocabularies``.

    A column of one term has a dropdown of its vocabulary; one of several terms has none, since a
    choice would replace the terms that are there.

    Raises
    ------
    CorpusError
        X106 where a cell or a table does not fit a workbook.
    """
    findings: list[Finding] = []
    for table in study.tables.values():
        findings += _too_much(table)
    if findings:
        raise CorpusError(findings)
    book = study.codebook
    made = Workbook(write_only=True)
    tables = {study.pool.spec.name: study.pool, **study.tables}
    # openpyxl numbers titles that differ in case only; 28 of 31 characters are for the name.
    titles = [re.sub(r"[^\w .-]", "_", name)[:28] for name in (*tables, _TERMS)]
    *sheets, terms = map(made.create_sheet, titles)
    ranges = _write_terms(terms, book)
    for sheet, table in zip(sheets, tables.values(), strict=True):
        _write_table(sheet, table, ranges)
    made.properties.title = _storable(book.corpus["title"])
    made.properties.creator = "corpus export"
    return _saved(made)


def _too_much(table: Table) -> Iterator[Finding]:
    """Yield what does not fit: long cells, characters that XML lacks, too many rows."""
    if len(table.rows) >= MAX_ROWS:
        problem = f"it has {len(table.rows):,} rows, and a sheet has {MAX_ROWS:,}"
        yield NOT_FOR_WORKBOOK.at(table.file, problem=problem)
    header = table.spec.header
    for row, line in table.located_rows():
        for name, cell in zip(header, row, strict=True):
            if len(_escaped(cell)) > MAX_CELL:
                problem = f"{name} has {len(cell):,} characters, and a cell has {MAX_CELL:,}"
            elif _NOT_XML.search(cell):
                problem = f"{name} has a control character"
            else:
                continue
            yield NOT_FOR_WORKBOOK.at(table.file, line, name, cell, problem=problem)


def _write_terms(sheet: Any, book: Codebook) -> dict[str, str]:
    """Write all terms; return where those of each vocabulary are."""
    _begin(sheet, [18, 24, 30, 16, 80], ("vocabulary", "term", "label", "short", "definition"))
    ranges = {}
    first = 2
    for vocabulary in book.vocabularies.values():
        for term in vocabulary.terms:
            texts = (vocabulary.id, term.id, term.label, term.short, term.definition)
            sheet.append(_text_cells(sheet, texts))
        last = first + len(vocabulary.terms) - 1
        ranges[vocabulary.id] = f"{quote_sheetname(sheet.title)}!$B${first}:$B${last}"
        first = last + 1
    return ranges


def _write_table(sheet: Any, table: Table, ranges: Mapping[str, str]) -> None:
    spec = table.spec
    _begin(sheet, [_WIDTHS.get(column.type, _WIDE) for column in spec.columns], spec.header)
    last = get_column_letter(len(spec.columns))
    sheet.auto_filter.ref = f"A1:{last}{len(table.rows) + 1}"
    for number, column in enumerate(spec.columns, 1):
        if column.type == "term" and not column.separator:
            letter = get_column_letter(number)
            validation = DataValidation(
                type="list",
                formula1=f"={ranges[column.vocabulary]}",
                allow_blank=not column.required,
                showErrorMessage=True,
                errorTitle="Unknown term",
                error=f"Choose a term of the vocabulary {column.vocabulary}"[:225],
            )
            # As far as a sheet goes, so that new rows have the dropdown, too.
            validation.add(f"{letter}2:{letter}{MAX_ROWS}")
            sheet.data_validations.append(validation)
    for row in table.rows:
        cells = zip(spec.columns, row, strict=True)
        sheet.append([_typed_cell(sheet, column, cell) for column, cell in cells])


def one_sheet(title: str, widths: Sequence[int], rows: Sequence[Sequence[str]]) -> bytes:
    """Return a workbook of one sheet of texts, the first row as its header."""
    made = Workbook(write_only=True)
    sheet = made.create_sheet(title)
    _begin(sheet, widths, rows[0])
    for row in rows[1:]:
        sheet.append(_text_cells(sheet, row))
    return _saved(made)


def _begin(sheet: Any, widths: Sequence[int], names: Sequence[str]) -> None:
    """Set the widths, and write the header, which stays in view while one scrolls."""
    sheet.freeze_panes = "B2"
    for number, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(number)].width = width
    cells = _text_cells(sheet, names)
    for cell in cells:
        cell.font = Font(bold=True)
    sheet.append(cells)


def _typed_cell(sheet: Any, column: Column, text: str) -> Any:
    """Return a number where the column has numbers and Excel shows this one as it is."""
    if column.type in ("year", "integer", "number") and _INTEGER.fullmatch(text):
        return int(text)
    if column.type == "number" and (decimal := _DECIMAL.fullmatch(text)):
        cell = WriteOnlyCell(sheet, value=float(text))
        # As many digits as are written: 0.50 states more than 0.5.
        cell.number_format = "0." + "0" * len(decimal[1])
        return cell
    return _text_cell(sheet, text)


def _text_cells(sheet: Any, texts: Iterable[str]) -> list[Any]:
    return [_text_cell(sheet, text) for text in texts]


def _text_cell(sheet: Any, text: str) -> Any:
    """Return a text that is never a formula, neither now nor after somebody edits the cell."""
    if not text:
        return None
    cell = WriteOnlyCell(sheet, value=_storable(text))
    cell.data_type = "s"
    cell.number_format = _TEXT
    cell.quotePrefix = True
    return cell


def _storable(text: str) -> str:
    """Return a text as XML can hold it; cells of tables are refused before, see X106."""
    return _escaped(_NOT_XML.sub(" ", text))[:MAX_CELL]


def _escaped(text: str) -> str:
    return _ESCAPED.sub("_x005F_", text)


def _saved(book: Any) -> bytes:
    """Return the file, with one fixed time in place of today's."""
    buffer = io.BytesIO()
    book.save(buffer)
    book.properties.created = _TIME
    book.properties.modified = _TIME
    made = io.BytesIO()
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(made, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "docProps/core.xml":
                content = tostring(book.properties.to_tree())
            entry = zipfile.ZipInfo(name, _TIME.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, content)
    return made.getvalue()
