"""Everything that `corpus check` checks in the files of a corpus; the claims come on top."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from importlib import import_module
from typing import NamedTuple

from corpus.analysis.claims.releases import release_findings
from corpus.curation.check.accepted import NewRows, without_accepted, without_rows
from corpus.curation.check.cell_findings import findings_by_cell
from corpus.curation.check.copied import copied_findings
from corpus.curation.check.declarations import Declared, read_declarations
from corpus.curation.check.references import reference_findings
from corpus.curation.check.rows import row_findings
from corpus.curation.check.screening_log import log_findings
from corpus.curation.check.todos import todo_findings
from corpus.curation.check.works.addresses import address_findings
from corpus.curation.check.works.duplicates import duplicate_findings
from corpus.curation.check.works.source_records import source_findings
from corpus.curation.check.works.works import Works
from corpus.curation.check.works.years import year_findings
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import CorpusError, Finding
from corpus.model.source import Source
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.corpus_reader import count_findings, read_tables
from corpus.tables.documents import Documents, read_codebook, read_document, read_documents
from corpus.tables.location import CODEBOOK_FILE, shown_path
from corpus.tables.reader import read_table
from corpus.tables.sheet import ColumnarTable, read_sheet

#: A table with more rows is checked with its schema in any case, which is faster there.
_MANY_ROWS = 20_000


def check_corpus(
    data: str,
    today: date | None = None,
    near_titles: bool = True,
    schemas: bool = True,
    unaccepted: NewRows = frozenset(),
) -> list[Finding]:
    """Check codebook, files, cells, rows and cross-references.

    Parameters
    ----------
    data : str
        The data folder.
    today : date, optional
        What is later is in the future; the current day by default.
    near_titles : bool
        Whether to look for nearly equal titles, which is the slowest check of a large pool.
    schemas : bool
        Whether to check the columns of every table with its schema. Without them a table of usual
        size is looked at cell by cell, which has the same findings and needs no pandera: for the
        states of a change, of which several are checked.
    unaccepted : frozenset of (str, int)
        Rows of tables of acceptances that accept nothing; see :func:`new_acceptances`.

    Returns
    -------
    list of Finding
        Sorted by place; accepted warnings are left out.
    """
    try:
        book = read_codebook(data)
    except CorpusError as error:
        return error.findings
    day = today or date.today()
    return _check(data, book, day, near_titles, schemas, unaccepted).findings


class _Checked(NamedTuple):
    """A corpus as it was read for its check: `unread` is about files that could not be read."""

    book: Codebook
    sheets: dict[str, ColumnarTable]
    documents: Documents
    declared: Declared
    unread: list[Finding]
    findings: list[Finding]


def _check(
    data: str, book: Codebook, day: date, near_titles: bool, schemas: bool, unaccepted: NewRows
) -> _Checked:
    """Check everything but the codebook; see :func:`check_corpus`."""
    # Arrow works outside the interpreter's lock, so the tables are checked side by side.
    # Importing pandera is most of the work of a small check, so it starts first.
    with ThreadPoolExecutor(2) as threads:
        imports = []
        if schemas:
            imports.append(threads.submit(import_module, "corpus.curation.check.columns"))
        sheets, unread = read_tables(data, book, read_sheet)
        documents = read_documents(data, book)
        unread += documents.findings
        findings = list(unread)
        checks = [
            threads.submit(_column_findings, sheets, book, day, schemas),
            threads.submit(_duplicate_findings, sheets, book, near_titles),
            threads.submit(reference_findings, sheets, book, documents.decoded),
            threads.submit(source_findings, sheets, book),
            threads.submit(address_findings, sheets, book),
            threads.submit(year_findings, sheets, book),
            threads.submit(log_findings, sheets, documents.decoded),
        ]
        for sheet in sheets.values():
            checks.append(threads.submit(row_findings, sheet, book))
            checks.append(threads.submit(copied_findings, sheet))
        path = os.path.join(data, CODEBOOK_FILE)
        shown = shown_path(path)
        codebook = Source(shown, read_document(path, shown))
        declared = read_declarations(book, codebook, documents.decoded, documents.sources)
        findings += declared.findings
        for source in (codebook, *documents.sources.values()):
            findings += todo_findings(source.text, source.file)
        # Whoever waited for an import that failed sees half a module; the import itself knows why.
        for imported in imports:
            imported.result()
        for check in checks:
            findings += check.result()
    kept = sorted(set(without_accepted(findings, sheets, unaccepted)))
    return _Checked(book, sheets, documents, declared, unread, kept)


def all_findings(
    data: str, near_titles: bool = True, unaccepted: NewRows = frozenset()
) -> list[Finding]:
    """Check everything: the files of a corpus, its claims, releases and searches.

    Claims are checked where the tables can be counted: broken rows would break claims that are
    true.

    Parameters
    ----------
    data : str
        The data folder.
    near_titles, unaccepted
        See :func:`check_corpus`.

    Returns
    -------
    list of Finding
        Sorted by place; accepted warnings are left out.
    """
    try:
        book = read_codebook(data)
    except CorpusError as error:
        return sorted([*error.findings, *release_findings(data)])
    checked = _check(data, book, date.today(), near_titles, True, unaccepted)
    beside = _claim_findings(data, checked, unaccepted) + release_findings(data)
    return sorted({*checked.findings, *beside})


def _claim_findings(data: str, checked: _Checked, unaccepted: NewRows) -> list[Finding]:
    """Check the claims, where the corpus has some and its tables can be counted."""
    documents = checked.documents
    if checked.unread:
        return []
    tables = {}
    for name, sheet in checked.sheets.items():
        tables[name] = _by_rows(data, sheet)
    study = Study(checked.book, tables, data, documents.decoded, documents.sources)
    if count_findings(study):
        return []
    return checked.declared.counted_findings(without_rows(study, unaccepted))


def _by_rows(data: str, sheet: ColumnarTable) -> Table:
    """Return a table by rows; one so large that it was read by columns is read again."""
    if sheet.table is not None:
        return sheet.table
    path = os.path.join(data, sheet.spec.file)
    return read_table(path, sheet.spec, shown_path(path))


def all_works(sheets: Mapping[str, ColumnarTable], book: Codebook) -> Works:
    """Return the works of the pool (with their DOIs) and of the exclusion log, the pool first."""
    wanted = []
    dois: dict[str, str] = {}
    if book.pool.name in sheets:
        wanted.append(sheets[book.pool.name])
        dois = _bibliography_dois(sheets)
    for sheet in sheets.values():
        if sheet.spec.role == "exclusions":
            wanted.append(sheet)
    return Works(wanted, dois)


def _column_findings(
    sheets: Mapping[str, ColumnarTable], book: Codebook, today: date, schemas: bool
) -> list[Finding]:
    """Check the columns of the tables one after the other: pandera's settings are process-wide."""
    findings = []
    for sheet in sheets.values():
        if schemas or len(sheet) > _MANY_ROWS:
            # The only import of pandera; see the module.
            from corpus.curation.check.columns import column_findings

            findings += column_findings(sheet, book, today)
        else:
            findings += findings_by_cell(sheet, book, today)
    return findings


def _duplicate_findings(
    sheets: Mapping[str, ColumnarTable], book: Codebook, near_titles: bool
) -> list[Finding]:
    return duplicate_findings(all_works(sheets, book), near_titles)


def _bibliography_dois(sheets: Mapping[str, ColumnarTable]) -> dict[str, str]:
    """Return the DOIs of the bibliography by the key of the entry."""
    found: dict[str, str] = {}
    for sheet in sheets.values():
        if sheet.spec.role != "bibliography":
            continue
        key = sheet.spec.by_role("key")
        doi = _doi_column(sheet.spec)
        if key is not None and doi is not None:
            keys = sheet.columns[key.name].to_pylist()
            found.update(zip(keys, sheet.columns[doi].to_pylist(), strict=True))
    return found


def _doi_column(spec: TableSpec) -> str | None:
    for column in spec.columns:
        if column.type == "doi":
            return column.name
    return None
