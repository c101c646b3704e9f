"""What a change does, in a few sentences: the most urgent first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus.analysis.claims.claim_rules import CLAIM_FAILS
from corpus.curation.changes.changes import Changes, Duplicate, Move
from corpus.curation.changes.consequences import CellMove, ClaimChange, Consequences
from corpus.model.codebook import Codebook
from corpus.model.finding import Finding
from corpus.printing.grid import plural

#: Expectations of claims that state exact numbers, which any added row may move.
_NUMBERS = ("count", "counts", "distinct", "ratio", "columns")
#: Expectations of claims about which entries there are.
_KEYS = ("keys", "includes", "empty", "same_keys_as")
#: Kinds of changes after which a claim fails.
FAILING = ("breaks", "fails")


class ChangeReport(NamedTuple):
    """What `corpus diff` prints, in every format.

    Attributes
    ----------
    before, after : str
        What the two states are called.
    codebook : Codebook
        That of the newer state.
    changes : Changes
        What differs.
    consequences : Consequences or None
        What that moves; None where one of the states cannot be counted.
    findings : tuple of Finding
        What is wrong with the newer state.
    stale : tuple of str
        Generated files that were built from older data.
    note : str
        Why something is left out.
    under_older : tuple of Finding
        What the newer data would fail under the older codebook and protocol, and passes under its
        own.
    """

    before: str
    after: str
    codebook: Codebook
    changes: Changes
    consequences: Consequences | None
    findings: tuple[Finding, ...] = ()
    stale: tuple[str, ...] = ()
    note: str = ""
    under_older: tuple[Finding, ...] = ()

    @property
    def claims(self) -> tuple[ClaimChange, ...]:
        """The claims that the change moves, the most urgent kind first."""
        return self.consequences.claims if self.consequences else ()

    @property
    def other_findings(self) -> list[Finding]:
        """The findings without the claims that break, which the report lists apart."""
        broken = {change.claim.id for change in self.claims if change.kind in FAILING}
        found = []
        for finding in self.findings:
            if finding.code != CLAIM_FAILS.code or finding.value not in broken:
                found.append(finding)
        return found


def headline(report: ChangeReport) -> list[str]:
    """Return sentences about the change, the most urgent first; each sink escapes them."""
    lines = []
    errors = sum(finding.is_error for finding in report.other_findings)
    if errors:
        lines.append(f"{plural(errors, 'error')} to fix before this can be merged.")
    if report.under_older:
        number = plural(len(report.under_older), "finding")
        lines.append(
            f"Under the codebook and protocol of {report.before} the newer data has {number} more."
        )
    if report.consequences is not None:
        lines += [_turn_text(cell) for cell in report.consequences.cells if cell.turns]
    lines += _claim_lines(report.claims)
    lines += [_duplicate_text(item) for item in report.changes.duplicates]
    lines += [_move_text(move) for move in report.changes.moves]
    lines.append(rows_text(report))
    if report.note:
        lines.append(report.note)
    return lines


def _claim_lines(changes: Sequence[ClaimChange]) -> Iterator[str]:
    """Yield which claims break: exact numbers in one sentence, every other claim in its own."""
    broken = [change for change in changes if change.kind == "breaks"]
    numbers = [change for change in broken if states_numbers(change)]
    for change in broken:
        if change not in numbers:
            known = " It is acknowledged." if is_acknowledged(change) else ""
            observed = f"{change.claim.id}: {observed_text(change)}"
            yield f"A claim breaks: {change.claim.statement} ({observed}){known}"
    if numbers:
        acknowledged = sum(map(is_acknowledged, numbers))
        known = f" ({acknowledged} of them acknowledged)" if acknowledged else ""
        yield f"Stated numbers that no longer hold: {len(numbers)}{known}."
    narrower = _names(changes, "narrows")
    if narrower:
        yield f"The margin shrinks for {narrower}."
    recovered = _names(changes, "recovers")
    if recovered:
        yield f"Claims that hold again: {recovered}."


def _names(changes: Sequence[ClaimChange], kind: str) -> str:
    return ", ".join(change.claim.id for change in changes if change.kind == kind)


def states_numbers(change: ClaimChange) -> bool:
    """Whether a claim states exact numbers, which any added row may move."""
    return change.claim.expectation.kind in _NUMBERS


def is_acknowledged(change: ClaimChange) -> bool:
    """Whether somebody wrote down that the claim fails in the newer state."""
    return bool(change.after is not None and change.after.acknowledged)


def observed_text(change: ClaimChange) -> str:
    """Return what a claim's observed value was and is.

    That is the keys that came and went, the counts that differ, or both values.
    """
    before, after = change.before, change.after
    if before is None or after is None:
        found = after or before
        return found.observed if found else ""
    if before.claim.expectation.kind == after.claim.expectation.kind:
        if after.claim.expectation.kind in _KEYS:
            came = [f"+{key}" for key in after.keys if key not in before.keys]
            went = [f"-{key}" for key in before.keys if key not in after.keys]
            return ", ".join([*came, *went]) or after.observed
        counts = []
        for cell in {**before.counts, **after.counts}:
            old, new = before.counts.get(cell, 0), after.counts.get(cell, 0)
            if before.counts.get(cell) != after.counts.get(cell):
                counts.append(f"{'/'.join(cell)} {old} -> {new}")
        if counts:
            return ", ".join(counts)
        if before.observed == after.observed:
            return after.observed
    return f"{before.observed} -> {after.observed}"


def _turn_text(cell: CellMove) -> str:
    numbers = f"({cell.before} -> {cell.after})"
    text = f"{cell.table}: the cell {cell.row} / {cell.column} {cell.turns} {numbers}."
    if cell.reason:
        text += f" The codebook calls it impossible: {cell.reason}."
    return text


def _duplicate_text(item: Duplicate) -> str:
    shared = "nearly the same title" if item.evidence == "title" else item.evidence
    return f"{item.key} may be the same work as {item.other}: both have {shared}."


def _move_text(move: Move) -> str:
    if move.kind == "promoted":
        rest = "; it is still in the exclusion log as well" if move.staying else ""
        return f"The excluded record {move.record} enters the pool as {move.key}{rest}."
    return f"{move.key} leaves the pool and is in the exclusion log as {move.record}."


def rows_text(report: ChangeReport) -> str:
    """Return how many rows and declarations differ, in one sentence."""
    changes = report.changes
    if changes.nothing:
        return f"Nothing differs between {report.before} and {report.after}."
    by_table: dict[str, Counter[str]] = {}
    for row in changes.rows:
        by_table.setdefault(row.table, Counter())[row.kind] += 1
    parts = []
    for table, kinds in by_table.items():
        numbers = [f"{number} {kind}" for kind, number in kinds.items()]
        parts.append(f"{table}: {', '.join(numbers)}")
    if changes.follow:
        parts.append(f"{plural(changes.follow, 'reference')} to a renamed key")
    if changes.documents:
        entries = Counter(change.document for change in changes.declarations)
        named = [f"{name} ({plural(entries[name], 'change')})" for name in changes.documents]
        parts.append(f"changed: {', '.join(named)}")
    what = "; ".join(parts) or "no row differs"
    return f"From {report.before} to {report.after}: {what}."
