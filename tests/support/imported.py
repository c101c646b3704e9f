"""Files of other programs, and what comes out of them, for the tests of importers."""

import io

import openpyxl


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


def cells(records):
    """Return the cells of each record."""
    return [dict(record.cells) for record in records.rows]
