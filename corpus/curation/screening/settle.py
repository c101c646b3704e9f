"""Carry decisions out: what readers agree to exclude moves from the candidates into the log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from corpus.curation.edit.proposal import new_row
from corpus.curation.edit.rows import exclusion_log, next_record
from corpus.curation.retrieval.candidates import CANDIDATES, table_of_role
from corpus.curation.screening.decisions import (
    EXCLUDE,
    RESOLVED,
    CandidateScreening,
    Decision,
    ScreenedWork,
    read_screening,
)
from corpus.model.study import Study
from corpus.model.table import Row
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
    candidates = table_of_role(study, CANDIDATES)
    rows = list(log.rows)
    kept: list[Row] = []
    for key, row in zip(candidates.spec.names_of(candidates.rows), candidates.rows, strict=True):
        if screening.outcome(key) != EXCLUDE:
            kept.append(row)
            continue
        work = screening.candidates[key]
        cells = _log_cells(work, _deciding(screening, key), study)
        by_column = {}
        for column in log.spec.columns:
            by_column[column.name] = given.get(column.name) or cells.get(column.role, "")
        by_column[log.spec.key[0]] = next_record(log.with_rows(rows))
        rows.append(new_row(log.spec, by_column))
    return {log.spec.name: rows, candidates.spec.name: kept}


def _deciding(screening: CandidateScreening, key: str) -> Decision:
    """Return the decision that counts: the resolution, else the first reader's."""
    # Readers who agree may give different reasons; the log takes one.
    resolved = screening.decisions.get((key, RESOLVED))
    if resolved is not None:
        return resolved
    return screening.about(key)[0]


def _log_cells(work: ScreenedWork, decision: Decision, study: Study) -> dict[str, str]:
    """Return the cells of an exclusion by role."""
    searches = list(filter(None, map(str.strip, work.found_in.split(";"))))
    notes = ""
    if searches:
        notes = f"found by {'; '.join(searches)}"
    return {
        "source": _source_of(searches, study),
        "title": quoted_formula(work.title),
        # A log may ask for an identifier that a work does not have; its key names it then.
        "identifier": work.identifier or work.key,
        "url": work.url,
        "stage": decision.stage,
        "reason": decision.note or decision.reason,
        "reasons": decision.reason,
        "date": decision.date or date.today().isoformat(),
        "notes": notes,
    }


def _source_of(searches: list[str], study: Study) -> str:
    """Return the source of the first search, as the log names it, or the list that has the work."""
    for table in study.by_role("search_log"):
        search, source = table.spec.by_role("search"), table.spec.by_role("source")
        if search is None or source is None:
            continue
        pairs = zip(table.column(search.name), table.column(source.name), strict=True)
        for name, found in pairs:
            if name in searches:
                return found
    return next(iter(searches), "")
