"""Everything `corpus check` holds a corpus against."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from importlib import import_module

from corpus.curation.check.accepted import without_accepted
from corpus.curation.check.declarations import declaration_findings
from corpus.curation.check.duplicates import duplicate_findings
from corpus.curation.check.references import reference_findings
from corpus.curation.check.rows import row_findings
from corpus.curation.check.works import Works
from corpus.model.codebook import Codebook
from corpus.model.codebook_lines import with_lines
from corpus.model.finding import CorpusError, Finding
from corpus.tables.corpus_reader import read_tables
from corpus.tables.documents import read_codebook, read_document, read_documents
from corpus.tables.location import CODEBOOK_FILE, shown_path
from corpus.tables.sheet import ColumnarTable, read_sheet


def check_corpus(data: str, today: date | None = None, near_titles: bool = True) -> list[Finding]:
    """Check codebook, files, cells, rows and the tables between each other.

    Parameters
    ----------
    data : str
        The data folder.
    today : date, optional
        What lies after it is in the future; the current day by default.
    near_titles : bool
        Whether nearly equal titles are looked for as well, which costs most in a large pool.

    Returns
    -------
    list of Finding
        Sorted by place; accepted warnings are left out.
    """
    try:
        book = read_codebook(data)
    except CorpusError as error:
        return error.findings
    # Arrow works outside the interpreter's lock; importing pandera is most of a small check, so it starts first.
    with ThreadPoolExecutor(2) as side:
        side.submit(import_module, "corpus.curation.check.columns")
        sheets, findings = read_tables(data, book, read_sheet)
        documents = read_documents(data, book)
        parts = [
            side.submit(_column_findings, sheets, book, today or date.today()),
            side.submit(_duplicates, sheets, book, near_titles),
            side.submit(reference_findings, sheets, book, documents.decoded),
            *(side.submit(row_findings, sheet, book) for sheet in sheets.values()),
        ]
        findings += documents.findings + _declarations(data, book)
        for part in parts:
            findings += part.result()
    return sorted(set(without_accepted(findings, sheets, shown_path(data))))


def _declarations(data: str, book: Codebook) -> list[Finding]:
    path = os.path.join(data, CODEBOOK_FILE)
    shown = shown_path(path)
    findings = declaration_findings(book, shown)
    return with_lines(findings, read_document(path, shown)) if findings else []


def _column_findings(sheets: dict[str, ColumnarTable], book: Codebook, today: date) -> list[Finding]:
    """Check the columns of every table, one after the other: pandera's settings hold for the whole process."""
    from corpus.curation.check.columns import column_findings

    return [finding for sheet in sheets.values() for finding in column_findings(sheet, book, today)]


def _duplicates(sheets: dict[str, ColumnarTable], book: Codebook, near_titles: bool) -> list[Finding]:
    return duplicate_findings(all_works(sheets, book), near_titles)


def all_works(sheets: dict[str, ColumnarTable], book: Codebook) -> Works:
    """Return the works of the pool (with their DOIs) and of the exclusion log, the pool first."""
    pool = [sheets[book.pool.name]] if book.pool.name in sheets else []
    logs = [sheet for sheet in sheets.values() if sheet.spec.role == "exclusions"]
    return Works([*pool, *logs], [_dois(sheets)] if pool else [])


def _dois(sheets: dict[str, ColumnarTable]) -> dict[str, str]:
    """DOIs of the bibliography by key of the entry."""
    found: dict[str, str] = {}
    for sheet in sheets.values():
        key = sheet.spec.by_role("key")
        doi = next((c for c in sheet.spec.columns if c.type == "doi"), None)
        if sheet.spec.role == "bibliography" and key is not None and doi is not None:
            found.update(zip(sheet.columns[key.name].to_pylist(), sheet.columns[doi.name].to_pylist(), strict=True))
    return found
