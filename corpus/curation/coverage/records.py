"""The rows of the table of coverage: the records that the corpus has nowhere, to be judged."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from corpus.analysis.bibliography.same_works import WorkView, work
from corpus.curation.coverage.coverage import CoverageReport, CoveredWork
from corpus.curation.edit.proposal import new_row, slug
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.printing.escape import quoted_formula

ROLE = "coverage"


def coverage_table(book: Codebook) -> TableSpec:
    """Return the table of coverage.

    Raises
    ------
    UsageProblem
        Where the codebook declares none.
    """
    for spec in book.by_role(ROLE):
        return spec
    raise UsageProblem(
        f"the codebook declares no table with the role {ROLE!r}; `corpus init --living .` in the "
        "folder of the corpus adds it"
    )


def with_unseen(
    study: Study, report: CoverageReport, versions: Mapping[str, str], today: str
) -> dict[str, list[Row]]:
    """Return the rows of the table of coverage with a new row for each unseen work.

    A row's key is made of the list and a digest of the work, so that two branches that add the same
    list write the same rows. Rows that are there keep their verdict.

    Parameters
    ----------
    study : Study
        The corpus.
    report : CoverageReport
        What the lists have.
    versions : mapping of str to str
        List -> its version, such as a commit or an edition.
    today : str
        The date of the comparison, as YYYY-MM-DD.
    """
    spec = coverage_table(study.codebook)
    table = study.tables[spec.name]
    rows = list(table.rows)
    known = set(spec.names_of(rows))
    waiting: set[str] = set()
    for row in rows:
        waiting |= _marks(work(table, row))
    for listed, item in report.unseen:
        key = record_key(listed, item)
        # A work that waits for its verdict already, as another list has it, needs no second one.
        marks = {*item.record.identities, item.record.normal}
        if key in known or marks & waiting:
            continue
        known.add(key)
        given = {
            "key": key,
            "list": listed,
            "version": versions.get(listed, ""),
            "date": today,
            "title": quoted_formula(item.record.title),
            "identifier": quoted_formula(item.record.identifier),
            "year": item.record.year,
        }
        cells = {column.name: given.get(column.role, "") for column in spec.columns}
        rows.append(new_row(spec, cells))
    return {spec.name: rows}


def _marks(view: WorkView) -> set[str]:
    """Return what a work is recognised by."""
    return {*view.identities, view.title} - {""}


def record_key(listed: str, item: CoveredWork) -> str:
    """Return the key of a record of a list."""
    # The smallest of its identifiers, so that their order in a file decides nothing. Two of ten
    # thousand works share eight digits of a digest in one list of a hundred.
    identity = min(item.record.identities, default=item.record.normal)
    return f"{slug(listed)}-{sha256(identity.encode()).hexdigest()[:8]}"
