"""CSL-JSON, for Zotero, Pandoc and every citation processor."""

from __future__ import annotations

import re
from typing import Any

from corpus.analysis.bibliography.works import (
    ARTICLE,
    OTHER,
    PROCEEDINGS,
    REPORT,
    CitedWork,
    PersonName,
    works,
)
from corpus.model.study import Study
from corpus.publishing.export.cells import filled
from corpus.publishing.export.tables.json import json_bytes

_TYPES = {
    ARTICLE: "article-journal",
    PROCEEDINGS: "paper-conference",
    REPORT: "report",
    OTHER: "webpage",
}
_YEAR = re.compile(r"[0-9]{4}")


def export(study: Study) -> bytes:
    """Return the pool as CSL-JSON; `id` is the key of the entry, `keyword` lists ``axis: term``."""
    return json_bytes([csl_item(work) for work in works(study)])


def csl_item(work: CitedWork) -> dict[str, Any]:
    """Return one entry as a CSL item; what is not known is left out."""
    kind = _TYPES[work.kind]
    number = ""
    # CSL calls a preprint an article, and a paper in a journal an article of one.
    if work.kind == OTHER and work.arxiv:
        kind = "article"
        number = f"arXiv:{work.arxiv}"
    venue_field = "publisher"
    if work.kind in (ARTICLE, PROCEEDINGS):
        venue_field = "container-title"
    item = {
        "id": work.key,
        "type": kind,
        "title": work.title,
        "author": [_name(name) for name in work.authors],
        "issued": _issued(work),
        venue_field: work.venue,
        "number": number,
        "DOI": work.doi,
        "URL": work.address,
        "note": work.summary,
        "keyword": ", ".join(work.keywords),
    }
    return filled(item)


def _name(name: PersonName) -> dict[str, str]:
    if name.given:
        return {"family": name.family, "given": name.given}
    return {"literal": name.family}


def _issued(work: CitedWork) -> dict[str, Any]:
    """Return the year of the entry, with month and day where that is also its first publication."""
    if not _YEAR.fullmatch(work.year):  # `corpus check` names the cell
        return {}
    parts = [int(work.year)]
    public = work.public
    if public is not None and work.kind == OTHER and public.start.year == parts[0]:
        if public.precision in ("month", "day"):
            parts.append(public.start.month)
        if public.precision == "day":
            parts.append(public.start.day)
    return {"date-parts": [parts]}
