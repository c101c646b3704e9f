"""The claims as the page shows them, each with the entries behind it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlencode

from corpus.analysis.claims.evaluate import ClaimOutcome
from corpus.analysis.claims.report import ClaimReport
from corpus.model.codebook import Codebook
from corpus.publishing.page.sections import entry_address
from corpus.publishing.page.settings import facet_id

#: How many rows behind a claim are named; the rest is a number.
NAMED = 12


class ClaimLine(NamedTuple):
    """One claim: its statement, its verdict, what was observed, and the rows behind it.

    Attributes
    ----------
    margin : str
        The smallest number of row edits that break it (``none`` where no edit does).
    behind : tuple of (str, str)
        Address and key of rows; the address is empty for rows of other tables.
    more : int
        How many rows are not named.
    listing : str
        Address of the list of entries, empty where no filter of the page gives it.
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
    lines: list[ClaimLine] = []
    for found in report.claims:
        outcome = found.outcome
        behind: list[tuple[str, str]] = []
        for key in outcome.keys[:NAMED]:
            address = entry_address(key) if key in keys else ""
            behind.append((address, key))
        observed = outcome.observed
        if outcome.keys:
            # The keys are listed below; their number is enough here.
            observed = str(outcome.number)
        expected = outcome.expected
        if outcome.holds:
            expected = ""
        line = ClaimLine(
            id=outcome.claim.id,
            statement=outcome.claim.statement,
            verdict=found.verdict,
            observed=observed,
            expected=expected,
            margin=found.margin,
            behind=tuple(behind),
            more=len(outcome.keys) - len(behind),
            listing=_listing(outcome, book),
            boundary=outcome.claim.boundary,
            made_in=", ".join(outcome.claim.made_in),
        )
        lines.append(line)
    return lines


def _listing(outcome: ClaimOutcome, book: Codebook) -> str:
    """Return the address of the entries that a claim selects by axes of the pool alone."""
    if len(outcome.claim.selections) != 1:
        return ""
    selection = outcome.claim.selections[0]
    axes = set(book.pool.axis_names)
    columns = set(selection.columns)
    if selection.table != book.pool.name or not selection.where or not columns <= axes:
        return ""
    if columns != set(selection.where) or selection.without:
        return ""
    terms: list[tuple[str, str]] = []
    for axis, chosen in selection.where.items():
        terms += [(facet_id(axis), term) for term in chosen]
    return "#entries?" + urlencode(terms)
