"""The differences that a maintainer accepts: one row per claim and key, in a table of the corpus.

Two changes that each accept a key add a row each, so both merge, and after the merge the claim
differs by both keys and both are accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.claims.claim import Claim, ClaimDifference
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.table import Row, Table, picked

#: Role of the table; its columns have the roles claim, sign, key and reason.
ROLE = "accepted_claims"
_ROLES = ("claim", "sign", "key", "reason")


class AcceptedRow(NamedTuple):
    """One row of the table of accepted differences, with the line that it is on."""

    claim: str
    difference: ClaimDifference
    reason: str
    file: str = ""
    line: int = 0


def accepted_rows(study: Study) -> list[AcceptedRow]:
    """Return every accepted difference; none where the corpus declares no such table."""
    found: list[AcceptedRow] = []
    for table in study.by_role(ROLE):
        positions = _positions(table)
        if positions is None:
            continue
        for row, line in table.located_rows():
            claim, sign, key, reason = picked(row, positions)
            difference = ClaimDifference(sign, key)
            found.append(AcceptedRow(claim, difference, reason, table.spec.file, line))
    return found


def with_acceptances(claims: Iterable[Claim], rows: Sequence[AcceptedRow]) -> tuple[Claim, ...]:
    """Return the claims with what is accepted of each."""
    by_claim: dict[str, list[AcceptedRow]] = {}
    for row in rows:
        by_claim.setdefault(row.claim, []).append(row)
    found: list[Claim] = []
    for claim in claims:
        own = by_claim.get(claim.id)
        if own:
            accepted = tuple(row.difference for row in own)
            reasons = dict.fromkeys(row.reason for row in own)
            claim = claim._replace(accepted=accepted, reason="; ".join(reasons))
        found.append(claim)
    return tuple(found)


def acceptance_table(study: Study) -> Table:
    """Return the table of accepted differences.

    Raises
    ------
    UsageProblem
        Where the corpus declares none, or one without the columns.
    """
    for table in study.by_role(ROLE):
        if _positions(table) is not None:
            return table
    raise UsageProblem(
        f"the codebook declares no table of the role {ROLE} with columns of the roles "
        f"{', '.join(_ROLES)}; docs/claims-format.md shows one"
    )


def updated_rows(
    table: Table, differences: Mapping[str, Sequence[ClaimDifference]], reason: str
) -> list[Row]:
    """Return the rows after claims were acknowledged.

    Parameters
    ----------
    table : Table
        The table of accepted differences.
    differences : mapping of str to sequence of ClaimDifference
        Claim -> how it differs now. Rows of these claims about anything else are removed; a row
        that is there already keeps its reason.
    reason : str
        Why the new ones are accepted.

    Raises
    ------
    UsageProblem
        Where the reason is empty or has control characters.
    """
    if not reason.strip() or not reason.isprintable():
        raise UsageProblem("a reason is one line of plain text")
    positions = _positions(table)
    assert positions is not None, "acceptance_table refuses a table without the columns"
    rows: list[Row] = []
    known: set[tuple[str, ClaimDifference]] = set()
    for row in table.rows:
        claim, sign, key, _ = picked(row, positions)
        difference = ClaimDifference(sign, key)
        # Claims that are not acknowledged now keep their rows, outdated or not.
        if claim in differences and difference not in differences[claim]:
            continue
        known.add((claim, difference))
        rows.append(row)
    for claim, found in differences.items():
        for difference in found:
            if (claim, difference) not in known:
                rows.append(_row(table, positions, (claim, *difference, reason)))
    return rows


def _row(table: Table, positions: Sequence[int], cells: Sequence[str]) -> Row:
    row = [""] * len(table.spec.columns)
    for position, cell in zip(positions, cells, strict=True):
        row[position] = cell
    return tuple(row)


def _positions(table: Table) -> tuple[int, ...] | None:
    """Return where claim, sign, key and reason are; None where a column is missing."""
    positions: list[int] = []
    for role in _ROLES:
        column = table.spec.by_role(role)
        if column is None:
            return None
        positions.append(table.spec.position(column.name))
    return tuple(positions)
