"""What the data of a newer state would fail under the codebook and the documents of an older one.

A change that weakens a rule hides the data that the rule is about. So the newer rows are checked
once more as the older codebook declares them, and what only that check finds is reported.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator

from corpus.curation.check.check import check_corpus
from corpus.curation.check.staged import new_findings, relocated
from corpus.model.codebook import TableSpec
from corpus.model.finding import Finding
from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.tables.git.snapshot import Snapshot
from corpus.tables.location import CODEBOOK_FILE, shown_path
from corpus.tables.writing.atomic import write_atomic
from corpus.tables.writing.writer import canonical_text


def findings_under(older: Snapshot, newer: Study, known: Iterable[Finding]) -> list[Finding]:
    """Check the rows of `newer` under what `older` declares.

    Parameters
    ----------
    older : Snapshot
        With the codebook and the documents to check under; its rows are not used.
    newer : Study
        With every table that its codebook declares.
    known : iterable of Finding
        What is found in `newer` anyway.

    Returns
    -------
    list of Finding
        Those that are not `known`; files and lines are those of `newer`. Tables and columns that
        `newer` no longer has are left out, since the rows then have nothing to fail with. Empty
        where both declare the same.
    """
    if _same_declarations(older.corpus, newer):
        return []
    placed = []
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        tables = _stage(folder, older, newer)
        staged = shown_path(folder)
        for finding in check_corpus(folder, schemas=False):
            # Findings about the codebook and documents are those of the older state.
            table = tables.get(finding.file)
            if table is not None and _has_place(finding, table):
                own = relocated(finding, staged, newer.root)
                placed.append(own._replace(file=table.file))
    return new_findings(placed, known)


def _same_declarations(older: Study, newer: Study) -> bool:
    """Whether both have one codebook and the same documents; claims have a report of their own."""
    if older.codebook != newer.codebook:
        return False
    names = {*older.documents, *newer.documents} - {"claims"}
    return all(older.documents.get(name) == newer.documents.get(name) for name in names)


def _stage(folder: str, older: Snapshot, newer: Study) -> dict[str, Table]:
    """Write the newer rows under the older declarations; return the tables by the file as shown."""
    _write(os.path.join(folder, CODEBOOK_FILE), older.codebook)
    declared = older.corpus.codebook.settings.get("documents", {})
    for name, source in older.corpus.sources.items():
        _write(os.path.join(folder, str(declared[name])), source.text)
    tables = {}
    for spec, table in _shared(older.corpus, newer):
        path = os.path.join(folder, spec.file)
        _write(path, canonical_text(_rows(spec, table), spec))
        tables[shown_path(path)] = table
    return tables


def _shared(older: Study, newer: Study) -> Iterator[tuple[TableSpec, Table]]:
    """Yield each table of the older codebook that the newer state has, with its newer rows."""
    for name, spec in older.codebook.tables.items():
        if name in newer.tables:
            yield spec, newer.tables[name]


def _rows(spec: TableSpec, table: Table) -> list[Row]:
    """Return the newer rows in the older columns; a column that was removed is empty."""
    rows = []
    for record in table.records():
        rows.append(tuple(record.get(name, "") for name in spec.header))
    return rows


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_atomic(path, text)


def _has_place(finding: Finding, table: Table) -> bool:
    """Whether the newer table still has the column of a finding."""
    return not finding.column or finding.column in table.spec.header
