"""Rows of the evidence tables, drawn and checked against their sources: wrong ones at most.

The results are a table of the role ``evidence_audit``: one row per drawn row, with the seed of the
draw and the number of rows drawn from, so that the bound can be computed from the table alone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from hashlib import sha256
from math import comb
from typing import NamedTuple

from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.table import Row, Table
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


#: Share of samples (0-1) that may be misled by their draw: bounds hold with 95 % confidence.
RISK = Fraction(1, 20)


def most_wrong(population: int, sample: int, wrong: int) -> int:
    """Return the exact upper bound on the wrong items of a finite population.

    It is the largest number of wrong items with which a simple random sample, drawn without
    replacement, shows as few wrong ones as were found with a probability above :data:`RISK`: the
    one-sided confidence limit of the hypergeometric distribution (Buonaccorsi 1987, The American
    Statistician 41(3)). The arithmetic is exact.

    Parameters
    ----------
    population : int
        Number of items.
    sample : int
        How many of them were drawn and read.
    wrong : int
        How many of these were wrong.

    Raises
    ------
    ValueError
        Where the sample is larger than the population, or has more wrong items than items.

    Examples
    --------
    >>> most_wrong(84, 30, 0)
    6
    >>> most_wrong(84, 84, 3)
    3
    """
    if not 0 <= wrong <= sample <= population:
        raise ValueError(f"{wrong} of {sample} of {population} is not a sample")
    # The probability falls with the number of wrong items, so the largest is found by bisection.
    low = wrong
    high = population - (sample - wrong)
    all_samples = comb(population, sample)
    while low < high:
        middle = (low + high + 1) // 2
        # Samples with at most so many wrong items, if there are `middle` in all.
        misled = 0
        for number in range(wrong + 1):
            misled += comb(middle, number) * comb(population - middle, sample - number)
        if misled > RISK * all_samples:
            low = middle
        else:
            high = middle - 1
    return low
