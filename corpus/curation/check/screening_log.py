"""The exclusion log against the dates of the search and the stages of its criteria."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from corpus.curation.check import check_rules as rules
from corpus.model.dates import parse_date
from corpus.model.finding import Finding
from corpus.model.identifiers import arxiv_month, find_arxiv
from corpus.tables.sheet import ColumnarTable

Sheets = Mapping[str, ColumnarTable]


def log_findings(sheets: Sheets, documents: Mapping[str, Mapping[str, Any]]) -> list[Finding]:
    """Check the dates of exclusions, and their stages against their criteria.

    The first day is ``first_query`` of the protocol, where it is declared. A criterion of the
    protocol may list the ``stages`` at which it decides.
    """
    protocol = documents.get("protocol", {})
    found: list[Finding] = []
    for sheet in sheets.values():
        if sheet.spec.role == "exclusions":
            found += _date_findings(sheet, protocol)
            found += _stage_findings(sheet, sheets, protocol)
    return found


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
    return found.start if found.precision == "day" else None


def _date_findings(log: ColumnarTable, protocol: Mapping[str, Any]) -> Iterator[Finding]:
    column = log.spec.by_role("date")
    if column is None:
        return
    first = None
    about = protocol.get("protocol", {})
    if isinstance(about, Mapping):
        first = _day(about.get("first_query", ""))
    identifier = log.spec.by_role("identifier")
    for position, cell in enumerate(log.columns[column.name].to_pylist()):
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
            line = log.line(position)
            yield rules.EXCLUSION_DATE.at(log.file, line, column.name, cell, advice=advice)


def _stage_findings(
    log: ColumnarTable, sheets: Sheets, protocol: Mapping[str, Any]
) -> Iterator[Finding]:
    stages = _declared_stages(protocol)
    column = log.spec.by_role("stage")
    if not stages or column is None:
        return
    cells = log.columns[column.name].to_pylist()
    stage_of = dict(zip(log.columns[log.spec.key[0]].to_pylist(), cells, strict=True))
    for sheet in sheets.values():
        reference = sheet.spec.reference_to(log.spec)
        criterion = sheet.spec.by_role("criterion")
        if sheet.spec.role != "reasons" or reference is None or criterion is None:
            continue
        records = sheet.columns[reference.name].to_pylist()
        for position, cell in enumerate(sheet.columns[criterion.name].to_pylist()):
            record = records[position]
            stage = stage_of.get(record, "")
            if stage and cell in stages and stage not in stages[cell]:
                line = sheet.line(position)
                yield rules.EXCLUSION_STAGE.at(
                    sheet.file, line, criterion.name, cell, other=record, advice=stage
                )


def _declared_stages(protocol: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the stages of each criterion that lists some."""
    found: dict[str, list[str]] = {}
    criteria = protocol.get("exclusion")
    if not isinstance(criteria, list):
        return found
    for item in criteria:
        if isinstance(item, Mapping) and isinstance(item.get("stages"), list):
            found[str(item.get("id", ""))] = [str(stage) for stage in item["stages"]]
    return found
