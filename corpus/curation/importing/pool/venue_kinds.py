"""What kind of publication the venues of a source are, where only the source knows."""

from __future__ import annotations

from collections.abc import Sequence

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
    columns = [plan.source for plan in plans if plan.role == "venue"]
    found: dict[str, set[str]] = {}
    for record in records:
        for column in columns:
            venue = record.cells.get(column)
            if isinstance(venue, str) and venue and not kind_by_name(venue):
                kind = _kind_by_type(record, types) or _kind_by_column(column)
                found.setdefault(venue, set()).add(kind)
    kinds: dict[str, list[str]] = {ARTICLE: [], PROCEEDINGS: []}
    for venue in sorted(found):
        if len(found[venue]) == 1:
            (kind,) = found[venue]
            kinds.setdefault(kind, []).append(venue)
    return {kind: kinds[kind] for kind in (ARTICLE, PROCEEDINGS) if kinds[kind]}


def _kind_by_type(record: ImportedRecord, columns: Sequence[str]) -> str:
    for column in columns:
        cell = record.cells.get(column)
        if isinstance(cell, str):
            return _TYPES.get("".join(ascii_words(cell)), "")
    return ""


def _kind_by_column(name: str) -> str:
    words = set(ascii_words(name))
    is_journal = "journal" in words
    is_meeting = not words.isdisjoint(("booktitle", "conference", "proceedings"))
    if is_journal and not is_meeting:
        return ARTICLE
    if is_meeting and not is_journal:
        return PROCEEDINGS
    return ""
