"""What the data of a newer state would fail under the codebook and the documents of an older one.

A change that weakens a rule hides the data that the rule is about. So the newer rows are checked once more as the older
codebook declares them, and what only that finds is reported.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator

from corpus.curation.check.check import check_corpus
from corpus.model.codebook import TableSpec
from corpus.model.finding import Finding
from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.tables.atomic import write_atomic
from corpus.tables.git.snapshot import Snapshot
from corpus.tables.location import CODEBOOK_FILE, shown_path
from corpus.tables.writer import canonical_text


def findings_under(older: Snapshot, newer: Study, known: Iterable[Finding]) -> list[Finding]:
    """Check the rows of `newer` under what `older` declares.

    Parameters
    ----------
    older : Snapshot
        With the codebook and the documents to check under; its rows are not looked at.
    newer : Study
        With every table that its codebook declares.
    known : iterable of Finding
        What is found in `newer` anyway.

    Returns
    -------
    list of Finding
        Those that are not `known`; files and lines are those of `newer`. Tables and columns that `newer` no longer has
        are left out, since the rows then have nothing to fail with. Empty where both declare the same.
    """
    if _same_declarations(older.corpus, newer):
        return []
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        _write(os.path.join(folder, CODEBOOK_FILE), older.codebook)
        declared = older.corpus.codebook.settings.get("documents", {})
        for name, source in older.corpus.sources.items():
            _write(os.path.join(folder, str(declared[name])), source.text)
        for spec, table in _shared(older.corpus, newer):
            _write(os.path.join(folder, spec.file), canonical_text(_rows(spec, table), spec))
        found = check_corpus(folder)
        ours = {shown_path(os.path.join(folder, spec.file)): table for spec, table in _shared(older.corpus, newer)}
        staged = shown_path(folder)
    placed = [_placed(finding, ours[finding.file], staged, newer.root) for finding in found if finding.file in ours]
    return _unknown([finding for finding in placed if finding is not None], known)


def _same_declarations(older: Study, newer: Study) -> bool:
    """Return whether both have one codebook and the same documents; claims apart, which have their own report."""
    names = {*older.documents, *newer.documents} - {"claims"}
    same = all(older.documents.get(name) == newer.documents.get(name) for name in names)
    return same and older.codebook == newer.codebook


def _shared(older: Study, newer: Study) -> Iterator[tuple[TableSpec, Table]]:
    """Yield each table of the older codebook that the newer state has, with its newer rows."""
    for name, spec in older.codebook.tables.items():
        if name in newer.tables:
            yield spec, newer.tables[name]


def _rows(spec: TableSpec, table: Table) -> list[Row]:
    """Return the newer rows in the older columns; a column that is gone is empty."""
    header = table.spec.header
    positions = [header.index(name) if name in header else None for name in spec.header]
    rows = []
    for row in table.rows:
        cells = ["" if position is None else row[position] for position in positions]
        rows.append(tuple(cells))
    return rows


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_atomic(path, text)


def _placed(finding: Finding, table: Table, staged: str, shown: str) -> Finding | None:
    """Return a finding with the place that the user knows; None for a column that the newer table no longer has."""
    if finding.column and finding.column not in table.spec.header:
        return None
    # Rows were written one after another, so only embedded line breaks and blank lines move a line.
    return finding._replace(
        file=table.file,
        message=finding.message.replace(staged, shown),
        hint=finding.hint.replace(staged, shown),
    )


def _unknown(found: Iterable[Finding], known: Iterable[Finding]) -> list[Finding]:
    left = Counter((finding.file, finding.code, finding.column, finding.value) for finding in known)
    fresh = []
    for finding in found:
        same = (finding.file, finding.code, finding.column, finding.value)
        if left[same]:
            left[same] -= 1
        else:
            fresh.append(finding)
    return fresh
