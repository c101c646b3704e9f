"""The differences that a maintainer accepts: one row per claim and key, in a table of the corpus.

Two changes that each accept a key add a row each, so both merge, and after the merge the claim
differs by both keys and both are accepted.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from corpus.analysis.claims.claim import ClaimDifference
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Row, Table

#: Role of the table; its columns have the roles claim, sign, key and reason.
ROLE = "accepted_claims"
_ROLES = ("claim", "sign", "key", "reason")


def accepted_rows(study: Study) -> list[LocatedRow]:
    """Return the row of every accepted difference; none where the corpus declares no such table."""
    return list(chain.from_iterable(map(Table.placed, _tables(study))))


def accepted_difference(row: LocatedRow) -> ClaimDifference:
    """Return what a row accepts."""
    return ClaimDifference(row.by_role["sign"], row.by_role["key"])


def acceptance_table(study: Study) -> Table:
    """Return the table of accepted differences.

    Raises
    ------
    UsageProblem
        Where the corpus declares none, or one without the columns.
    """
    for table in _tables(study):
        return table
    raise UsageProblem(
        f"the codebook declares no table of the role {ROLE} with columns of the roles "
        f"{', '.join(_ROLES)}; `corpus docs claims-format` shows one"
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
    rows = []
    known = set()
    for accepted in table.placed():
        claim, difference = accepted.by_role["claim"], accepted_difference(accepted)
        # Claims that are not acknowledged now keep their rows, outdated or not.
        if claim in differences and difference not in differences[claim]:
            continue
        known.add((claim, difference))
        rows.append(accepted.row)
    for claim, found in differences.items():
        for difference in found:
            if (claim, difference) not in known:
                cells = {"claim": claim, "reason": reason, **difference._asdict()}
                rows.append(table.spec.row(cells))
    return rows


def _tables(study: Study) -> list[Table]:
    """Return the tables of the role that have all of the columns."""
    return [table for table in study.by_role(ROLE) if all(map(table.spec.by_role, _ROLES))]
