"""What the data of a newer state would fail under the codebook and the documents of an older one.

A change that weakens a rule hides the data that the rule is about. So the newer rows are checked
once more as the older codebook declares them, and what only that check finds is reported.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from corpus.curation.check.check import check_corpus
from corpus.model.finding import Finding, new_findings
from corpus.model.study import Study
from corpus.tables.git.snapshot import Snapshot, read_snapshot
from corpus.tables.location import CODEBOOK_FILE
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
    declared = older.corpus
    then, now = dict(declared.documents), dict(newer.documents)
    for documents in (then, now):
        documents.pop("claims", None)  # they have a report of their own
    if declared.codebook == newer.codebook and then == now:
        return []
    contents = {CODEBOOK_FILE: older.codebook.encode()}
    for name, source in declared.sources.items():
        contents[declared.codebook.documents[name]] = source.text.encode()
    tables = {}
    for name, spec in declared.codebook.tables.items():
        if name in newer.tables:
            tables[str(PurePosixPath(newer.root, spec.file))] = newer.tables[name]
            rows = []
            for record in newer.tables[name].records():
                rows.append(tuple(record.get(column, "") for column in spec.header))
            contents[spec.file] = canonical_text(rows, spec).encode()
    found = []
    state = read_snapshot("newer", contents.get, newer.root)
    for finding in check_corpus(state, schemas=False):
        # Findings about the codebook and documents are those of the older state.
        table = tables.get(finding.file)
        if table is not None and finding.column in ("", *table.spec.header):
            found.append(finding._replace(file=table.file))
    return new_findings(found, known)
