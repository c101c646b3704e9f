"""The protocol of a survey: how its records were found, screened and decided.

Each survey divides its protocol as it likes, and all of it is printed. What the checks read has
fixed names; a key that looks like one of them, misspelt, would be a rule that nobody applies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from corpus.curation.check import check_rules as rules
from corpus.curation.retrieval.searches import Search
from corpus.model.dates import parse_date
from corpus.model.documents.section import Section
from corpus.model.finding import Finding

#: Name under which the codebook's [documents] declares the file.
DOCUMENT = "protocol"
RULE = rules.PROTOCOL_MISTAKE
#: The dates under ``[protocol]``; a change of one is a change of what was searched.
DATES = ("search_cutoff", "refresh_cutoff", "first_query", "snapshot")
#: Lists of what records may be; their members are named by `id`.
LISTS = ("sources", "query_families", "stages", "inclusion", "exclusion")
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
            identifier = _member(item)
            if identifier in ids:
                document.mistake(name, f"duplicate id {identifier!r}")
            ids.append(identifier)
    for item in document.sections("exclusion"):
        for number, stage in enumerate(item.strings("stages", ())):
            item.reference("stage", stage, "stages", number, known=members["stages"])
    document.finish(is_open=True)


def _member(section: Section) -> str:
    identifier = section.text("id")
    for key in _TEXTS:
        section.text(key, "")
    section.strings("search_strings", ())
    section.strings("stages", ())
    section.flag("reconstructed", False)
    section.finish(is_open=True)
    return identifier


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
