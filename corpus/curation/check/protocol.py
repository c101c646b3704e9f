"""The protocol of a survey: how its records were found, screened and decided.

Each survey divides its protocol as it likes, and all of it is printed. What the checks read has
fixed names; a key that looks like one of them, misspelt, would be a rule that nobody applies.

The log of exclusions and the protocol tell of one search: what the log dates before the first
query, was found with a source that the protocol does not name, or decided where it could not be
decided, is wrong in one of the two.
"""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from corpus.curation.check import check_rules as rules
from corpus.curation.retrieval.searches import Search
from corpus.model.dates import parse_date
from corpus.model.documents.section import Section
from corpus.model.finding import Finding, closest
from corpus.model.identifiers import arxiv_month, find_arxiv
from corpus.model.study import Study
from corpus.tables.sheet import ColumnarTable, Sheets

#: Name under which the codebook's [documents] declares the file.
DOCUMENT = "protocol"
RULE = rules.PROTOCOL_MISTAKE
#: The dates under ``[protocol]``; a change of one is a change of what was searched.
DATES = ("search_cutoff", "refresh_cutoff", "first_query", "snapshot")
#: Lists of what records may be; their members are named by `id`.
LISTS = ("sources", "query_families", "stages", "inclusion", "exclusion")
#: Roles of an exclusion log, and the section of the protocol that declares their values.
_SECTIONS = {"source": "sources", "query_family": "query_families", "stage": "stages"}
_TEXTS = ("name", "label", "text", "definition", "url")


def read_protocol(document: Section) -> None:
    """Read a protocol; mistakes are in the findings of the section."""
    about = document.section("protocol", required=False)
    about.text("title", "")
    about.strings("limits", ())
    for name in DATES:
        day = about.scalar(name, "")
        try:
            parse_date(day or "2000")
        except ValueError:
            about.mistake(name, "must be a date: YYYY, YYYY-MM or YYYY-MM-DD")
    about.finish(is_open=True)
    members: dict[str, list[str]] = {}
    for name in LISTS:
        ids = members[name] = []
        for item in document.sections(name):
            identifier = item.text("id")
            if identifier in ids:
                document.mistake(name, f"duplicate id {identifier!r}")
            ids.append(identifier)
            for key in _TEXTS:
                item.text(key, "")
            item.strings("search_strings", ())
            item.flag("reconstructed", False)
            for number, stage in enumerate(item.strings("stages", ())):
                # The list of stages is read before.
                if name == "exclusion":
                    item.reference("stage", stage, "stages", number, known=members["stages"])
            item.finish(is_open=True)
    document.finish(is_open=True)


def contradictions(
    protocol: Mapping[str, Any], searches: Mapping[str, Search], file: str
) -> Iterator[Finding]:
    """Yield searches of a source or a query that the protocol does not have, and days left out.

    What the protocol does not declare is not compared. Both documents have no mistakes.
    """
    sources = {item["id"].casefold() for item in protocol.get("sources", [])}
    queries: set[str] = set()
    for family in protocol.get("query_families", []):
        queries.update(" ".join(text.split()) for text in family.get("search_strings", []))
    about = protocol.get("protocol", {})
    days = [str(about[name]) for name in ("search_cutoff", "refresh_cutoff") if name in about]
    last = max((parse_date(day).end for day in days), default=None)
    for number, search in enumerate(searches.values(), 1):
        problems = []
        if sources and not any(search.source.casefold() in name for name in sources):
            problems.append(f"the source {search.source} is not one of the protocol")
        if queries and " ".join(search.query.split()) not in queries:
            problems.append("the query is not one of the protocol")
        if last and search.first > (last + timedelta(1)).isoformat():
            problems.append(f"it begins on {search.first}, and the protocol ends on {last}")
        place = f"searches[{number}]"
        for problem in problems:
            yield rules.CONTRADICTING_SEARCH.at(file, 0, place, search.id, problem=problem)


def log_findings(sheets: Sheets, study: Study) -> list[Finding]:
    """Check sources, queries, stages and dates of exclusions, and stages against their criteria.

    The first day is ``first_query`` of the protocol, where it is declared. A criterion of the
    protocol may list the ``stages`` at which it decides.
    """
    found: list[Finding] = []
    protocol = study.documents.get(DOCUMENT, {})
    for sheet in sheets.values():
        if sheet.spec.role == "exclusions":
            found += _unplanned(sheet, study)
            found += _date_findings(sheet, protocol)
            found += _stage_findings(sheet, sheets, study.declared_items(DOCUMENT, "exclusion"))
    return found


def _unplanned(log: ColumnarTable, study: Study) -> Iterator[Finding]:
    """Sources, query families and stages of the log must be those that the protocol declares."""
    for role, section in _SECTIONS.items():
        column = log.spec.by_role(role)
        declared = study.declared_items(DOCUMENT, section)
        if column is None or not declared:
            continue
        for position, cell in enumerate(log.cells(column.name)):
            if cell and cell not in declared:
                advice = f"declared: {', '.join(declared)}"
                for nearest in closest(cell, declared):
                    advice = f"did you mean {nearest!r}?"
                yield log.finding(rules.PROTOCOL, position, column.name, advice=advice)


def _day(text: Any) -> date | None:
    """Return a declared day; None for what is not one."""
    try:
        found = parse_date(str(text)[:10])  # TOML has dates of its own, also with a time
    except ValueError:
        return None
    return found.start if found.precision == "day" else None


def _date_findings(log: ColumnarTable, protocol: Mapping[str, Any]) -> Iterator[Finding]:
    column = log.spec.by_role("date")
    if column is None:
        return
    about = protocol.get("protocol")
    first = _day(about.get("first_query")) if isinstance(about, Mapping) else None
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
                yield sheet.finding(
                    rules.EXCLUSION_STAGE, position, criterion.name, other=record, advice=stage
                )
