"""What a drawn sample of second readings shows: wrong tags at most, and the claims they reach."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.audit.evidence_rows import EvidenceAudit
from corpus.analysis.audit.sheet import (
    RISK,
    SETTLED,
    AuditPlan,
    most_wrong,
    settled_fields,
    tags_digest,
)
from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.evaluate import evaluate
from corpus.analysis.claims.robustness import margin
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.grid import Grid, plural
from corpus.printing.json_document import as_plain, json_text


class AuditDifference(NamedTuple):
    """A tag of the second reader that is another one; `settled` where the first was right."""

    key: str
    field: str
    pool: str
    tag: str
    settled: bool


class FieldBound(NamedTuple):
    """One audited column.

    Attributes
    ----------
    field : str
        The column.
    read : int
        Drawn entries that were tagged again.
    wrong : tuple of str
        Keys of those with another tag that is not settled.
    population : int
        Entries drawn from.
    bound : int or None
        So many of their tags are wrong at most, with 95 % confidence; None where no bound follows.
    """

    field: str
    read: int
    wrong: tuple[str, ...]
    population: int
    bound: int | None


class ClaimProtection(NamedTuple):
    """One claim about audited columns.

    Attributes
    ----------
    claim : Claim
        The claim.
    columns : tuple of str
        The audited columns that it looks at.
    edits : int or None
        The fewest changed rows that break it; None where none can.
    bound : int or None
        The wrong tags in these columns at most; None where no bound follows.
    """

    claim: Claim
    columns: tuple[str, ...]
    edits: int | None
    bound: int | None

    @property
    def protected(self) -> bool | None:
        """Whether the wrong tags that may be there are too few to break it; None: not known."""
        if self.edits is None:
            return True
        if self.bound is None:
            return None
        return self.edits > self.bound


class Audit(NamedTuple):
    """The result of one audit; `note` tells why no bound follows, or is empty."""

    name: str
    read: int
    added: int
    fields: tuple[FieldBound, ...]
    differences: tuple[AuditDifference, ...]
    claims: tuple[ClaimProtection, ...]
    note: str


def drawn_audit(sheet: Table, plan: AuditPlan, study: Study, claims: Sequence[Claim]) -> Audit:
    """Judge a filled sheet whose rows were drawn.

    A drawn entry without a tag in a column may hide a wrong one, so that no bound on the column
    follows until it is read. Added entries count for nothing but their differences.

    Parameters
    ----------
    sheet : Table
        The sheet.
    plan : AuditPlan
        What was drawn.
    study : Study
        The corpus as it was drawn from.
    claims : sequence of Claim
        The claims to look at.
    """
    note = ""
    if tags_digest(study, plan.population, plan.columns) != plan.tags_sha256:
        note = (
            "The tags changed since the draw, so no bound follows: "
            "run the report on the corpus as it was, with --data"
        )
    tags: dict[str, dict[str, str]] = {}
    settled: dict[str, tuple[str, ...]] = {}
    for record in sheet.records():
        key = record["key"]
        tags[key] = {field: record[field] for field in plan.columns}
        settled[key] = settled_fields(record[SETTLED])
    differences = _differences(tags.items(), settled, study)
    size = len(plan.population)
    fields = []
    # Each column has a bound of its own: the same rows were drawn for all, but errors of one column
    # tell nothing of another one.
    for field in plan.columns:
        read = len([key for key in plan.drawn if tags[key][field]])
        wrong = _wrong(differences, field, set(plan.drawn))
        bound = None
        if not note and read == len(plan.drawn):
            bound = most_wrong(size, read, len(wrong))
        fields.append(FieldBound(field, read, wrong, size, bound))
    unread = [field.field for field in fields if field.read < len(plan.drawn)]
    if unread and not note:
        note = f"No bound yet on {', '.join(unread)}: drawn entries have no tag there"
    return Audit(
        name=sheet.file,
        read=len([key for key in plan.drawn if any(tags[key].values())]),
        added=len(plan.added),
        fields=tuple(fields),
        differences=differences,
        claims=_protections(fields, study, claims),
        note=note,
    )


def chosen_audits(study: Study, claims: Sequence[Claim]) -> list[Audit]:
    """Judge the tables of the role ``audit``, whose rows nobody drew.

    Returns
    -------
    list of Audit
        One per table that refers to the pool. Their fields have no bound.
    """
    audits = []
    for table in study.by_role("audit"):
        if table.spec.reference_to(study.pool.spec) is None:
            continue
        # A list, since several readers may have read one entry.
        readings = [found for found in study.second_tags(table) if found[0] in study.entries]
        keys = {key for key, _ in readings}
        differences = _differences(readings, {}, study)
        fields = []
        for column in study.codebook.shared_with_pool(table.spec):
            field = column.name
            read = {key for key, tags in readings if tags[field]}
            wrong = _wrong(differences, field, keys)
            fields.append(FieldBound(field, len(read), wrong, len(study.entries), None))
        note = (
            "These entries were chosen and not drawn, so no bound on wrong tags follows: "
            "`corpus audit plan` draws a sample"
        )
        protections = _protections(fields, study, claims)
        audits.append(
            Audit(table.spec.name, len(keys), 0, tuple(fields), differences, protections, note)
        )
    return audits


def _differences(
    readings: Iterable[tuple[str, Mapping[str, str]]],
    settled: Mapping[str, Sequence[str]],
    study: Study,
) -> tuple[AuditDifference, ...]:
    """Return the tags of entries, by field, that are others than those of the pool."""
    found = []
    for key, given in readings:
        for field, pool, tag in study.entries[key].other_tags(given):
            is_settled = field in settled.get(key, ())
            found.append(AuditDifference(key, field, pool, tag, is_settled))
    return tuple(found)


def _wrong(differences: Iterable[AuditDifference], field: str, keys: set[str]) -> tuple[str, ...]:
    """Return the keys with a tag in a field that differs and is not settled, each once."""
    found: dict[str, None] = {}
    for difference in differences:
        if difference.field == field and difference.key in keys and not difference.settled:
            found[difference.key] = None
    return tuple(found)


def _protections(
    fields: Sequence[FieldBound], study: Study, claims: Sequence[Claim]
) -> tuple[ClaimProtection, ...]:
    """Return the claims that look at audited columns of the pool."""
    bounds = {field.field: field.bound for field in fields}
    found = []
    for claim in claims:
        # The columns of the pool that the claim looks at.
        names: list[str] = []
        for part in claim.selections:
            names += part.agrees
            if part.table == study.codebook.pool.name:
                names += [*part.columns, *claim.expectation.by]
        columns = [name for name in dict.fromkeys(names) if name in bounds]
        if not columns:
            continue
        known = [bound for name in columns if (bound := bounds[name]) is not None]
        together = None
        if len(known) == len(columns):
            # Each wrong tag may be in a row of its own.
            together = sum(known)
        edits = margin(evaluate(claim, study), study)
        found.append(ClaimProtection(claim, tuple(columns), edits, together))
    return tuple(found)


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
    fields = []
    for field in audit.fields:
        bound = _UNKNOWN
        if field.bound is not None:
            bound = f"{field.bound} of {field.population}"
        fields.append((field.field, str(field.read), str(len(field.wrong)), bound))
    header = ("column", "read", "wrong", "wrong in all, at most")
    note = f"A tag that differs counts as wrong until it is settled. Bounds hold with {confidence}."
    grids = [Grid("Columns", header, tuple(fields), frozenset({1, 2}), note)]
    if audit.differences:
        settled = {True: "yes", False: ""}
        rows = tuple((*item[:4], settled[item.settled]) for item in audit.differences)
        heads = ("entry", "column", "pool", "reader", "settled")
        grids.append(Grid("Differences", heads, rows))
    if audit.claims:
        grids.append(_claim_grid(audit.claims))
    return grids


def _claim_grid(claims: Sequence[ClaimProtection]) -> Grid:
    verdicts = {True: "yes", False: "no", None: _UNKNOWN}
    rows = []
    fragile = 0
    for item in claims:
        if item.edits == 1 and not item.protected:
            fragile += 1
            continue
        edits, bound = "none can", _UNKNOWN
        if item.edits is not None:
            edits = str(item.edits)
        if item.bound is not None:
            bound = str(item.bound)
        columns = ", ".join(item.columns)
        rows.append((item.claim.id, edits, bound, verdicts[item.protected], columns))
    header = ("claim", "errors that break it", "wrong tags, at most", "protected", "columns")
    note = "Protected: even as many wrong tags as there may be are too few to break the claim."
    if fragile:
        # A claim about an exact number is one of these, whatever the audit shows.
        note += f" Not listed: {plural(fragile, 'claim')} that one wrong tag can break."
    return Grid("Claims", header, tuple(rows), frozenset({1, 2}), note)


def audits_json(audits: Sequence[Audit], rows: Sequence[EvidenceAudit] = ()) -> str:
    """Write audits of tags and of evidence rows as JSON; null where no bound follows."""
    documents = []
    for audit in audits:
        claims = []
        for item in audit.claims:
            claim = {"id": item.claim.id, "columns": item.columns, "edits": item.edits}
            claims.append({**claim, "bound": item.bound, "protected": item.protected})
        document = {
            "name": audit.name,
            "read": audit.read,
            "added": audit.added,
            "note": audit.note,
            "confidence": float(1 - RISK),
            "fields": as_plain(audit.fields),
            "differences": as_plain(audit.differences),
            "claims": claims,
        }
        documents.append(document)
    checked = []
    for found in rows:
        bounds = {"bound": found.most_wrong, "bound_if_reached": found.most_wrong_of_reached}
        checked.append({**found._asdict(), **bounds})
    return json_text({"audits": documents, "evidence_rows": checked})
