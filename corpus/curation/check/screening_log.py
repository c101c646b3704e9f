"""The log of exclusions against the protocol of screening.

The log and the protocol tell of one search: what one of them dates before its first query, was
found with a source that the other does not name, or decided where it could not be decided, is
wrong in one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from corpus.curation.check import check_rules as rules
from corpus.model.dates import parse_date
from corpus.model.finding import Finding, closest
from corpus.model.identifiers import arxiv_month, find_arxiv
from corpus.model.study import Study
from corpus.tables.sheet import ColumnarTable

Sheets = Mapping[str, ColumnarTable]

#: Roles of an exclusion log, and the section of the protocol that declares their values.
PROTOCOL_SECTIONS = {"source": "sources", "query_family": "query_families", "stage": "stages"}


def log_findings(sheets: Sheets, study: Study) -> list[Finding]:
    """Check sources, queries, stages and dates of exclusions, and stages against their criteria.

    The first day is ``first_query`` of the protocol, where it is declared. A criterion of the
    protocol may list the ``stages`` at which it decides.
    """
    found: list[Finding] = []
    for sheet in sheets.values():
        if sheet.spec.role == "exclusions":
            found += _unplanned(sheet, study)
            found += _date_findings(sheet, study.documents.get("protocol", {}))
            found += _stage_findings(sheet, sheets, study.declared_items("protocol", "exclusion"))
    return found


def _unplanned(log: ColumnarTable, study: Study) -> Iterator[Finding]:
    """Sources, query families and stages of the log must be those that the protocol declares."""
    for role, section in PROTOCOL_SECTIONS.items():
        column = log.spec.by_role(role)
        planned = study.documents.get("protocol", {}).get(section)
        if column is None or not isinstance(planned, list):
            continue
        declared = list(study.declared_items("protocol", section))
        for position, cell in enumerate(log.cells(column.name)):
            if cell and cell not in declared:
                advice = f"declared: {', '.join(declared)}"
                for nearest in closest(cell, declared)[:1]:
                    advice = f"did you mean {nearest!r}?"
                yield log.finding(rules.PROTOCOL, position, column.name, advice=advice)


def _day(text: Any) -> date | None:
    """Return a declared day; None for what is not one."""
    # TOML has dates of its own. One with a time is a date in Python, too, yet not comparable.
    if isinstance(text, datetime):
        return text.date()
    if isinstance(text, date):
        return text
    try:
        found = parse_date(str(text))
    except ValueError:
        return None
    if found.precision != "day":
        return None
    return found.start


def _date_findings(log: ColumnarTable, protocol: Mapping[str, Any]) -> Iterator[Finding]:
    column = log.spec.by_role("date")
    if column is None:
        return
    first = None
    about = protocol.get("protocol", {})
    if isinstance(about, Mapping):
        first = _day(about.get("first_query", ""))
    identifier = log.spec.by_role("identifier")
    for position, cell in enumerate(log.cells(column.name)):
        screened = _day(cell)
        if screened is None:
            continue
        advice = ""
        if first is not None and screened < first:
            advice = f"before the first query of {first}"
        elif identifier is not None:
            named = find_arxiv(log.cell(identifier.name, position))
            if named and screened < arxiv_month(named):
                advice = f"before arXiv:{named} existed"
        if advice:
            yield log.finding(rules.EXCLUSION_DATE, position, column.name, advice=advice)


def _stage_findings(
    log: ColumnarTable, sheets: Sheets, criteria: Mapping[str, Mapping[str, Any]]
) -> Iterator[Finding]:
    column = log.spec.by_role("stage")
    if column is None:
        return
    stage_of = dict(zip(log.cells(log.spec.key[0]), log.cells(column.name), strict=True))
    for sheet in sheets.values():
        reference = sheet.spec.reference_to(log.spec)
        criterion = sheet.spec.by_role("criterion")
        if sheet.spec.role != "reasons" or reference is None or criterion is None:
            continue
        for position, (record, applied) in enumerate(sheet.rows(reference, criterion)):
            stage = stage_of.get(record, "")
            allowed = criteria.get(applied, {}).get("stages")
            if stage and isinstance(allowed, list) and stage not in map(str, allowed):
                places = {"other": record, "advice": stage}
                yield sheet.finding(rules.EXCLUSION_STAGE, position, criterion.name, **places)
