"""RIS, for EndNote, Mendeley, Covidence and Rayyan."""

from __future__ import annotations

from typing import Any

from corpus.analysis.bibliography.works import ARTICLE, OTHER, PROCEEDINGS, REPORT, CitedWork, works
from corpus.model.study import Study
from corpus.publishing.export.cells import one_line

_TYPES = {ARTICLE: "JOUR", PROCEEDINGS: "CPAPER", REPORT: "RPRT", OTHER: "ELEC"}


def export(study: Study) -> bytes:
    """Return the pool as a RIS file; `ID` is the key of the entry, keywords are ``axis: term``."""
    import rispy  # only this format needs it

    class Writer(rispy.RisWriter):  # type: ignore[misc]
        """Without the running numbers, which some programs take for text of the entry before."""

        def set_header(self, count: int) -> str:
            return ""

    references = [_reference(work) for work in works(study)]
    return str(rispy.dumps(references, implementation=Writer)).encode()


def _reference(work: CitedWork) -> dict[str, str | list[str]]:
    kind = _TYPES[work.kind]
    if work.kind == OTHER and work.arxiv:
        kind = "UNPB"
    # RIS has no number of a preprint; programs show this one.
    accession = f"arXiv:{work.arxiv}" if work.arxiv else ""
    notes = [work.notes] if work.notes else []
    date = ""
    if work.public is not None and work.public.precision == "day":
        date = f"{work.public.start:%Y/%m/%d}"
    fields: dict[str, str | list[str]] = {
        "type_of_reference": kind,
        "id": work.key,
        "title": work.title,
        "authors": [name.printed for name in work.authors],
        "year": work.year,
        "date": date,
        "secondary_title": work.venue,
        "doi": work.doi,
        "urls": list(work.urls),
        "accession_number": accession,
        "abstract": work.summary,
        "keywords": work.keywords,
        "notes": notes,
    }
    return {name: _plain(value) for name, value in fields.items() if value}


def _plain(value: str | list[str]) -> Any:
    # A line break in a cell would start a tag of its own.
    if isinstance(value, list):
        return [one_line(item) for item in value]
    return one_line(value)
