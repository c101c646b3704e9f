"""Carry decisions out: what readers agree to exclude moves from the candidates into the log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from corpus.curation.edit.proposal import new_row
from corpus.curation.edit.rows import exclusion_log, new_record, numbers_records
from corpus.curation.retrieval.candidates import CANDIDATES
from corpus.curation.screening.decisions import EXCLUDE, RESOLVED, Decision, read_screening
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.model.work import Work
from corpus.printing.escape import quoted_formula


def settled_rows(study: Study, given: Mapping[str, str]) -> dict[str, list[Row]]:
    """Return the rows of candidates and exclusion log after all agreed exclusions are logged.

    Works to include stay candidates until `corpus add` makes them entries.

    Parameters
    ----------
    study : Study
        The corpus.
    given : mapping of str to str
        Column of the log -> cell, for what candidates and decisions do not have.
    """
    screening = read_screening(study)
    log = study.tables[exclusion_log(study.codebook).name]
    candidates = study.table_of(CANDIDATES)
    rows = list(log.rows)
    numbered = numbers_records(study.root)
    kept: list[Row] = []
    for key, row in candidates.named_rows():
        if screening.outcome(key) != EXCLUDE:
            kept.append(row)
            continue
        work = screening.candidates[key]
        # Readers who agree may give different reasons; the log takes one, the resolution first.
        resolved = screening.decisions.get((key, RESOLVED))
        cells = _log_cells(key, work, resolved or screening.about(key)[0], study)
        new = dict(zip(log.spec.header, log.spec.row(cells), strict=True))
        new |= {name: cell for name, cell in given.items() if cell}
        new[log.spec.key[0]] = new_record(log.with_rows(rows), new, numbered)
        rows.append(new_row(log.spec, new))
    return {log.spec.name: rows, candidates.spec.name: kept}


def _log_cells(key: str, work: Work, decision: Decision, study: Study) -> dict[str, str]:
    """Return the cells of an exclusion by role."""
    searches = list(filter(None, map(str.strip, work.source.split(";"))))
    notes = ""
    if searches:
        notes = f"found by {'; '.join(searches)}"
    return {
        "source": _source_of(searches, study),
        "title": quoted_formula(work.title),
        # A log may ask for an identifier that a work does not have; its key names it then.
        "identifier": work.identifier or key,
        "url": work.address,
        "stage": decision.stage,
        "reason": decision.note or decision.reason,
        "reasons": decision.reason,
        "date": decision.date or date.today().isoformat(),
        "notes": notes,
    }


def _source_of(searches: list[str], study: Study) -> str:
    """Return the source of the first search, as the log names it, or the list that has the work."""
    for table in study.by_role("search_log"):
        for cells in table.by_role_cells():
            if cells.get("search") in searches and "source" in cells:
                return cells["source"]
    return next(iter(searches), "")
