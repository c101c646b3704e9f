"""RIS, for EndNote, Mendeley, Covidence and Rayyan."""

from __future__ import annotations

from typing import Any

from corpus.analysis.bibliography.venues import ARTICLE, OTHER, PROCEEDINGS, REPORT
from corpus.analysis.bibliography.works import CitedWork, works
from corpus.model.study import Study

_TYPES = {ARTICLE: "JOUR", PROCEEDINGS: "CPAPER", REPORT: "RPRT", OTHER: "ELEC"}


def export(corpus: Study) -> bytes:
    """Return the pool as a RIS file; `ID` is the key of the entry, keywords are its tags as ``axis: term``."""
    import rispy

    class Writer(rispy.RisWriter):  # type: ignore[misc]
        """Without the running numbers that some programs take for text of the entry before."""

        def set_header(self, count: int) -> str:
            return ""

    return str(rispy.dumps([_reference(work) for work in works(corpus)], implementation=Writer)).encode()


def _reference(work: CitedWork) -> dict[str, Any]:
    preprint = work.kind == OTHER and bool(work.arxiv)
    fields = {
        "type_of_reference": "UNPB" if preprint else _TYPES[work.kind],
        "id": work.key,
        "title": work.title,
        "authors": [name.printed for name in work.authors],
        "year": work.year,
        "date": f"{work.public.start:%Y/%m/%d}" if work.public and work.public.precision == "day" else "",
        "secondary_title": work.venue,
        "doi": work.doi,
        "urls": list(work.urls),
        "accession_number": f"arXiv:{work.arxiv}" if work.arxiv else "",
        "abstract": work.summary,
        "keywords": [f"{axis}: {term}" for axis, terms in work.tags.items() for term in terms],
        "notes": [work.notes] if work.notes else [],
    }
    return {name: _plain(value) for name, value in fields.items() if value}


def _plain(value: Any) -> Any:
    """Put a text on one line without control characters, so that none starts a line as a tag of its own."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())
