"""An audit in print, as text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corpus.analysis.audit.audit import Audit, ClaimProtection
from corpus.analysis.audit.bound import RISK
from corpus.analysis.audit.evidence_rows import EvidenceAudit
from corpus.printing.grid import Grid, plural
from corpus.printing.json_document import as_dicts, json_text

_UNKNOWN = "not known"


def audit_summary(audit: Audit) -> str:
    """Return in a sentence or two what was read and what follows."""
    text = f"{audit.name}: entries read again: {audit.read}"
    if audit.added:
        text += f", and {audit.added} added for rare terms"
    text += f"; tags that differ: {len(audit.differences)}."
    if audit.note:
        text += f" {audit.note}."
    return text


def audit_grids(audit: Audit) -> list[Grid]:
    """Return the table of columns, of differences and of claims."""
    confidence = f"{float(1 - RISK):.0%}"
    fields: list[tuple[str, ...]] = []
    for field in audit.fields:
        bound = _UNKNOWN
        if field.bound is not None:
            bound = f"{field.bound} of {field.population}"
        fields.append((field.field, str(field.read), str(len(field.wrong)), bound))
    header = ("column", "read", "wrong", "wrong in all, at most")
    note = f"A tag that differs counts as wrong until it is settled. Bounds hold with {confidence}."
    grids = [Grid("Columns", header, tuple(fields), frozenset({1, 2}), note)]
    if audit.differences:
        rows: list[tuple[str, ...]] = []
        for item in audit.differences:
            settled = "yes" if item.settled else ""
            rows.append((item.key, item.field, item.pool, item.tag, settled))
        heads = ("entry", "column", "pool", "reader", "settled")
        grids.append(Grid("Differences", heads, tuple(rows)))
    if audit.claims:
        grids.append(_claim_grid(audit.claims))
    return grids


def _claim_grid(claims: Sequence[ClaimProtection]) -> Grid:
    rows: list[tuple[str, ...]] = []
    fragile = 0
    for item in claims:
        if item.edits == 1 and not item.protected:
            fragile += 1
            continue
        edits = "none can" if item.edits is None else str(item.edits)
        bound = _UNKNOWN if item.bound is None else str(item.bound)
        rows.append((item.claim.id, edits, bound, _verdict(item), ", ".join(item.columns)))
    header = ("claim", "errors that break it", "wrong tags, at most", "protected", "columns")
    note = "Protected: even as many wrong tags as there may be are too few to break the claim."
    if fragile:
        # A claim about an exact number is one of these, whatever the audit shows.
        note += f" Not listed: {plural(fragile, 'claim')} that one wrong tag can break."
    return Grid("Claims", header, tuple(rows), frozenset({1, 2}), note)


def _verdict(item: ClaimProtection) -> str:
    if item.protected is None:
        return _UNKNOWN
    return "yes" if item.protected else "no"


def audits_json(audits: Sequence[Audit], rows: Sequence[EvidenceAudit] = ()) -> str:
    """Write audits of tags and of evidence rows as JSON; null where no bound follows."""
    documents = []
    for audit in audits:
        documents.append(
            {
                "name": audit.name,
                "read": audit.read,
                "added": audit.added,
                "note": audit.note,
                "confidence": float(1 - RISK),
                "fields": as_dicts(audit.fields),
                "differences": as_dicts(audit.differences),
                "claims": [_claim_document(item) for item in audit.claims],
            }
        )
    checked = []
    for found in rows:
        bounds = {"bound": found.most_wrong, "bound_if_reached": found.most_wrong_of_reached}
        checked.append({**found._asdict(), **bounds})
    return json_text({"audits": documents, "evidence_rows": checked})


def _claim_document(item: ClaimProtection) -> dict[str, Any]:
    return {
        "id": item.claim.id,
        "columns": list(item.columns),
        "edits": item.edits,
        "bound": item.bound,
        "protected": item.protected,
    }
