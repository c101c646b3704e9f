"""Everything that `corpus check` checks in the files of a corpus; the claims come on top."""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from importlib import import_module

from corpus.analysis.claims.releases import opened_findings
from corpus.curation.check import compared, protocol, references, row_rules
from corpus.curation.check.accepted import NewRows, without_accepted, without_rows
from corpus.curation.check.declarations import (
    character_findings,
    counted_findings,
    read_declarations,
    todo_findings,
)
from corpus.curation.check.described import description_findings
from corpus.curation.check.rule import Tables, checks_of
from corpus.curation.check.works import source_records, years
from corpus.curation.check.works.duplicates import address_findings, all_works, duplicate_findings
from corpus.model.codebook import Codebook
from corpus.model.finding import CorpusError, Finding
from corpus.tables import columns
from corpus.tables.corpus_reader import count_findings, read_tables, with_documents
from corpus.tables.documents import read_codebook
from corpus.tables.git.repository import state_findings
from corpus.tables.git.snapshot import Snapshot, disk_opener
from corpus.tables.location import shown_path
from corpus.tables.sheet import Sheets, read_sheet, sheet_of

#: All checks that are functions with one rule.
CHECKS = checks_of(row_rules, references, protocol, compared, years)
#: The module of the schemas: its import, which is that of pandera, takes a second.
_SCHEMA = "corpus.tables.schema"
#: Roles of the tables that pandera checks whatever their size.
_BY_SCHEMA = ("pool", "exclusions")
#: A table with more rows is checked by pandera in any case: it is twenty times as fast.
_MOST_BY_LOOP = 5_000


def check_corpus(
    state: str | Snapshot,
    today: date | None = None,
    near_titles: bool = True,
    schemas: bool = True,
    unaccepted: NewRows = frozenset(),
    complete: bool = False,
) -> list[Finding]:
    """Check codebook, files, cells, rows and cross-references.

    Parameters
    ----------
    state : str or Snapshot
        The data folder, or another state of a corpus.
    today : date, optional
        What is later is in the future; the current day by default.
    near_titles : bool
        Whether to look for nearly equal titles, which is the slowest check of a large pool.
    schemas : bool
        Whether pandera checks the pool and the exclusion log. Without it the findings are the
        same: for the states of a change, of which several are checked.
    unaccepted : frozenset of (str, int)
        Rows of tables of acceptances that accept nothing; see :func:`new_acceptances`.
    complete : bool
        Whether to check releases as well, and what the documents state about the rows. That is
        done where the tables can be counted: broken rows would break claims that are true.

    Returns
    -------
    list of Finding
        Sorted by place; accepted warnings are left out.
    """
    # Arrow works outside the interpreter's lock, so the tables are checked side by side.
    # Importing pandera is most of the work of a small check, so it starts first.
    with ThreadPoolExecutor(1) as importing, ThreadPoolExecutor(1) as threads:
        imports = []
        if schemas:
            imports.append(importing.submit(import_module, _SCHEMA))
        if isinstance(state, Snapshot):
            study, unread = state.corpus, list(state.findings)
            sheets = {name: sheet_of(table) for name, table in study.tables.items()}
            book, opener, root = study.codebook, state.opener, study.root
        else:
            try:
                book = read_codebook(state)
            except CorpusError as error:
                return sorted(set(error.findings))
            sheets, unread = read_tables(state, book, read_sheet)
            # A table that is so large that it was read by columns has no rows yet.
            tables = {name: one.table for name, one in sheets.items() if one.table is not None}
            study, findings = with_documents(state, book, tables)
            unread += findings
            opener, root = disk_opener(state), shown_path(state)
        checks = []
        checks.append(threads.submit(source_records.source_findings, sheets, book))
        for sheet in sheets.values():
            checks.append(threads.submit(row_rules.form_findings, sheet))
        for one in CHECKS:
            checks.append(threads.submit(one.findings, Tables(sheets, study, opener)))
        works = threads.submit(all_works, sheets, book)
        checks.append(threads.submit(lambda: [*address_findings(works.result())]))
        checks.append(threads.submit(lambda: [*duplicate_findings(works.result(), near_titles)]))
        mistakes, references = read_declarations(study)
        findings = unread + mistakes
        for source in study.sources.values():
            findings += todo_findings(source.text, source.file)
            findings += character_findings(source.text, source.file)
        # Whoever waited for an import that failed sees half a module; the import itself knows why.
        for imported in imports:
            imported.result()
        findings += _column_findings(sheets, book, today or date.today(), schemas)
        for started in checks:
            findings += started.result()
    kept = without_accepted(findings, sheets, unaccepted)
    # Rows are made and counted only where a claim or a name can depend on them.
    if complete and not unread and (study.documents or references):
        study = study.with_tables({name: sheet.by_rows() for name, sheet in sheets.items()})
        if not count_findings(study):
            kept += counted_findings(references, without_rows(study, unaccepted))
    if complete:
        kept += opened_findings(opener, root)
        kept += state_findings(state)
        if isinstance(state, Snapshot):
            beside = state.beside
        else:
            beside = disk_opener(os.path.dirname(os.path.abspath(state)))
        kept += description_findings(root, book, beside)
    return sorted(set(kept))


def _column_findings(sheets: Sheets, book: Codebook, today: date, schemas: bool) -> list[Finding]:
    """Check the columns of the tables one after the other: pandera's settings are process-wide."""
    findings: list[Finding] = []
    for sheet in sheets.values():
        if len(sheet) > _MOST_BY_LOOP or (schemas and sheet.spec.role in _BY_SCHEMA):
            findings += import_module(_SCHEMA).schema_findings(sheet, book, today)
        else:
            findings += columns.loop_findings(sheet, book, today)
    return findings
