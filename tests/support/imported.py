"""Files of other programs, and what comes out of them, for the tests of importers."""

import io

import openpyxl
import pytest

from corpus.curation.importing.readers.records import Records
from corpus.model.finding import CorpusError


def workbook(*sheets):
    """Return the bytes of a workbook: a name and rows for each sheet."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def findings_of(call, *arguments, **given):
    """Return the findings with which a call is refused."""
    with pytest.raises(CorpusError) as error:
        call(*arguments, **given)
    return error.value.findings


def refused(call, *arguments, **given):
    """Return the codes with which a call is refused."""
    return [finding.code for finding in findings_of(call, *arguments, **given)]


def refused_at(call, *arguments, **given):
    """Return the codes with which a call is refused, each with its line."""
    return places(findings_of(call, *arguments, **given))


def places(findings):
    """Return the code and the line of each finding."""
    return [(finding.code, finding.line) for finding in findings]


def recorded(*rows):
    """Return records with these cells, as a table has them below its header."""
    return Records("CSV", "f", enumerate(rows, 2))


def cells(records):
    """Return the cells of each record."""
    return [dict(record.cells) for record in records.rows]
