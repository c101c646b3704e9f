"""The claims as the page shows them, each with the entries behind it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlencode

from corpus.analysis.claims.evaluate import ClaimOutcome
from corpus.analysis.claims.report import ClaimReport
from corpus.model.codebook import Codebook
from corpus.publishing.page.data import facet_id
from corpus.publishing.page.sections import entry_address

#: How many rows behind a claim are named; the rest is a number.
NAMED = 12


class ClaimLine(NamedTuple):
    """One claim: what it says, whether it holds, what was observed, and the rows behind it.

    `margin` is the smallest number of row edits that break it (``none`` where no edit does); `behind` are
    (address, key), the address empty for rows of other tables; `more` is how many rows are not named; `listing` is the
    address of the list of entries, empty where no filter of the page gives it.
    """

    id: str
    statement: str
    verdict: str
    observed: str
    expected: str
    margin: str
    behind: tuple[tuple[str, str], ...]
    more: int
    listing: str
    boundary: str
    made_in: str


def claim_lines(report: ClaimReport, keys: Collection[str], book: Codebook) -> list[ClaimLine]:
    """Return the claims of a report in declared order; `keys` are those of the pool."""
    lines = []
    for found in report.claims:
        outcome = found.outcome
        named = tuple((entry_address(key) if key in keys else "", key) for key in outcome.keys[:NAMED])
        lines.append(
            ClaimLine(
                id=outcome.claim.id,
                statement=outcome.claim.statement,
                verdict=found.verdict,
                observed=str(outcome.number) if outcome.keys else outcome.observed,
                expected="" if outcome.holds else outcome.expected,
                margin=found.margin,
                behind=named,
                more=len(outcome.keys) - len(named),
                listing=_listing(outcome, book),
                boundary=outcome.claim.boundary,
                made_in=", ".join(outcome.claim.made_in),
            )
        )
    return lines


def _listing(outcome: ClaimOutcome, book: Codebook) -> str:
    """Return the address of the entries that a claim selects, where it selects them by axes of the pool alone."""
    if len(outcome.claim.selections) != 1:
        return ""
    selection = outcome.claim.selections[0]
    axes = {column.name for column in book.pool.axes}
    if selection.table != book.pool.name or not selection.where or not set(selection.columns) <= axes:
        return ""
    if set(selection.columns) != set(selection.where) or selection.without:
        return ""
    return "#entries?" + urlencode([(facet_id(axis), t) for axis, terms in selection.where.items() for t in terms])
