"""Excel workbooks (.xlsx), by openpyxl; one sheet, the first with rows unless another is named."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime
from typing import Any

from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.lines import lists_of_lines
from corpus.curation.importing.readers.records import ImportedRecord, Records, gather
from corpus.model.finding import CorpusError, UsageProblem

#: A workbook is a zip archive; more than this unpacked is an accident or an attack.
MAX_UNPACKED = 1_000_000_000


def read_excel(data: bytes, shown: str, sheet: str | None = None) -> Records:
    """Read one sheet of a workbook: its values, not its formulas.

    Dates become YYYY-MM-DD; whole numbers have no decimal point.

    Raises
    ------
    CorpusError
        I104 where this is no workbook, or one that unpacks to more than `MAX_UNPACKED` bytes.
    UsageProblem
        Where the named sheet does not exist.
    """
    from openpyxl import load_workbook

    _guard(data, shown)
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except Exception as error:  # openpyxl raises what its XML and zip readers raise
        raise _bad(shown, str(error)[:200] or type(error).__name__) from None
    try:
        if sheet is not None and sheet not in book.sheetnames:
            raise UsageProblem(
                f"there is no sheet {sheet!r}; the sheets are {', '.join(book.sheetnames)}"
            )
        names = [sheet] if sheet is not None else book.sheetnames
        for name in names:
            try:
                records = _sheet(book[name])
            except (
                ValueError,
                OverflowError,
                SyntaxError,
            ) as error:  # a number of 5,000 digits, damaged XML
                raise _bad(shown, str(error)[:200]) from None
            if records:
                others = [other for other in book.sheetnames if other != name]
                remarks = [f"read sheet {name!r}"]
                if others:
                    remarks.append(
                        f"not read: {', '.join(map(repr, others))}; import them with --sheet NAME"
                    )
                return gather("Excel", lists_of_lines(records), remarks=remarks)
    finally:
        book.close()
    return gather("Excel", [])


def _guard(data: bytes, shown: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile:
        raise _bad(shown, "it is not a zip archive; save an old .xls as .xlsx or CSV") from None
    if unpacked > MAX_UNPACKED:
        raise _bad(shown, f"it unpacks to {unpacked // 1_000_000} MB")


def _bad(shown: str, problem: str) -> CorpusError:
    return CorpusError([rules.NOT_THE_FORMAT.at(shown, format="Excel workbook", problem=problem)])


def _sheet(sheet: Any) -> list[ImportedRecord]:
    """Return the rows below the header: the first row with at least two filled cells."""
    header: list[str] = []
    records = []
    for number, values in enumerate(sheet.iter_rows(values_only=True), 1):
        cells = [_text(value) for value in values]
        if not header:
            if sum(bool(cell) for cell in cells) >= 2:
                header = [cell or f"column {place}" for place, cell in enumerate(cells, 1)]
                header = [
                    c if header.index(c) == i else f"{c} {i + 1}" for i, c in enumerate(header)
                ]
            continue
        cells += [""] * (len(header) - len(cells))
        names = [*header, *(f"column {place + 1}" for place in range(len(header), len(cells)))]
        if any(cells):
            records.append(ImportedRecord(number, dict(zip(names, cells, strict=True))))
    return records


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return (
            value.date().isoformat()
            if value.time() == datetime.min.time()
            else value.isoformat(" ")
        )
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
