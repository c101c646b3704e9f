"""What kind of publication the venues of a source are, where only the source knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corpus.analysis.bibliography.venues import ARTICLE, PROCEEDINGS, kind_by_name
from corpus.curation.importing.names import ascii_words
from corpus.curation.importing.plan import ColumnPlan
from corpus.curation.importing.readers.records import ImportedRecord

_TYPE_COLUMNS = ("type", "type_of_reference", "item type", "document type", "publication type")
_TYPES = {
    **dict.fromkeys(("article", "jour", "journalarticle", "articlejournal"), ARTICLE),
    **dict.fromkeys(
        ("inproceedings", "conf", "cpaper", "conferencepaper", "paperconference"), PROCEEDINGS
    ),
}


def venue_kinds(
    records: Sequence[ImportedRecord], plans: Sequence[ColumnPlan]
) -> dict[str, list[str]]:
    """Return kind -> venues for ``[venues]`` of a new codebook, without venues of two kinds."""
    types = [plan.source for plan in plans if plan.source.casefold() in _TYPE_COLUMNS]
    found: dict[str, set[str]] = {}
    for record in records:
        for plan in plans:
            venue = record.cells.get(plan.source) if plan.role == "venue" else None
            if isinstance(venue, str) and venue and not kind_by_name(venue):
                found.setdefault(venue, set()).add(
                    _kind_by_type(record, types) or _kind_by_column(plan.source)
                )
    sure = {venue: kinds.pop() for venue, kinds in found.items() if len(kinds) == 1}
    kinds: Mapping[str, list[str]] = {
        kind: sorted(v for v in sure if sure[v] == kind) for kind in (ARTICLE, PROCEEDINGS)
    }
    return {kind: venues for kind, venues in kinds.items() if venues}


def _kind_by_type(record: ImportedRecord, columns: Sequence[str]) -> str:
    cells = (record.cells.get(column) for column in columns)
    return next(
        (_TYPES.get("".join(ascii_words(cell)), "") for cell in cells if isinstance(cell, str)), ""
    )


def _kind_by_column(name: str) -> str:
    words = set(ascii_words(name))
    journal = "journal" in words
    meeting = not words.isdisjoint(("booktitle", "conference", "proceedings"))
    if journal == meeting:
        return ""
    return ARTICLE if journal else PROCEEDINGS
