"""What a drawn sample of second readings shows: wrong tags at most, and the claims they reach.

Rows of the evidence tables are drawn and checked against their sources as well. The results are a
table of the role ``evidence_audit``: one row per drawn row, with the seed of the draw and the
number of rows drawn from, so that the bound can be computed from the table alone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    bound : int or None
        So many tags of all entries are wrong at most, with 95 % confidence; None where no bound
        follows.
    """

    field: str
    read: int
    wrong: Texts
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
    protected : bool or None
        Whether the wrong tags that may be there are too few to break it; None: not known.
    """

    id: str
    columns: Texts
    edits: int | None
    bound: int | None
    protected: bool | None


@dataclass(frozen=True)
class Audit:
    """The result of one audit.

    `differences` are entry, column, tag of the pool and tag of the reader; `note` tells why no
    bound follows, or is empty.
    """

    name: str
    read: int
    population: int
    note: str
    fields: tuple[FieldBound, ...]
    differences: tuple[tuple[str, str, str, str], ...]
    claims: tuple[ClaimProtection, ...]


def drawn_audit(sheet: Table, plan: AuditPlan, study: Study, claims: Sequence[Claim]) -> Audit:
    """Judge a filled sheet.

    A drawn entry without a tag in a column may hide a wrong one, so that no bound on the column
    follows until it is read. Each column has a bound of its own: errors of one tell nothing of
    another one.

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
    readings = {
        record["key"]: {field: record[field] for field in plan.columns}
        for record in sheet.records()
    }
    differences = []
    for key, given in readings.items():
        differences += [(key, *other) for other in study.entries[key].other_tags(given)]
    fields = []
    unread = []
    for field in plan.columns:
        read = sum(bool(tags[field]) for tags in readings.values())
        wrong = tuple(key for key, of, _, _ in differences if of == field)
        bound = None
        if read < len(readings):
            unread.append(field)
        elif not note:
            bound = most_wrong(len(plan.population), read, len(wrong))
        fields.append(FieldBound(field, read, wrong, bound))
    if unread and not note:
        note = f"No bound yet on {', '.join(unread)}: drawn entries have no tag there"
    return Audit(
        name=sheet.file,
        read=sum(any(tags.values()) for tags in readings.values()),
        population=len(plan.population),
        note=note,
        fields=tuple(fields),
        differences=tuple(differences),
        claims=tuple(_protections(fields, study, claims)),
    )


def _protections(
    fields: Sequence[FieldBound], study: Study, claims: Sequence[Claim]
) -> Iterator[ClaimProtection]:
    """Yield the claims that look at audited columns of the pool."""
    bounds = {field.field: field.bound for field in fields}
    for claim in claims:
        # The columns of the pool that the claim looks at.
        names: list[str] = []
        for part in claim.selections:
            names += part.agrees
            if part.table == study.codebook.pool.name:
                names += [*part.columns, *claim.expectation.by]
        columns = tuple(name for name in dict.fromkeys(names) if name in bounds)
        if not columns:
            continue
        known = [bound for name in columns if (bound := bounds[name]) is not None]
        # Each wrong tag may be in a row of its own.
        together = sum(known) if len(known) == len(columns) else None
        edits = margin(evaluate(claim, study), study)
        protected = None
        if edits is None:
            protected = True
        elif together is not None:
            protected = edits > together
        yield ClaimProtection(claim.id, columns, edits, together, protected)


_UNKNOWN = "not known"


def audit_grids(audit: Audit) -> list[Grid]:
    """Return the table of columns, of differences and of claims."""
    fields = []
    for field in audit.fields:
        bound = _UNKNOWN if field.bound is None else f"{field.bound} of {audit.population}"
        fields.append((field.field, str(field.read), str(len(field.wrong)), bound))
    header = ("column", "read", "wrong", "wrong in all, at most")
    note = "A tag that differs counts as wrong; where the first reader was right, give the sheet "
    note += f"that tag. Bounds hold with {float(1 - RISK):.0%}."
    grids = [Grid("Columns", header, tuple(fields), {1, 2}, note)]
    if audit.differences:
        columns = ("entry", "column", "pool", "reader")
        grids.append(Grid("Differences", columns, audit.differences))
    verdicts = {True: "yes", False: "no", None: _UNKNOWN}
    # A claim about an exact number breaks with one wrong tag, whatever the audit shows.
    listed = [item for item in audit.claims if item.edits != 1 or item.protected]
    protections = []
    for item in listed:
        edits = "none can" if item.edits is None else str(item.edits)
        bound = _UNKNOWN if item.bound is None else str(item.bound)
        protections.append(
            (item.id, edits, bound, verdicts[item.protected], ", ".join(item.columns))
        )
    if audit.claims:
        note = "Protected: even as many wrong tags as there may be are too few to break the claim."
        fragile = len(audit.claims) - len(listed)
        if fragile:
            note += f" Not listed: {plural(fragile, 'claim')} that one wrong tag can break."
        heads = ("claim", "errors that break it", "wrong tags, at most", "protected", "columns")
        grids.append(Grid("Claims", heads, tuple(protections), {1, 2}, note))
    return grids


def audit_summary(audit: Audit) -> str:
    """Return in a sentence or two what was read and what follows."""
    text = f"{audit.name}: entries read again: {audit.read}"
    text += f"; tags that differ: {len(audit.differences)}."
    return f"{text} {audit.note}." if audit.note else text


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


def audit_json(audit: Audit | None, rows: Sequence[EvidenceAudit] = ()) -> str:
    """Write an audit of tags, or those of evidence rows, as JSON; null where no bound follows."""
    checked = [{**found._asdict(), "bound": found.most_wrong} for found in rows]
    return json_text({"audits": as_plain([audit] if audit else []), "evidence_rows": checked})
