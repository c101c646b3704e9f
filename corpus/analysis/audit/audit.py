"""What a drawn sample of second readings shows: wrong tags at most, and the claims they reach.

Rows of the evidence tables are drawn and checked against their sources as well. The results are a
table of the role ``evidence_audit``: one row per drawn row, with the seed of the draw and the
number of rows drawn from, so that the bound can be computed from the table alone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple

from corpus.analysis.audit.sheet import RISK, AuditPlan, most_wrong, tags_digest
from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.evaluate import evaluate
from corpus.analysis.claims.robustness import margin
from corpus.model.codebook import Texts
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.printing.grid import Grid, plural
from corpus.printing.json_document import as_plain, json_text
from corpus.tables.writing.writer import csv_text


class AuditDifference(NamedTuple):
    """A tag of the second reader that is another one."""

    key: str
    field: str
    pool: str
    tag: str


class FieldBound(NamedTuple):
    """One audited column.

    Attributes
    ----------
    field : str
        The column.
    read : int
        Drawn entries that were tagged again.
    wrong : tuple of str
        Keys of those with another tag.
    population : int
        Entries drawn from.
    bound : int or None
        So many of their tags are wrong at most, with 95 % confidence; None where no bound follows.
    """

    field: str
    read: int
    wrong: Texts
    population: int
    bound: int | None


class ClaimProtection(NamedTuple):
    """One claim about audited columns.

    Attributes
    ----------
    id : str
        Its name.
    columns : tuple of str
        The audited columns that it looks at.
    edits : int or None
        The fewest changed rows that break it; None where none can.
    bound : int or None
        The wrong tags in these columns at most; None where no bound follows.
    """

    id: str
    columns: Texts
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


@dataclass(frozen=True)
class Audit:
    """The result of one audit.

    `note` tells why no bound follows, or is empty; bounds hold with this `confidence` (0-1).
    """

    name: str
    read: int
    added: int
    note: str
    confidence: float
    fields: tuple[FieldBound, ...]
    differences: tuple[AuditDifference, ...]
    claims: tuple[ClaimProtection, ...]


#: The tags of an entry as the second reader has them: its key, and column -> cell.
Reading = tuple[str, Mapping[str, str]]


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
    readings = []
    for record in sheet.records():
        key = record["key"]
        readings.append((key, {field: record[field] for field in plan.columns}))
    found = _audit(
        sheet.file, readings, plan.columns, plan.drawn, len(plan.population), note, study, claims
    )
    return replace(found, added=len(plan.added))


def chosen_audits(study: Study, claims: Sequence[Claim]) -> list[Audit]:
    """Judge the tables of the role ``audit``, whose rows nobody drew.

    Returns
    -------
    list of Audit
        One per table that refers to the pool. Their fields have no bound.
    """
    note = (
        "These entries were chosen and not drawn, so no bound on wrong tags follows: "
        "`corpus audit plan` draws a sample"
    )
    audits = []
    for table in study.by_role("audit"):
        if table.spec.reference_to(study.pool.spec) is None:
            continue
        # A list, since several readers may have read one entry.
        readings = [found for found in study.second_tags(table) if found[0] in study.entries]
        keys = [key for key, _ in readings]
        columns = [column.name for column in study.codebook.shared_with_pool(table.spec)]
        name, size = table.spec.name, len(study.entries)
        audits.append(_audit(name, readings, columns, keys, size, note, study, claims))
    return audits


def _audit(
    name: str,
    readings: Sequence[Reading],
    columns: Iterable[str],
    keys: Sequence[str],
    population: int,
    note: str,
    study: Study,
    claims: Sequence[Claim],
) -> Audit:
    """Compare readings with the tags of the pool.

    Entries with these `keys` count, among so many of a `population`. With a `note` no bound
    follows.
    """
    counted = set(keys)
    differences = []
    for key, given in readings:
        for field, pool, tag in study.entries[key].other_tags(given):
            differences.append(AuditDifference(key, field, pool, tag))
    fields = []
    # Each column has a bound of its own: the same rows were drawn for all, but errors of one column
    # tell nothing of another one.
    for field in columns:
        read = counted.intersection(key for key, tags in readings if tags[field])
        wrong: dict[str, None] = {}
        for one in differences:
            if one.field == field and one.key in counted:
                wrong[one.key] = None
        bound = None
        if not note and read == counted:
            bound = most_wrong(population, len(read), len(wrong))
        fields.append(FieldBound(field, len(read), tuple(wrong), population, bound))
    unread = [field.field for field in fields if field.read < len(counted)]
    if unread and not note:
        note = f"No bound yet on {', '.join(unread)}: drawn entries have no tag there"
    return Audit(
        name=name,
        read=len(counted.intersection(key for key, tags in readings if any(tags.values()))),
        added=0,
        note=note,
        confidence=float(1 - RISK),
        fields=tuple(fields),
        differences=tuple(differences),
        claims=_protections(fields, study, claims),
    )


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
        found.append(ClaimProtection(claim.id, tuple(columns), edits, together))
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
    fields = []
    for field in audit.fields:
        bound = _UNKNOWN
        if field.bound is not None:
            bound = f"{field.bound} of {field.population}"
        fields.append((field.field, str(field.read), str(len(field.wrong)), bound))
    header = ("column", "read", "wrong", "wrong in all, at most")
    note = "A tag that differs counts as wrong; where the first reader was right, give the sheet "
    note += f"that tag. Bounds hold with {audit.confidence:.0%}."
    grids = [Grid("Columns", header, tuple(fields), {1, 2}, note)]
    if audit.differences:
        heads = ("entry", "column", "pool", "reader")
        grids.append(Grid("Differences", heads, audit.differences))
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
        rows.append((item.id, edits, bound, verdicts[item.protected], ", ".join(item.columns)))
    header = ("claim", "errors that break it", "wrong tags, at most", "protected", "columns")
    note = "Protected: even as many wrong tags as there may be are too few to break the claim."
    if fragile:
        # A claim about an exact number is one of these, whatever the audit shows.
        note += f" Not listed: {plural(fragile, 'claim')} that one wrong tag can break."
    return Grid("Claims", header, tuple(rows), {1, 2}, note)


ROLE = "evidence_audit"
#: Verdicts about a drawn row. One without a verdict waits to be checked.
RIGHT, WRONG, NOT_REACHABLE = "right", "wrong", "not_reachable"


class EvidenceAudit(NamedTuple):
    """One draw.

    Attributes
    ----------
    seed : str
        What the draw depends on, beside the names of the rows.
    population : int
        Rows of all evidence tables when it was drawn.
    verdicts : mapping of str to int
        Drawn rows by verdict.
    changed : int
        Drawn rows that have other cells today, or are gone.
    """

    seed: str
    population: int
    verdicts: Mapping[str, int]
    changed: int

    @property
    def drawn(self) -> int:
        """How many rows were drawn."""
        return sum(self.verdicts.values())

    @property
    def most_wrong(self) -> int:
        """Wrong rows at most, with 95 % confidence; what could not be checked counts as wrong."""
        return most_wrong(self.population, self.drawn, self.drawn - self.verdicts[RIGHT])


def _row_digests(tables: Iterable[Table]) -> dict[tuple[str, str], str]:
    """Return the digest of each row by its table and key."""
    found: dict[tuple[str, str], str] = {}
    for table in tables:
        for row in table.rows:
            name = "/".join(table.key_of(row))
            found[table.spec.name, name] = row_digest(row)
    return found


def row_digest(row: Row) -> str:
    """Return the digest by which an audit tells whether a row has changed since it was drawn."""
    return sha256("\x1f".join(row).encode()).hexdigest()[:12]


def evidence_sheet(study: Study, size: int, seed: str, reader: str = "") -> str:
    """Draw evidence rows, and write the rows to fill in for the table of the audit.

    Rows are ordered by a digest of seed, table and key, and the first are taken.

    Raises
    ------
    UsageProblem
        For a size that is not from 1 to the number of rows, or a corpus without the table.
    """
    spec = study.table_of(ROLE).spec
    digests = _row_digests(study.by_role("evidence"))
    if not 1 <= size <= len(digests):
        raise UsageProblem(f"the sample must have 1 to {len(digests)} rows, not {size}")
    ranked = sorted(digests, key=lambda place: sha256("\n".join((seed, *place)).encode()).digest())
    sheet: list[Row] = [spec.header]
    for place in sorted(ranked[:size]):
        given = {
            "table": place[0], "row": place[1], "digest": digests[place], "seed": seed,
            "population": str(len(digests)), "reader": reader,
        }  # fmt: skip
        sheet.append(tuple(given.get(column.role, "") for column in spec.columns))
    return csv_text(sheet)


def evidence_audits(study: Study) -> list[EvidenceAudit]:
    """Return every draw with what was found, in the order of the table.

    Raises
    ------
    UsageProblem
        For a population that is not a number, or smaller than what was drawn from it.
    """
    # Rows of other tables can be drawn by hand.
    today = _row_digests(study.tables.values())
    found: dict[tuple[str, int], Counter[str]] = {}
    changed: Counter[tuple[str, int]] = Counter()
    for table in study.by_role(ROLE):
        for by_role in table.by_role_cells():
            cells = defaultdict(str, by_role)
            rows = cells["population"]
            # The limit keeps a cell of a thousand digits from becoming a number.
            draw = (cells["seed"], int(rows) if rows.isdecimal() and len(rows) <= 9 else 0)
            found.setdefault(draw, Counter())[cells["verdict"]] += 1
            changed[draw] += today.get((cells["table"], cells["row"])) != cells["digest"]
    audits = [EvidenceAudit(*draw, counts, changed[draw]) for draw, counts in found.items()]
    for audit in audits:
        if audit.population < audit.drawn:
            raise UsageProblem(
                f"{audit.drawn} rows of the draw {audit.seed!r} cannot be of {audit.population}; "
                "run `corpus check`"
            )
    return audits


def evidence_audit_grids(audits: list[EvidenceAudit]) -> list[Grid]:
    """Return all draws as one table; nothing where there is none."""
    if not audits:
        return []
    rows = []
    for audit in audits:
        counts = [audit.verdicts[verdict] for verdict in (RIGHT, WRONG, NOT_REACHABLE)]
        numbers = (audit.population, audit.drawn, *counts, audit.changed, audit.most_wrong)
        rows.append((audit.seed, *map(str, numbers)))
    shown = ("right", "wrong", "not reachable", "changed since")
    header = ("draw", "rows", "drawn", *shown, "wrong at most")
    note = (
        f"Wrong at most, of all rows, with {float(1 - RISK):.0%} confidence: what could not be "
        "reached counts as wrong, and so do rows that the audit found wrong, which were corrected."
    )
    columns = range(1, len(header))
    return [Grid("Evidence rows checked by a second reader", header, tuple(rows), columns, note)]


def audits_json(audits: Sequence[Audit], rows: Sequence[EvidenceAudit] = ()) -> str:
    """Write audits of tags and of evidence rows as JSON; null where no bound follows."""
    documents = as_plain(audits)
    for audit, document in zip(audits, documents, strict=True):
        for item, own in zip(audit.claims, document["claims"], strict=True):
            own["protected"] = item.protected
    checked = []
    for found in rows:
        checked.append({**found._asdict(), "bound": found.most_wrong})
    return json_text({"audits": documents, "evidence_rows": checked})
