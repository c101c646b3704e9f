"""The sheet of an audit: what a second reader fills in, without seeing the first tags."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Callable, Iterator

from corpus.analysis.audit import audit_rules as rules
from corpus.analysis.audit.plan import AuditPlan
from corpus.model.codebook import Column, TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.escape import csv_cell
from corpus.tables.reader import parse_table
from corpus.tables.terms import term_findings
from corpus.tables.writing.writer import csv_text

SETTLED = "settled"
_SEPARATOR = "; "
#: Roles of the pool's columns that tell a reader which work a row is about.
_SHOWN_ROLES = ("title", "url")


def sheet_spec(plan: AuditPlan, study: Study, file: str) -> TableSpec:
    """Return the table that a sheet is.

    Its columns are the key, title and address of the entry, the reader, one column per audited
    field (with `quotes` in the plan followed by one for the quotation), the fields in which the
    first tag was found right after all (`settled`), and notes.
    """
    pool = study.codebook.pool
    columns = [_text_column("key")]
    for role in _SHOWN_ROLES:
        shown = pool.by_role(role)
        if shown is not None:
            columns.append(_text_column(role))
    columns.append(_text_column("reader"))
    for name in plan.columns:
        # A tag may be missing until it is read; a role would make the sheet a table of the corpus.
        columns.append(pool.column(name)._replace(required=False, role="", axis=False))
        if plan.quotes:
            columns.append(_text_column(quote_column(name)))
    columns += [_text_column(SETTLED), _text_column("notes")]
    return TableSpec("sheet", file, "Sheet", "", "", ("key",), tuple(columns))


def _text_column(name: str) -> Column:
    return Column(name, "text", name, "", "", False, "", "", "", False)


def quote_column(field: str) -> str:
    """Return the name of the column with the words that a tag rests on."""
    return f"{field}_quote"


def sheet_text(plan: AuditPlan, study: Study, reader: str = "") -> str:
    """Write an empty sheet: what identifies each work, and nothing of its tags."""
    spec = sheet_spec(plan, study, "sheet")
    pool = study.codebook.pool
    rows = [spec.header]
    for key in plan.keys:
        entry = study.entries[key]
        cells = dict.fromkeys(spec.header, "")
        cells["key"], cells["reader"] = key, reader
        for role in _SHOWN_ROLES:
            shown = pool.by_role(role)
            if shown is not None:
                # The sheet is filled in with a spreadsheet, which runs a title that is a formula.
                cells[role] = csv_cell(entry.cell(shown.name))
        rows.append(tuple(cells.values()))
    return csv_text(rows)


def parse_sheet(content: bytes, plan: AuditPlan, study: Study, file: str) -> Table:
    """Read a filled sheet.

    Raises
    ------
    CorpusError
        With a finding for every wrong cell, for rows that are not those of the plan (A102), tags
        without a quotation (A103) and settled fields that were not audited (A106).
    """
    # A spreadsheet saved it, and no command brings a file of a reader into the form of the corpus.
    content = content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    table = parse_table(content, sheet_spec(plan, study, file), file)
    findings = [*_row_findings(table, plan), *_tag_findings(table, study)]
    findings += _settled_findings(table, plan)
    if plan.quotes:
        findings += _missing_quotes(table, plan)
    if findings:
        raise CorpusError(sorted(findings))
    return table


def _tag_findings(table: Table, study: Study) -> Iterator[Finding]:
    """Yield the cells that hold no term; an empty one was not read yet."""
    positions = {column.name: place for place, column in enumerate(table.spec.columns)}
    lines = dict(zip(table.lines, table.rows, strict=True))
    for finding in term_findings(table, study.codebook):
        if lines[finding.line][positions[finding.column]]:
            yield finding


def _row_findings(table: Table, plan: AuditPlan) -> Iterator[Finding]:
    wanted = set(plan.keys)
    seen: set[str] = set()
    for key, line in zip(table.column("key"), table.lines, strict=True):
        problem = ""
        if key not in wanted:
            problem = "was not drawn"
        elif key in seen:
            problem = "has a second row"
        if problem:
            yield rules.NOT_DRAWN.at(table.file, line, "key", key, key=key, problem=problem)
        seen.add(key)
    for key in plan.keys:
        if key not in seen:
            problem = "was drawn and has no row"
            yield rules.NOT_DRAWN.at(table.file, 0, "key", key, key=key, problem=problem)


def _settled_findings(table: Table, plan: AuditPlan) -> Iterator[Finding]:
    for cell, line in zip(table.column(SETTLED), table.lines, strict=True):
        for field in settled_fields(cell):
            if field not in plan.columns:
                yield rules.UNKNOWN_FIELD.at(
                    table.file, line, SETTLED, cell, field=field, known=", ".join(plan.columns)
                )


def settled_fields(cell: str) -> tuple[str, ...]:
    """Return the fields of a `settled` cell.

    Examples
    --------
    >>> settled_fields("category; scenario")
    ('category', 'scenario')
    """
    parts = (part.strip() for part in cell.split(_SEPARATOR.strip()))
    return tuple(filter(None, parts))


def _missing_quotes(table: Table, plan: AuditPlan) -> Iterator[Finding]:
    for record, line in zip(table.records(), table.lines, strict=True):
        for field in plan.columns:
            quote = quote_column(field)
            if record[field] and not record[quote].strip():
                yield rules.NO_QUOTATION.at(table.file, line, quote, "", field=field, quote=quote)


def quote_findings(
    table: Table, plan: AuditPlan, text_of: Callable[[str], str | None]
) -> Iterator[Finding]:
    """Yield the quotations that are not in the text of their work, word for word.

    White space is compared as one space each, and characters in Unicode normalization form C.

    Parameters
    ----------
    table : Table
        The sheet.
    plan : AuditPlan
        Names the audited columns.
    text_of : callable
        Takes the name of a text file (``KEY.txt``) and returns its text, or None where there is
        none.
    """
    for record, line in zip(table.records(), table.lines, strict=True):
        quotes = {quote_column(field): record[quote_column(field)] for field in plan.columns}
        if not any(quotes.values()):
            continue
        file = f"{record['key']}.txt"
        text = text_of(file)
        if text is None:
            yield rules.NO_TEXT.at(table.file, line, "key", record["key"], text=file)
            continue
        words = _words(text)
        for column, quote in quotes.items():
            if quote and _words(quote) not in words:
                yield rules.NOT_IN_TEXT.at(table.file, line, column, quote, quote=column, text=file)


def _words(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
