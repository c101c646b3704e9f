"""Rows of the evidence tables, drawn and checked against their sources by somebody else.

The results are a table of the role ``evidence_audit``: one row per drawn row, with the seed of the
draw and the number of rows drawn from, so that the bound can be computed from the table alone.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from corpus.analysis.audit.sheet import RISK, most_wrong
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.printing.grid import Grid
from corpus.tables.writing.writer import csv_text

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

    @property
    def most_wrong_of_reached(self) -> int:
        """The same, if the rows that could not be checked are wrong as often as the others."""
        read = self.verdicts[RIGHT] + self.verdicts[WRONG]
        return most_wrong(self.population, read, self.verdicts[WRONG])


def _row_digests(study: Study) -> dict[tuple[str, str], str]:
    """Return the digest of each evidence row by its table and key."""
    found: dict[tuple[str, str], str] = {}
    for table in study.by_role("evidence"):
        for row in table.rows:
            name = "/".join(table.key_of(row))
            found[table.spec.name, name] = sha256("\x1f".join(row).encode()).hexdigest()[:12]
    return found


def evidence_sheet(study: Study, size: int, seed: str, reader: str = "") -> str:
    """Draw evidence rows, and write the rows to fill in for the table of the audit.

    Rows are ordered by a digest of seed, table and key, and the first are taken.

    Raises
    ------
    UsageProblem
        For a size that is not from 1 to the number of rows, or a corpus without the table.
    """
    spec = study.table_of(ROLE).spec
    digests = _row_digests(study)
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
    today = _row_digests(study)
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
        bounds = (audit.most_wrong, audit.most_wrong_of_reached)
        numbers = (audit.population, audit.drawn, *counts, audit.changed, *bounds)
        rows.append((audit.seed, *map(str, numbers)))
    shown = ("right", "wrong", "not reachable", "changed since")
    header = ("draw", "rows", "drawn", *shown, "wrong at most", "if reached")
    note = (
        f"Wrong at most, of all rows, with {float(1 - RISK):.0%} confidence: what could not be "
        "reached counts as wrong; if reached: it is wrong as often as the rest. Rows that the "
        "audit found wrong were corrected since, and count as wrong."
    )
    columns = range(1, len(header))
    return [Grid("Evidence rows checked by a second reader", header, tuple(rows), columns, note)]
